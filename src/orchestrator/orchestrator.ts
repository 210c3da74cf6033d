import * as z from 'zod';
import { Fact, stateName } from '../../machines/index.ts';
import { Identifier, UpFormatMessage } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { CharterError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Actor, RequestDocument } from '../ports/ledger.ts';
import { readApproval } from './approve.ts';
import { deliver } from './perform/delegate.ts';
import { Children } from './children.ts';
import type { Environment } from './environment.ts';
import { eraseDocument } from './erase.ts';
import { createEvents } from './events.ts';
import { environmentOf, everybodyElse, type OrchestratorOptions } from './options.ts';
import type { OpenQuestion } from './questions.ts';
import { dependencyOf, readMessage } from './receive.ts';
import { readAnswer, readFeedback, stateAnswer } from './respond.ts';
import { readSubmission } from './submission.ts';
import { openIn, settledOf, summaryOf } from './summary.ts';
import type { By, Orchestrator } from './surface.ts';
import { Task } from './task.ts';
import { createWorker, type Worker } from './worker.ts';

const outsiderFacts = ['dependency.met', 'task.cancelled'] as const;
const isOutsiderFact = (type: string): type is (typeof outsiderFacts)[number] =>
  outsiderFacts.some((allowed) => allowed === type);

const Who = z.looseObject({ by: Identifier });
const human = (who: By): Actor => ({ kind: 'human', id: parseDocument('By', Who, who).by });

/** How many identifiers an error names at most, the latest. */
const shownIds = 10;

/** Milliseconds that `close` leaves what it aborts to say what became of it. */
const closeGrace = 1_000;

