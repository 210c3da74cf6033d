import * as z from 'zod';
import type { Fact } from '../../../machines/index.ts';
import { ReasonCode } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { messageIdOf } from '../../base/feedback/target.ts';
import type { Actor, RecordPayload } from '../../base/ports/ledger.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import { placedIn, threadsIn } from '../kernel/projection/thread.ts';
import { saveAgentState } from './agent-state.ts';
import { answer, questionPath, unknownQuestion } from './answers/answer.ts';
import { readFeedback } from './answers/feedback.ts';
import { createBegin } from './begin.ts';
import { ByHand } from './by-hand.ts';
import { createChangeLog } from './change-log.ts';
import { createCarrying } from './carrying.ts';
import { Children } from './children.ts';
import { deliver } from './duties/delegate.ts';
import type { Ports } from './duties/performer.ts';
import { undoWrites } from './duties/undo-writes.ts';
import type { Turns } from './environment.ts';
import type { Engine } from './engine.ts';
import { createEvents } from './events.ts';
import { offerCalls } from './go-on.ts';
import { actorOf, answererOf, isSameAs, keyIn, sendOnce } from './keyed.ts';
import { createLifecycle } from './lifecycle.ts';
import { createOperator } from './operator.ts';
import { environmentOf, type GuestOptions, type OrchestratorOptions } from './options.ts';
import { cancellation, readOutsiderFact, submitFromOutside, urgencyOf } from './outsider.ts';
import { createLists } from './pages.ts';
import type { Progress } from './progress.ts';
import { whereMeant } from './read-arguments.ts';
import { createReports } from './reports.ts';
import type { Rooms } from './rooms.ts';
import { createStrandedTasks } from './stranded-tasks.ts';
import { unlessClosed } from './task-errors.ts';
import { checkMandate, readSubmission, submittedIn } from './submission.ts';
import type { Orchestrator } from './surface.ts';
import { TaskCache } from './task-cache.ts';
import { checkThread } from './thread-owner.ts';

const Refused = z.strictObject({ code: ReasonCode, explanation: z.string() });

