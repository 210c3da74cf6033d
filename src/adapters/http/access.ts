import { Identity } from '../../../schema/index.ts';
import { isCharterError } from '../../base/errors.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import { isAgent, type Caller } from './caller.ts';

/** The owner of a run. */
export type Owner = Pick<Identity, 'agent_id' | 'owner_id'>;

/**
 * Returns whether a caller may read a run and its own thread messages. Only `true` allows it; if it throws,
 * access is denied and `onError` is called. Without it, a person can neither answer nor cancel. An agent can
 * still propose in its own run and cancel it, but sees only ids and results. `owner` is `null` if it was
 * erased.
 */
export type MayRead = (
  caller: Caller,
  run: { readonly taskId: string; readonly owner: Owner | null },
) => boolean | Promise<boolean>;

/** The number of owners that are cached. */
const cacheSize = 10_000;

const owns = (caller: Caller, owner: Owner | null): boolean =>
  isAgent(caller) && caller.agent.agent_id === owner?.agent_id && caller.agent.owner_id === owner.owner_id;

/** The default policy: agents read their own runs, people read all. */
export const ownOrPerson: MayRead = (caller, { owner }) => !isAgent(caller) || owns(caller, owner);

/** The access rights of runs. They are `false` for an unknown run or question. */
export interface Access {
  /** Whether the run belongs to this agent. */
  readonly owns: (caller: Caller, taskId: string) => Promise<boolean>;
  readonly mayRead: (caller: Caller, taskId: string) => Promise<boolean>;
  /**
   * Whether the caller may read a question, through its own run or an enclosing run that lists it.
   * `mayRespond` of the guard then decides who may answer.
   */
  readonly mayReadQuestion: (caller: Caller, messageId: string) => Promise<boolean>;
}

/** Returns whether an error reveals details of a single run. */
const isOfOneRun = (error: unknown): boolean =>
  isCharterError(error, 'task_corrupted') || isCharterError(error, 'chart_unknown');

/** Creates the access rights. An error denies access and is passed to `onError`. */
export const createAccess = (
  orchestrator: Orchestrator,
  mayRead: MayRead,
  onError: (error: unknown) => void,
): Access => {
  const owners = new Map<string, Owner | null>();

  /** Looks something up in a run; `undefined` for an unreadable run. */
  const lookUp = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (isCharterError(error, 'not_found')) return undefined;
      if (!isOfOneRun(error)) throw error;
      onError(error);
      return undefined;
    }
  };

  /** Returns the owner of a run. Owners never change, so the result is cached. */
  const ownerOf = async (taskId: string): Promise<Owner | null | undefined> => {
    const known = owners.get(taskId);
    if (known !== undefined) return known;
    const records = await lookUp(() => orchestrator.ledger(taskId));
    if (records === undefined) return undefined;
    const read = Identity.safeParse(records[0]?.brought.request?.identity).data;
    const owner = read === undefined ? null : Object.freeze(read); // cached, and passed to `mayRead`
    if (owners.size === cacheSize) owners.clear();
    owners.set(taskId, owner);
    return owner;
  };

  const mayReadRun: Access['mayRead'] = async (caller, taskId) => {
    const owner = await ownerOf(taskId);
    if (owner === undefined) return false;
    try {
      const answer: unknown = await mayRead(caller, { taskId, owner });
      return answer === true;
    } catch (error) {
      onError(error);
      return false;
    }
  };

  return {
    owns: async (caller, taskId) => owns(caller, (await ownerOf(taskId)) ?? null),
    mayRead: mayReadRun,
    mayReadQuestion: async (caller, messageId) => {
      const path = (await lookUp(() => orchestrator.questionPath(messageId))) ?? [];
      for (const taskId of path.toReversed()) if (await mayReadRun(caller, taskId)) return true;
      return false;
    },
  };
};