const withGrace = (clock: Clock, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const stop = clock.wakeAt(clock.now() + closeGrace, resolve);
    const done = (): void => {
      stop();
      resolve();
    };
    work.then(done, done);
  });

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
  const base = environmentOf(options, emit);
  const limits = { depth: 4, children: 16, ...options.limits };
  const environment: Environment = {
    ...base,
    children: new Children(
      limits,
      (id, request) => begin(id, request),
      (parent, of, delivered) => deliver(environment, parent, of, delivered),
    ),
  };
  const mayRespond = options.mayRespond ?? everybodyElse;
  const tasks = new Map<string, Task>();
  const workers = new Map<string, Worker>();
  const askedIn = new Map<string, Task>();
  on('settled', ({ taskId }) => environment.children.settled(taskId));
  on('question', ({ taskId, message }) => askedIn.set(message.messageId, taskOf(taskId)));
  /** Told when the orchestrator closes: those who wait for a task to settle. */
  const closing = new Set<() => void>();
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
      known: [...tasks.keys()].slice(-shownIds),
    });
  };

  const questionOf = (messageId: string): { task: Task; question: OpenQuestion } => {
    const task = askedIn.get(messageId);
    const question = task?.thread.asked.get(messageId);
    if (task !== undefined && question !== undefined) return { task, question };
    const known = [...askedIn.keys()].slice(-shownIds);
    throw new CharterError('not_found', `no question was asked in message ${messageId}`, {
      kind: 'question',
      id: messageId,
      known,
    });
  };

  const mayAnswer = async (by: string, task: Task, question: OpenQuestion): Promise<void> => {
    const { taskId, dossier } = task;
    const asked = { taskId, question, requester: dossier.request.identity.agent_id };
    let cause: unknown;
    try {
      if (await mayRespond(by, asked)) return;
    } catch (error) {
      cause = error; // a guard of the host's that throws has refused
    }
    const details = { taskId, question: question.id, identity: by };
    const message = `${by} may not answer question ${question.id}`;
    await task.refuse({
      actor: { kind: 'human', id: by },
      code: 'IDENTITY_INVALID',
      brought: { explanation: message },
    });
    throw new CharterError('identity_refused', message, details, { cause });
  };

  /** A fact from outside; what becomes of a child, only the child says. */
  const outsiderFact = (given: unknown): Fact => {
    const fact = parseDocument('Fact', Fact, given);
    if (fact.type !== 'dependency.met' || !environment.children.isChild(fact.dependency)) return fact;
    const message = `${fact.dependency} is a task of its own: it says itself what becomes of it`;
    throw new CharterError('fact_not_yours', message, { fact: fact.type, accepts: outsiderFacts });
  };

  const tell: Orchestrator['tell'] = async (taskId, given, who) => {
    open('tell');
    const fact = frozenCopy(given, 'Fact');
    const type = typeof fact === 'object' && fact !== null && 'type' in fact ? String(fact.type) : '';
    if (!isOutsiderFact(type)) {
      const message = `${JSON.stringify(type)} is not for outsiders to state: expected ${outsiderFacts.join(' or ')}`;
      throw new CharterError('fact_not_yours', message, { fact: type, accepts: outsiderFacts });
    }
    const actor = human(who);
    await state(taskOf(taskId), outsiderFact(fact), { actor });
  };

  /** Begins a task: from outside, or as a call of another. */
  const begin = async (taskId: string, request: RequestDocument): Promise<Task> => {
    open('submit');
    const taskClass = environment.taskClasses.get(request.taskClass);
    if (taskClass === undefined) {
      const known = [...environment.taskClasses.keys()];
      const message = `unknown task class ${JSON.stringify(request.taskClass)}: expected one of ${known.join(', ')}`;
      throw new CharterError('not_found', message, { kind: 'task class', id: request.taskClass, known });
    }
    const parent = tasks.get(environment.children.pathOf(taskId).at(-2) ?? '');
    const [call = ''] = parent?.snapshot.context.dependencies[taskId] ?? [];
    const task = new Task(taskId, request, taskClass, environment, parent?.tracing.placeOfCall(call));
    const worker = createWorker(task, environment);
    task.onStep = (duties) => {
      worker.step(duties);
      environment.children.follow(task);
    };
    tasks.set(taskId, task);
    workers.set(taskId, worker);
    const { user_id: user, agent_id: agent } = request.identity;
    try {
      const isPersons = user !== undefined && parent === undefined;
      await task.begin(isPersons ? { kind: 'human', id: user } : { kind: 'agent', id: agent });
    } catch (error) {
      tasks.delete(taskId);
      workers.delete(taskId);
      task.tracing.close();
      throw error;
    }
    return task;
  };

  const close = async (): Promise<void> => {
    const { clock, store } = environment;
    for (const task of tasks.values()) task.closing();
    await withGrace(clock, Promise.all([...workers.values()].map((worker) => worker.close())));
    await withGrace(clock, Promise.all([...tasks.values()].map((task) => task.close())));
    for (const stop of closing) stop();
    await store.close();
  };
  let closed: Promise<void> | undefined;
  const shut = (): Promise<void> => {
    isClosed = true;
    closed ??= close();
    return closed;
  };

  return {
    submit: async (submission) => {
      open('submit');
      const request = readSubmission(submission, environment);
      const { taskId } = await begin(environment.ids.uuid(), request);
      return { taskId, threadId: request.threadId };
    },

    respond: async (given, who) => {
      open('respond');
      const feedback = readFeedback(given, environment);
      const { id: by } = human(who);
      const messageId = typeof feedback.target === 'string' ? feedback.target : feedback.target.messageId;
      const { task, question } = questionOf(messageId);
      await mayAnswer(by, task, question);
      const { approval: token } = who;
      if (token === undefined)
        return stateAnswer(task, question, await readAnswer(task, environment, question, feedback, by), by);
      const answer = await readApproval(task, environment, question, feedback, { token, by });
      if (answer.approver !== by) await mayAnswer(answer.approver, task, question);
      return stateAnswer(task, question, answer, answer.approver);
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
      const met = environment.redact(frozenCopy(value ?? null, 'value'), 'result');
      const fact = outsiderFact({ type: 'dependency.met', dependency });
      await state(taskOf(taskId), fact, { actor: human(who), brought: { met } });
    },

    tell,
    cancel: (taskId, who) => tell(taskId, { type: 'task.cancelled' }, who),

    settled: async (taskId) => {
      const task = taskOf(taskId);
      if (task.isSettled) return settledOf(task);
      open('settled');
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          off();
          reject(new CharterError('closed', 'settled: the orchestrator closed', { operation: 'settled' }));
        };
        const off = on('settled', (event) => {
          if (event.taskId !== taskId) return;
          off();
          closing.delete(stop);
          resolve();
        });
        closing.add(stop);
      });
      return settledOf(task);
    },

    list: () => [...tasks.values()].map(summaryOf),
    inbox: (within) =>
      [...tasks.values()].flatMap((task) => {
        const path = environment.children.pathOf(task.taskId);
        return within === undefined || path.includes(within) ? openIn(task, path) : [];
      }),
    thread: (threadId) =>
      [...tasks.values()]
        .filter((task) => task.dossier.request.threadId === threadId)
        .flatMap((task) => task.thread.messages)
        .toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp)),
    ledger: (taskId) => environment.store.records(taskOf(taskId).taskId),
    documents: (taskId) => environment.store.emissions(taskOf(taskId).taskId),
    erase: async (taskId, digest, who) => {
      open('erase');
      await eraseDocument(taskOf(taskId), environment.store, digest, human(who));
    },
    on,
    close: shut,
    [Symbol.asyncDispose]: shut,
  };
};
