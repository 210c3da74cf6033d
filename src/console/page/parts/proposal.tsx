import type { InboxEntry } from '../../../orchestrator/summary.ts';
import { shownIn } from '../answer/proposal.ts';
import { Action } from './action.tsx';
import { Calls } from './calls.tsx';
import { Thought } from './thought.tsx';
import { Value } from './value.tsx';

const titles: Readonly<Record<InboxEntry['question']['kind'], string>> = {
  information: 'Known so far',
  help: 'Tried so far',
  plan: 'The plan',
  draft: 'The draft',
  approval: 'The write',
  doubt: 'The effect',
  tool: 'The question of the tool',
  host: 'Writes so far',
  followup: 'The choices',
};

/** The proposal of a question, as it will be carried out. */
export const Proposal = ({ entry }: { entry: InboxEntry }) => {
  const { evidence: _, calls, action, ...shown } = shownIn(entry); // evidence is shown separately
  const { upThought } = entry.message;
  return (
    <section class="card" aria-labelledby="proposal">
      <h2 id="proposal">{titles[entry.question.kind]}</h2>
      {calls !== undefined && <Calls calls={calls} />}
      {action !== undefined && <Action action={action} />}
      {Object.keys(shown).length > 0 && <Value value={shown} />}
      {upThought && <Thought thought={upThought} />}
    </section>
  );
};
