import { Fact } from '../../machines/index.ts';
import { UpFeedback, UpFormatMessage } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { CharterError } from '../errors.ts';
import type { Actor } from '../ports/ledger.ts';
import { createEvents } from './events.ts';
import { environmentOf, everybodyElse, type OrchestratorOptions } from './options.ts';
import type { OpenQuestion } from './questions.ts';
import { dependencyOf, readMessage } from './receive.ts';
import { readAnswer } from './respond.ts';
import { readSubmission } from './submission.ts';
import { isOpen, settledOf, summaryOf } from './summary.ts';
import type { By, Orchestrator } from './surface.ts';
import { stateName, Task } from './task.ts';
import { createWorker, type Worker } from './worker.ts';

const outsiderFacts = ['dependency.met', 'task.cancelled'] as const;
const isOutsiderFact = (type: string): type is (typeof outsiderFacts)[number] =>
  outsiderFacts.some((allowed) => allowed === type);

const human = ({ by }: By): Actor => ({ kind: 'human', id: by });

/** States a fact, or throws `fact_refused` with what the task waits for instead. */
const state = async (task: Task, fact: Fact, statement: Parameters<Task['state']>[1]): Promise<void> => {
  if (await task.state(fact, statement)) return;
  const accepts = task.duties().map(({ kind }) => kind);
  const where = stateName(task.snapshot.value);
  throw new CharterError(
    'fact_refused',
    `${where} does not take ${fact.type}; it waits for ${[...new Set(accepts)].join(', ') || 'nothing'}`,
    { taskId: task.taskId, fact: fact.type, state: where, accepts: [...new Set(accepts)] },
  );
};

