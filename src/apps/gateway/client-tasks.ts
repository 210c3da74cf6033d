import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { JsonObject } from '../../../schema/index.ts';
import { digest } from '../../base/canonical/digest.ts';
import { causeOf } from '../../base/errors.ts';
import type { CallOutcome, Guard, Run } from '../../guard/index.ts';
import { session, task } from './options.ts';
import { servedName } from './names.ts';
import { conclusionOf, errs, replyOf, says, type Desk, type Reply } from './replies.ts';

/** What every client of a gateway has in common. */
export interface Office {
  readonly guard: Guard;
  readonly desk: Desk;
  readonly owner: string;
  readonly prefix: string;
  readonly limits: { readonly calls: number; readonly idle: number };
  readonly say: (line: string) => void;
}

/** A task of a client. */
interface Work {
  readonly run: Run;
  readonly threadId: string;
  readonly isSession: boolean;
  /** The `ref` of each call whose outcome the client does not have yet, by what it calls. */
  readonly waiting: Map<string, string>;
  calls: number;
  inFlight: number;
  usedAt: number;
}

/** The tasks of one client. */
export interface ClientTasks {
  /** Calls a tool in the task that waits for this call, else in the current one. */
  readonly call: (tool: string, shown: string, given: JsonObject, signal: AbortSignal) => Promise<Reply>;
  readonly begin: (request: string) => Promise<Reply>;
  readonly conclude: (answer: string, signal: AbortSignal) => Promise<Reply>;
  readonly progress: () => Promise<Reply>;
  /** Concludes the current task if it is idle. */
  readonly sweep: () => Promise<void>;
  /** Concludes the current task of calls, unless something waits in it. */
  readonly leave: () => Promise<void>;
}

/** What is saved with a task: what the client does not know yet. */
const Saved = z.object({ waiting: z.record(z.string(), z.string()) });
const Request = z.object({ client: z.string() });

/** Returns the open tasks of earlier processes, oldest first, by client. */
export const openTasks = async ({ guard }: Office): Promise<ReadonlyMap<string, readonly Work[]>> => {
  const open = new Map<string, Work[]>();
  for (const { taskId, threadId, taskClass } of await guard.orchestrator.list({ isSettled: false })) {
    const run = await guard.resume(taskId);
    const { request, calls } = await run.progress();
    const { client = '' } = Request.safeParse(request).data ?? {};
    const waiting = Saved.safeParse(await run.savedState()).data?.waiting ?? {};
    const work: Work = {
      run,
      threadId,
      isSession: taskClass === session,
      waiting: new Map(Object.entries(waiting)),
      calls: calls.length,
      inFlight: 0,
      usedAt: Date.now(),
    };
    open.set(client, [...(open.get(client) ?? []), work]);
  }
  return open;
};