/** Creates an engine; without `agents`, its model takes every turn. Throws `definition_invalid` if task classes, tools and verifiers do not fit together. */
export const createEngine = (
  rooms: Rooms,
  options: OrchestratorOptions | GuestOptions,
  agents: Turns | null = null,
): Engine => {
  const { emit, on } = createEvents();
  const base = environmentOf(options, emit, agents);
  const limits = { depth: 4, children: 16, ...options.limits };
  const { store } = base;
  const environment: Ports = {
    ...base,
    onStoreLost: (error) => onOwnershipLost(error),
    changes: createChangeLog(base),
    mediate: whereMeant(rooms.mediate),
    carryOver: rooms.carryOver,
    byHand: new ByHand(base, {
      begin: (beginning) => begin(beginning),
      goOn: (taskId) => goOn(taskId),
      settled: async (taskId) => {
        await settled(taskId);
        await stranded.settled(taskId); // reads it again, where another process has ended it
        return stranded.progress(taskId);
      },
    }),
    children: new Children(limits, {
      store,
      begin: (taskId, request, parent) => begin({ taskId, request, parent }),
      use: (taskId, work) => cache.use(taskId, work),
      performs: (taskId) => store.lease === Infinity || base.holds.fenceOf(taskId) !== null,
      deliver: (parent, of, delivered, shown) =>
        parent.carryOut(deliver(environment, parent, of, delivered, shown)),
      take: (taskId) => takeToUndo(taskId),
      undo: (child, because) => undoWrites(child, environment, because),
      strandedEnd: (taskId) => stranded.endOf(taskId),
      endStranded: (taskId, because) => stranded.end(taskId, because),
      endNested: (taskId) => stranded.endNested(taskId),
    }),
  };
  const cache = new TaskCache(environment, options.idleTasks ?? 100);
  const lifecycle = createLifecycle(environment, cache, on, rooms);
  const { checkOpen, during, recover, takeForAgent, takeToUndo, settled, onOwnershipLost, readiness, close } =
    lifecycle;

  const carrying = createCarrying(lifecycle.takeResting);
  if (environment.isOwner)
    on('settled', ({ taskId }) => environment.children.reportEnd(taskId).catch(unlessClosed));

  const stored = async (taskId: string): Promise<StoredTask> => {
    const task = await store.load(taskId);
    if (task === undefined) throw await cache.unknown(taskId);
    return deepFreeze(task);
  };

  const stranded = createStrandedTasks(environment, {
    load: stored,
    use: (taskId, work) => cache.use(taskId, work),
  });

  /** Goes on with a task whose record was written although its send threw. */
  const goOn = (taskId: string): Promise<void> => cache.refresh([taskId]);

  const begin = createBegin(environment, cache, lifecycle.hasRoom);

  const task = async (taskId: string): Promise<Progress> => {
    checkOpen('task', { taskId });
    return deepFreeze(await during('task', () => stranded.progress(taskId)));
  };

  const submitExternal = (
    operation: string,
    taskId: string,
    fact: Fact,
    { actor, key, brought = {} }: { actor: Actor; key: string | undefined; brought?: RecordPayload },
  ): Promise<void> =>
    during(operation, () =>
      sendOnce(store, `tell ${taskId}`, key, {
        isSame: (record) =>
          record.kind === 'end'
            ? fact.type === 'task.cancelled'
            : isSameAs([record.fact, record.brought], [fact, brought]),
        onRepeat: goOn,
        send: (ofKey) =>
          carrying(() =>
            stranded.either(
              taskId,
              (task) =>
                submitFromOutside(task, environment, fact, {
                  actor,
                  brought,
                  ...(ofKey !== undefined && { key: ofKey }),
                }),
              (_, error) => {
                if (fact.type !== 'task.cancelled' || !environment.isOwner) throw error;
                return stranded.end(taskId, { actor, key: ofKey });
              },
            ),
          ),
      }),
    );

  const submit: Engine['submit'] = async (submission, keyed, onTaskId = () => {}) => {
    const key = keyIn('submit', keyed);
    let isNewThread = false;
    const request = readSubmission(submission, environment, () => {
      isNewThread = true;
      return environment.ids.uuid();
    });
    const { threadId } = request;
    const taskClass = environment.taskClassOf(request.taskClass);
    return during('submit', () =>
      sendOnce(store, 'submit', key, {
        isSame: ({ brought }) => isSameAs(submittedIn(brought.request) ?? null, submittedIn(request)),
        onRepeat: async (taskId, { brought }) => {
          await goOn(taskId);
          return { taskId, threadId: brought.request?.threadId ?? threadId };
        },
        send: async (ofKey) => {
          checkMandate(request, taskClass);
          if (!isNewThread) await checkThread(environment, cache, threadId, request.identity);
          const taskId = environment.ids.uuid();
          onTaskId(taskId);
          await begin({ taskId, request, taskClass, key: ofKey });
          return { taskId, threadId };
        },
      }),
    );
  };

  const orchestrator: Orchestrator = {
    recover: () => during('recover', recover),

    submit: (given, keyed) => submit(given, keyed),

    respond: async (given, who) => {
      checkOpen('respond');
      const feedback = readFeedback(given, environment);
      const person = answererOf(who);
      const { id: by } = person;
      const messageId = messageIdOf(feedback);
      const received = { feedback, messageId, person, token: who.approval };
      await during('respond', async () => {
        const found = await store.find({ message: messageId });
        if (found === undefined) throw await unknownQuestion(store, messageId);
        await sendOnce(store, `respond ${messageId}`, who.key, {
          isSame: ({ brought, actor }) => actor.id === by && isSameAs(brought.feedback ?? null, feedback),
          onRepeat: goOn,
          send: (key) =>
            carrying(() =>
              cache.use(found.taskId, (task) => answer(task, environment, { ...received, key })),
            ),
        });
      });
    },

    receive: async (given, from) => {
      checkOpen('receive');
      const copied = [frozenCopy(given, 'UpFormatMessage'), frozenCopy(from, 'from')] as const; // before anything is waited for
      await during('receive', async () => {
        const receive = await rooms.readReceived(...copied);
        await carrying(() => receive(environment, cache));
      });
    },

    resolve: async (taskId, dependency, value, who) => {
      checkOpen('resolve', { taskId });
      const met = environment.redact(frozenCopy(value ?? null, 'value'), 'result');
      const fact = readOutsiderFact({ type: 'dependency.met', dependency });
      await submitExternal('resolve', taskId, fact, { actor: actorOf(who), key: who.key, brought: { met } });
    },

    tell: async (taskId, given, who) => {
      checkOpen('tell', { taskId });
      const fact = readOutsiderFact(frozenCopy(given, 'Fact'));
      await submitExternal('tell', taskId, fact, { actor: actorOf(who), key: who.key });
    },
    cancel: async (taskId, who) => {
      checkOpen('cancel', { taskId });
      const by = { actor: actorOf(who), key: who.key };
      await submitExternal('cancel', taskId, cancellation(urgencyOf(who)), by);
    },

    refuse: async (taskId, why) => {
      checkOpen('refuse', { taskId });
      const { code, ...brought } = parseDocument('Refusal', Refused, frozenCopy(why, 'Refusal'));
      await during('refuse', () =>
        cache.use(taskId, (task) => task.record('refusal', { actor: task.view.agent, code, brought })),
      );
    },

    settled: async (taskId: string) => {
      checkOpen('settled', { taskId });
      const [entry] = await store.taskIndex({ taskId });
      if (entry === undefined) throw await cache.unknown(taskId);
      if (!entry.isSettled) await settled(taskId);
      return deepFreeze(await stranded.settled(taskId));
    },

    task,
    progress: task,
    ...createLists(store, checkOpen, (event) => emit('error', event)),
    questionPath: async (messageId) => {
      checkOpen('questionPath', { messageId });
      return deepFreeze(await questionPath(store, messageId));
    },
    thread: async (threadId) => {
      checkOpen('thread', { threadId });
      const tasks = await store.taskIndex({ threadId });
      const placed = await Promise.all(
        tasks.map(async ({ taskId }) =>
          placedIn(cache.peek(taskId)?.view.projection ?? threadsIn((await stored(taskId)).emissions)),
        ),
      );
      const inOrder = placed.flat().toSorted((one, other) => one.at - other.at);
      return deepFreeze(inOrder.map(({ message }) => message));
    },
    ledger: async (taskId) => {
      checkOpen('ledger', { taskId });
      return (await stored(taskId)).records;
    },
    documents: async (taskId) => {
      checkOpen('documents', { taskId });
      return (await stored(taskId)).emissions;
    },
    erase: async (taskId, digest, who) => {
      checkOpen('erase', { taskId, digest });
      const actor = actorOf(who);
      await during('erase', () => stranded.erase(taskId, { digest, actor }));
    },
    ...createOperator(environment, cache, lifecycle.perform, during),
    on,
    readiness,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
  return {
    orchestrator,
    submit,
    view: (taskId) => cache.use(taskId, ({ view }) => view),
    offer: (taskId, output) =>
      during('propose', () => cache.use(taskId, (task) => offerCalls(task, environment, output))),
    saveAgentState: (taskId, state) =>
      during('saveState', () => cache.use(taskId, (task) => saveAgentState(task, environment, state))),
    blobs: environment.blobs,
    ...createReports(environment, cache, during),
    peek: (taskId) => cache.peek(taskId)?.view,
    takeForAgent: takeForAgent && ((taskId) => during('propose', () => takeForAgent(taskId))),
  };
};
