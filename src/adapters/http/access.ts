import { Identity } from '../../../schema/index.ts';
import { isCharterError } from '../../errors.ts';
import type { Orchestrator } from '../../orchestrator/surface.ts';
import { isAgent, type Caller } from './caller.ts';

/** Whose run it is. */
export type Owner = Pick<Identity, 'agent_id' | 'owner_id'>;

/**
 * Says whether a caller may read a run, and what it said in its thread. Only `true` is yes; to throw is no, and `onError` is
 * told. A person who may not read a run cannot answer it or cancel it either. An agent that may not read its own run still
 * proposes in it and cancels it, and is shown its ids and results only. `owner` is `null` if that was erased.
 */
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

/** Whose a run is, and who may do what with it; `false` as well if there is no such run or question. */
export interface Access {
  /** It is this agent's own. */
  readonly owns: (caller: Caller, taskId: string) => Promise<boolean>;
  readonly mayRead: (caller: Caller, taskId: string) => Promise<boolean>;
  /**
   * Whether the caller may read the question that a message asked: in its own run, or in one around it, whose inbox shows it.
   * Who may answer it, `mayRespond` of the guard says after that.
   */
  readonly mayReadQuestion: (caller: Caller, messageId: string) => Promise<boolean>;
}

/** What only one run can have, so that nobody who may not read it is told. */
const isOfOneRun = (error: unknown): boolean =>
  isCharterError(error, 'task_corrupted') || isCharterError(error, 'chart_unknown');

/** Builds the rights over the runs of an orchestrator: what breaks while they are looked up is a no, and `onError` is told. */
export const createAccess = (
  orchestrator: Orchestrator,
  mayRead: MayRead,
  onError: (error: unknown) => void,
): Access => {
  const owners = new Map<string, Owner | null>();

  /** Looks up what stands in a run; a run that cannot be read is like none. */
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

  /** A run never changes hands, so it is looked up once. */
  const ownerOf = async (taskId: string): Promise<Owner | null | undefined> => {
    const known = owners.get(taskId);
    if (known !== undefined) return known;
    const records = await lookUp(() => orchestrator.ledger(taskId));
    if (records === undefined) return undefined;
    const read = Identity.safeParse(records[0]?.brought.request?.identity).data;
    const owner = read === undefined ? null : Object.freeze(read); // it is remembered, and shown to `mayRead`
    if (owners.size === remembered) owners.clear();
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