/** Returns the tasks of a client. Its calls are made in a task that begins with the first of them. */
export const clientTasks = (client: string, earlier: readonly Work[], office: Office): ClientTasks => {
  const { guard, desk, limits, prefix } = office;
  const identity = { agent_id: client, owner_id: office.owner, control_class: 'human-supervised' };
  /** Tasks that are not the current one, in which calls still wait. */
  const parked = new Set<Work>(earlier.slice(0, -1));
  let current: Work | null = earlier.at(-1) ?? null;
  let threadId = current?.threadId;
  let turn: Promise<unknown> = Promise.resolve();

  /** Does one thing after the other: two calls must not begin two tasks. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };

  const isQuiet = ({ waiting, inFlight }: Work): boolean => waiting.size === 0 && inFlight === 0;

  const isIdle = ({ usedAt }: Work): boolean => Date.now() - usedAt >= limits.idle * 60_000;

  const isOver = async ({ run }: Work): Promise<boolean> => (await run.progress()).isSettled;

  const save = ({ run, waiting }: Work): Promise<void> =>
    run.saveState({ waiting: Object.fromEntries(waiting) });

  const finish = async (work: Work): Promise<void> => {
    parked.delete(work);
    if (current === work) current = null;
    if (!work.isSession || (await isOver(work))) return;
    const { status } = await work.run.conclude({ payload: { calls: work.calls } });
    if (status !== 'delivered')
      office.say(`task ${work.run.taskId} of ${client} is ${status}, not delivered`);
  };

  /** Makes room for another current task. One in which calls wait stays open until the client has their outcomes. */
  const setAside = async (): Promise<void> => {
    const work = current;
    if (work === null) return;
    current = null;
    if (isQuiet(work)) await finish(work);
    else parked.add(work);
  };

  const open = async (taskClass: typeof session | typeof task, request: string | null): Promise<Work> => {
    const run = await guard.begin({
      taskClass,
      payload: { client, ...(request !== null && { request }) },
      explanation: request ?? `Calls of ${client}.`,
      identity,
      ...(threadId !== undefined && { threadId }),
      label: { integrity: 'untrusted' }, // the client wrote it
    });
    threadId ??= (await run.progress()).threadId;
    current = {
      run,
      threadId,
      isSession: taskClass === session,
      waiting: new Map(),
      calls: 0,
      inFlight: 0,
      usedAt: Date.now(),
    };
    return current;
  };

  /** Returns why the task that the client began is over, once: what it calls next belongs to no task of its own. */
  const ending = async (): Promise<string | null> => {
    const work = current;
    if (work === null || work.isSession) return null;
    const { isSettled, state, reasons } = await work.run.progress();
    if (!isSettled) return null;
    current = null;
    return [`Your task is over: ${state}.`, ...reasons.map(({ says: why }) => why)].join(' ');
  };

  /** Returns the task of the next call, or why there is none. The call counts as in flight from here on. */
  const workFor = (content: string): Promise<Work | string> =>
    inTurn(async () => {
      const over = await ending();
      if (over !== null) return over;
      const holds = [...parked, ...(current === null ? [] : [current])].find((one) =>
        one.waiting.has(content),
      );
      const work = holds ?? (await nextWork());
      work.inFlight += 1;
      return work;
    });

  const nextWork = async (): Promise<Work> => {
    if (current !== null && (await isOver(current))) current = null;
    const isFull =
      current !== null && current.isSession && (current.calls >= limits.calls || isIdle(current));
    if (isFull) await setAside();
    return current ?? open(session, null);
  };

  /** Makes a call, and keeps its `ref` until the client has its outcome. */
  const outcomeOf = async (
    work: Work,
    content: string,
    signal: AbortSignal,
    call: (ref: string) => Promise<CallOutcome>,
  ): Promise<CallOutcome> => {
    const { waiting } = work;
    const known = waiting.get(content);
    const ref = known ?? randomUUID();
    if (known === undefined) work.calls += 1;
    try {
      const outcome = await call(ref);
      const isPaused = outcome.status === 'paused';
      if (isPaused) waiting.set(content, ref);
      else waiting.delete(content);
      if (isPaused !== (known !== undefined) && outcome.status !== 'ended') await save(work);
      return outcome;
    } catch (error) {
      if (signal.aborted) waiting.set(content, ref); // the call goes on, and the next one like it has its outcome
      throw error;
    }
  };

  return {
    call: async (tool, shown, given, signal) => {
      const content = digest([tool, given]);
      const work = await workFor(content);
      if (typeof work === 'string')
        return errs(
          `${work} This call was not made. Begin another task with ${prefix}_begin, or call again outside of one.`,
        );
      try {
        const outcome = await outcomeOf(work, content, signal, (ref) =>
          work.run.call(tool, given, { ref, signal }),
        );
        return replyOf(tool, shown, outcome, desk);
      } finally {
        work.inFlight -= 1;
        work.usedAt = Date.now();
        if (parked.has(work) && isQuiet(work)) await inTurn(() => finish(work)).catch(failed);
      }
    },
    begin: (request) =>
      inTurn(async () => {
        if (current !== null && !current.isSession && !(await isOver(current)))
          return errs(`A task is open. Conclude it with ${prefix}_conclude before you begin another.`);
        await setAside();
        await open(task, request);
        return says(`A task began. Its calls belong to it until ${prefix}_conclude.`);
      }),
    conclude: async (answer, signal) => {
      const work = current;
      if (work === null || work.isSession)
        return errs(
          `No task is open. Begin one with ${prefix}_begin. Calls outside a task need no conclusion.`,
        );
      const outcome = await work.run.conclude({ payload: { answer } }, { signal });
      if (outcome.status === 'delivered' || outcome.status === 'ended') await inTurn(() => finish(work));
      return conclusionOf(outcome, desk);
    },
    progress: async () => {
      const work = current;
      if (work === null) return says('No task is open.');
      const { state, calls, unmet } = await work.run.progress();
      const open = await work.run.questions('agent');
      const seen = {
        task: work.isSession ? 'none of your own' : 'yours',
        state,
        calls: calls.map(({ tool, status }) => ({ tool: servedName(tool), status })),
        waitsFor: open.map(({ message }) => message.explanation),
        unmet: unmet.map(({ says: why }) => why),
      };
      return { ...says(JSON.stringify(seen)), structuredContent: seen };
    },
    sweep: () =>
      inTurn(async () => {
        const work = current;
        if (work?.isSession === true && isQuiet(work) && isIdle(work)) await finish(work);
      }),
    leave: () =>
      inTurn(async () => {
        if (current?.isSession === true && isQuiet(current)) await finish(current);
      }),
  };

  function failed(error: unknown): void {
    office.say(`a task of ${client} could not be concluded: ${causeOf(error)}`);
  }
};
