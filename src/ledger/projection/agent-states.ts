import { textOfCopy } from '../../canonical/canonicalize.ts';
import { digestOfPart } from '../../canonical/digest.ts';
import type { Projection } from './projection.ts';

type States = Pick<Projection, 'agentState' | 'agentStates'>;

/** Returns the last saved state of an agent, and which are on record; `undefined` for one that was erased. */
export const withState = ({ agentStates }: States, agentState: unknown): Partial<States> => {
  if (agentState === undefined) return { agentState: null };
  const saved = { digest: digestOfPart(agentState), length: textOfCopy(agentState).length };
  return { agentState, agentStates: [...agentStates.filter(({ digest }) => digest !== saved.digest), saved] };
};

/** Returns the saved states that are on record after one was erased. */
export const withoutState = (
  { agentStates }: States,
  erased: string | null,
): Pick<States, 'agentStates'> => ({ agentStates: agentStates.filter(({ digest }) => digest !== erased) });
