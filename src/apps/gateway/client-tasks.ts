import type { JsonObject } from '../../../schema/index.ts';
import { digest } from '../../base/canonical/digest.ts';
import { causeOf } from '../../base/errors.ts';
import type { CallOutcome, Ended } from '../../guard/index.ts';
import { session, task } from './options.ts';
import { servedName } from './names.ts';
import type { Office, Whose, Work } from './open-tasks.ts';
import { conclusionOf, errs, replyOf, says, withNote, type Reply } from './replies.ts';
import { atSeat, type Asking, type Caller } from './seat.ts';

/** The tasks of one client, or of one of its sessions. */
export interface ClientTasks {
  /** Calls a tool in the task that waits for this call, else in the current one. */
  readonly call: (tool: string, shown: string, given: JsonObject, caller: Caller) => Promise<Reply | Asking>;
  readonly begin: (request: string) => Promise<Reply>;
  readonly conclude: (answer: string, signal: AbortSignal) => Promise<Reply>;
  readonly progress: () => Promise<Reply>;
  /** Concludes the current task if it is idle. */
  readonly sweep: () => Promise<void>;
  /** Concludes the current task of calls, unless something waits in it. */
  readonly leave: () => Promise<void>;
  /** Whether they are a session's, of which nothing is open or under way. */
  readonly isForgettable: () => boolean;
}

const isQuiet = ({ waiting, inFlight }: Work): boolean => waiting.size === 0 && inFlight === 0;

/** Returns why a task takes no more calls: it has ended, or undoes what it did, for which a person may be asked; `null` while it goes on. */
const endOf = async ({ run }: Work): Promise<Ended | null> => {
  const { isSettled, state, reasons } = await run.progress();
  if (!isSettled && reasons.length === 0) return null;
  return { status: 'ended', state: isSettled ? state : 'its writes are being undone', reasons };
};

const isOver = async (work: Work): Promise<boolean> => (await endOf(work)) !== null;

const save = ({ run, waiting }: Work): Promise<void> =>
  run.saveState({ waiting: Object.fromEntries(waiting) });

/** Returns the tasks of a client or session. Its calls are made in a task that begins with the first of them. */
export const clientTasks = (
  { client, session: named }: Whose,
  earlier: readonly Work[],
  office: Office,
): ClientTasks => {
  const { guard, desk, limits, prefix, clock } = office;
  const identity = { agent_id: client, owner_id: office.owner, control_class: 'human-supervised' };
  const mode = office.isShadow ? { mode: 'shadow' } : {};
  /** Tasks that are not the current one, in which calls still wait. */
  const parked = new Set<Work>(earlier);
  const latest = earlier.at(-1);
  let current: Work | null = latest?.isOfOtherMode === false ? latest : null;
  if (current !== null) parked.delete(current);
  let threadId = latest?.threadId;
  let turn: Promise<unknown> = Promise.resolve();
  let turns = 0;

  /** Does one thing after the other: two calls must not begin two tasks. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    turns += 1;
    const done = turn.then(work).finally(() => (turns -= 1));
    turn = done.catch(() => undefined);
    return done;
  };

  const isIdle = ({ usedAt }: Work): boolean => clock.now() - usedAt >= limits.idle * 60_000;

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
      payload: { client, session: named, ...mode, ...(request !== null && { request }) },
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
      usedAt: clock.now(),
      isOfOtherMode: false,
    };
    return current;
  };

  /** Returns why the task that the client began is over, once: what it calls next belongs to no task of its own. */
  const ending = async (): Promise<string | null> => {
    const work = current;
    if (work === null || work.isSession) return null;
    const end = await endOf(work);
    if (end === null) return null;
    current = null;
    return [`Your task is over: ${end.state}.`, ...end.reasons.map(({ says: why }) => why)].join(' ');
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
    const ref = known ?? office.ids.uuid();
    if (known === undefined) work.calls += 1;
    try {
      const told = await call(ref);
      const outcome = (told.status === 'paused' ? await endOf(work) : null) ?? told;
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
    call: async (tool, shown, given, { signal, seat }) => {
      const content = digest([tool, given]);
      const work = await workFor(content);
      if (typeof work === 'string')
        return errs(
          `${work} This call was not made. Begin another task with ${prefix}_begin, or call again outside of one.`,
        );
      try {
        const again = () =>
          outcomeOf(work, content, signal, (ref) => work.run.call(tool, given, { ref, signal }));
        const outcome = await again();
        if (seat === null) return replyOf({ tool, shown, given }, outcome, desk);
        const seated = await atSeat(seat, { tool, given, outcome, again }, guard);
        if ('asking' in seated) return seated.asking;
        return withNote(replyOf({ tool, shown, given }, seated.outcome, desk), seated.note);
      } finally {
        work.inFlight -= 1;
        work.usedAt = clock.now();
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
    isForgettable: () => named !== null && current === null && parked.size === 0 && turns === 0,
  };

  function failed(error: unknown): void {
    office.say(`a task of ${client} could not be concluded: ${causeOf(error)}`);
  }
};