/** Builds an orchestrator; throws `definition_invalid` where task classes, tools and verifiers do not fit together. */
export const createOrchestrator = (options: OrchestratorOptions): Orchestrator => {
  const { emit, on } = createEvents();
  const environment = environmentOf(options, emit);
  const mayRespond = options.mayRespond ?? everybodyElse;
  const tasks = new Map<string, Task>();
  const workers = new Map<string, Worker>();
  let isClosed = false;

  const open = (operation: string): void => {
    if (isClosed) throw new CharterError('closed', `${operation}: the orchestrator is closed`, { operation });
  };

  const taskOf = (taskId: string): Task => {
    const task = tasks.get(taskId);
    if (task !== undefined) return task;
    throw new CharterError('not_found', `there is no task ${JSON.stringify(taskId)}`, {
      kind: 'task',
      id: taskId,
      known: [...tasks.keys()],
    });
  };

  const questionOf = (messageId: string): { task: Task; question: OpenQuestion } => {
    for (const task of tasks.values()) {
      const question = task.asked.get(messageId);
      if (question !== undefined) return { task, question };
    }
    const known = [...tasks.values()].flatMap((task) => [...task.asked.keys()]);
    throw new CharterError('not_found', `no question was asked in message ${messageId}`, {
      kind: 'question',
      id: messageId,
      known,
    });
  };

  const approve = async (
    task: Task,
    question: OpenQuestion,
    feedback: UpFeedback,
    token: string,
  ): Promise<void> => {
    const refused = (reason: string) =>
      new CharterError('feedback_refused', `question ${question.id} stays open: ${reason}`, {
        taskId: task.taskId,
        question: question.id,
        reason,
        accepts: question.accepts,
      });
    if (question.kind !== 'approval') throw refused('it asks for no approval');
    if (environment.approvals === null)
      throw refused('no approvals are configured, so no token can be verified');
    const { identity } = task.dossier.request;
    const { request } = task.snapshot.context;
    const expected = { actionDigest: question.about, requestId: request, requester: identity.agent_id };
    const grant = await environment.approvals.verify(token, expected);
    if ('refused' in grant) throw refused(grant.refused);
    const fact: Fact = { type: 'approval.granted', request, digest: question.about, authority: 'approval' };
    await state(task, fact, { actor: { kind: 'human', id: grant.approver }, brought: { feedback } });
  };

  const tell: Orchestrator['tell'] = async (taskId, fact, who) => {
    open('tell');
    const type = typeof fact === 'object' && fact !== null && 'type' in fact ? String(fact.type) : '';
    if (!isOutsiderFact(type)) {
      const message = `${JSON.stringify(type)} is not for outsiders to state: expected ${outsiderFacts.join(' or ')}`;
      throw new CharterError('fact_not_yours', message, { fact: type, accepts: outsiderFacts });
    }
    await state(taskOf(taskId), parseDocument('Fact', Fact, frozenCopy(fact, 'Fact')), { actor: human(who) });
  };

  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    for (const task of tasks.values()) task.close();
    await Promise.all([...workers.values()].map((worker) => worker.close()));
    await environment.store.close();
  };

  return {
    submit: async (submission) => {
      open('submit');
      const request = readSubmission(submission, environment.ids.uuid);
      const taskClass = environment.taskClasses.get(request.taskClass);
      if (taskClass === undefined) {
        const known = [...environment.taskClasses.keys()];
        const message = `unknown task class ${JSON.stringify(request.taskClass)}: expected one of ${known.join(', ')}`;
        throw new CharterError('not_found', message, { kind: 'task class', id: request.taskClass, known });
      }
      const task = new Task(environment.ids.uuid(), request, taskClass, environment);
      const worker = createWorker(task, environment);
      task.onStep = worker.step;
      tasks.set(task.taskId, task);
      workers.set(task.taskId, worker);
      const { user_id: user, agent_id: agent } = request.identity;
      await task.begin(user === undefined ? { kind: 'agent', id: agent } : { kind: 'human', id: user });
      return { taskId: task.taskId, threadId: request.threadId };
    },

    respond: async (given, { by, approval }) => {
      open('respond');
      const feedback = parseDocument('UpFeedback', UpFeedback, frozenCopy(given, 'UpFeedback'));
      const messageId = typeof feedback.target === 'string' ? feedback.target : feedback.target.messageId;
      const { task, question } = questionOf(messageId);
      const requester = task.dossier.request.identity.agent_id;
      if (!(await mayRespond(by, { taskId: task.taskId, question, requester })))
        throw new CharterError('identity_refused', `${by} may not answer question ${question.id}`, {
          taskId: task.taskId,
          question: question.id,
          identity: by,
        });
      if (approval !== undefined) return approve(task, question, feedback, approval);
      const { fact, brought } = await readAnswer(task, environment, question, feedback);
      return state(task, fact, { actor: human({ by }), brought });
    },

    receive: async (given) => {
      open('receive');
      const message = parseDocument('UpFormatMessage', UpFormatMessage, frozenCopy(given, 'UpFormatMessage'));
      const agent = message.agentId ?? '';
      for (const task of tasks.values()) {
        if (task.dossier.request.threadId !== message.threadId) continue;
        const awaited = dependencyOf(task, agent);
        if (awaited === undefined) continue;
        const { facts, brought } = readMessage(task, environment, awaited, message);
        for (const fact of facts) await state(task, fact, { actor: { kind: 'agent', id: agent }, brought });
        return;
      }
      const reason = `no task of thread ${message.threadId} waits for agent ${JSON.stringify(agent)}`;
      throw new CharterError('message_refused', reason, { messageId: message.messageId, reason });
    },

    resolve: async (taskId, dependency, value, who) => {
      open('resolve');
      const met = frozenCopy(value ?? null, 'value');
      await state(
        taskOf(taskId),
        { type: 'dependency.met', dependency },
        { actor: human(who), brought: { met } },
      );
    },

    tell,
    cancel: (taskId, who) => tell(taskId, { type: 'task.cancelled' }, who),

    settled: async (taskId) => {
      const task = taskOf(taskId);
      if (!task.isSettled)
        await new Promise<void>((resolve) => {
          const off = on('settled', (event) => {
            if (event.taskId !== taskId) return;
            off();
            resolve();
          });
        });
      return settledOf(task);
    },

    list: () => [...tasks.values()].map(summaryOf),
    inbox: () =>
      [...tasks.values()].flatMap((task) =>
        task.messages.flatMap((message) => {
          const question = task.asked.get(message.messageId);
          return question !== undefined && isOpen(task, question)
            ? [{ taskId: task.taskId, question, message }]
            : [];
        }),
      ),
    thread: (threadId) =>
      [...tasks.values()]
        .filter((task) => task.dossier.request.threadId === threadId)
        .flatMap(({ messages }) => messages),
    ledger: (taskId) => environment.store.records(taskOf(taskId).taskId),
    documents: (taskId) => environment.store.emissions(taskOf(taskId).taskId),
    on,
    close,
    [Symbol.asyncDispose]: close,
  };
};
