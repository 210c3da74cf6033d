import { Identity } from '../../../schema/index.ts';
import { isCharterError } from '../../errors.ts';
import type { Orchestrator } from '../../orchestrator/surface.ts';
import { isAgent, type Caller } from './caller.ts';

/** Whose run it is. */
export type Owner = Pick<Identity, 'agent_id' | 'owner_id'>;

/** Says whether a caller may read a run, and what it said in its thread: only `true` is yes; `owner` is `null` where that was erased. */
export type MayRead = (
  caller: Caller,
  run: { readonly taskId: string; readonly owner: Owner | null },
) => boolean | Promise<boolean>;

/** How many runs are remembered by whose they are. */
const remembered = 10_000;

const owns = (caller: Caller, owner: Owner | null): boolean =>
  isAgent(caller) && caller.agent.agent_id === owner?.agent_id && caller.agent.owner_id === owner.owner_id;

/** Left out, an agent reads what it began, and a person everything. */
export const ownOrPerson: MayRead = (caller, { owner }) => !isAgent(caller) || owns(caller, owner);

/** Whose a run is, and who may do what with it; `false` as well where there is no such run. */
export interface Access {
  /** It is this agent's own. */
  readonly owns: (caller: Caller, taskId: string) => Promise<boolean>;
  readonly mayRead: (caller: Caller, taskId: string) => Promise<boolean>;
}

export const createAccess = (orchestrator: Orchestrator, mayRead: MayRead): Access => {
  const owners = new Map<string, Owner | null>();

  /** A run never changes hands, so it is looked up once. */
  const ownerOf = async (taskId: string): Promise<Owner | null | undefined> => {
    const known = owners.get(taskId);
    if (known !== undefined) return known;
    try {
      const [first] = await orchestrator.ledger(taskId);
      const read = Identity.safeParse(first?.brought.request?.identity).data;
      const owner = read === undefined ? null : Object.freeze(read); // it is remembered, and shown to `mayRead`
      if (owners.size === remembered) owners.clear();
      owners.set(taskId, owner);
      return owner;
    } catch (error) {
      if (isCharterError(error, 'not_found')) return undefined;
      throw error;
    }
  };

  return {
    owns: async (caller, taskId) => owns(caller, (await ownerOf(taskId)) ?? null),
    mayRead: async (caller, taskId) => {
      const owner = await ownerOf(taskId);
      if (owner === undefined) return false;
      const answer: unknown = await mayRead(caller, { taskId, owner });
      return answer === true;
    },
  };
};
