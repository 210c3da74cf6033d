import * as z from 'zod';
import {
  createOrchestrator,
  defineTaskClass,
  defineTaskTool,
  defineTool,
  defineVerifier,
  type CallContext,
  type Orchestrator,
  type OrchestratorOptions,
  type Store,
  type Telemetry,
  type ToolDefinition,
  type Turn,
} from '../../../../../src/index.ts';
import type { StandardSchema } from '../../../../../src/base/ports/schema.ts';
import type { TaskBegun } from '../../../../../src/base/ports/telemetry.ts';
import { memoryDatabase } from '../../../../../src/stores/memory/database.ts';
import { trusting } from '../approvals.ts';
import { call, draft, identity, plan } from '../scripted.ts';
import { settle, simulatedClock } from '../simulated-clock.ts';
import { callbacks, events, operations, type Handing } from './callbacks.ts';

/** Called with every value that the host receives, and its place. */
export type Handed = (where: Handing, values: readonly unknown[]) => void;

const sequence = () => {
  let last = 0;
  const hex = (digits: number) => (last += 1).toString(16).padStart(digits, '0');
  return { uuid: () => `00000000-0000-4000-8000-${hex(12)}`, traceId: () => hex(32) };
};

/** The engine calls the returned functions later; a host that breaks them breaks only its own telemetry. */
const returnsPort: ReadonlySet<Handing> = new Set(['telemetry.begin', 'taskTelemetry.work']);

/** Wraps a function so that its arguments are reported when it is done, and its result one turn later. */
const watchedBy =
  (handed: Handed) =>
  <Given extends readonly unknown[], Result>(where: Handing, work: (...given: Given) => Result) =>
  (...given: Given): Result => {
    const result = work(...given);
    handed(where, given);
    if (returnsPort.has(where)) return result;
    const answered = (value: unknown): void => void setImmediate(() => handed(where, [value]));
    Promise.resolve(result).then(answered, answered);
    return result;
  };

type Watched = ReturnType<typeof watchedBy>;

const schemaOf = (watched: Watched, schema: z.ZodType): StandardSchema<never> => ({
  '~standard': {
    version: 1,
    vendor: 'host',
    validate: watched('schema.validate', (value: unknown) => {
      const { data, error } = schema.safeParse(value);
      return error === undefined
        ? { value: structuredClone(data) as never }
        : { issues: error.issues.map(({ message, path }) => ({ message, path })) };
    }),
  },
});

type Make = (input: { readonly amount: number }, context: CallContext) => unknown;

const toolsOf = (watched: Watched) => {
  const tool = (name: string, make: Make, more: Partial<ToolDefinition<{ amount: number }>> = {}) =>
    defineTool({
      name,
      description: name,
      tier: 'read_only',
      input: schemaOf(watched, z.object({ amount: z.coerce.number(), of: z.json().optional() })),
      call: watched('tool.call', async (input: { amount: number }, context: CallContext) =>
        make(input, context),
      ),
      summary: watched('tool.summary', ({ amount }: { amount: number }) => `${name} ${amount}`),
      ...more,
    });
  const rollback = {
    describe: watched('rollback.describe', (input: { amount: number }) => ({
      type: 'inverse',
      target: 'it',
      payload: { of: structuredClone(input) },
    })),
    run: watched('rollback.run', () => Promise.reject(new Error('the answer was lost'))),
    doubt: 'reconcilable',
    lookup: watched('rollback.lookup', async () => ({ found: 'done' as const })),
  } as const;
  const lookup = watched('tool.lookup', async () => ({
    found: 'done' as const,
    result: { noted: { at: [1] } },
  }));
  return [
    tool('look', ({ amount }) => ({ seen: { amount, list: [{ of: amount }] } })),
    tool('ask', (_, { answer, asked, needsHuman }) =>
      answer === null
        ? needsHuman({ explanation: 'Which?', payload: { which: ['a', 'b'] } })
        : { said: structuredClone(answer.content), asked: structuredClone(asked?.['which']) },
    ),
    tool('wait', (_, { met, notYet }) =>
      met === null
        ? notYet({ dependency: 'post', explanation: 'It comes by post.' })
        : { met: structuredClone(met) },
    ),
    tool('pay', ({ amount }) => ({ paid: amount }), {
      tier: 'write_high_risk',
      rollback,
      amounts: { units: ({ amount }) => amount },
    }),
    tool('note', () => Promise.reject(new Error('the answer was lost')), {
      tier: 'write_low_risk',
      doubt: 'reconcilable',
      lookup,
      rollback,
    }),
    defineTaskTool({
      name: 'research',
      description: 'finds out',
      tier: 'read_only',
      input: schemaOf(watched, z.object({ amount: z.number() })),
      taskClass: 'research',
      summary: watched('taskTool.summary', ({ amount }: { amount: number }) => `Research ${amount}`),
      request: watched('taskTool.request', ({ amount }: { amount: number }) => ({
        payload: { amount: { of: amount } },
      })),
    }),
  ];
};

const classesOf = (watched: Watched) => {
  const shared = {
    output: schemaOf(
      watched,
      z.object({ total: z.coerce.number(), list: z.array(z.object({ n: z.number() })) }),
    ),
    accept: watched('taskClass.accept', () => ({ accepted: true as const })),
    limits: { repairs: 0 },
  };
  return [
    defineTaskClass({
      ...shared,
      id: 'work',
      tools: ['look', 'ask', 'wait', 'pay', 'note', 'research'],
      beforeWrite: { verifiers: ['sound'] },
      beforeDeliver: { verifiers: ['sound'], evidence: [{ type: 'tool_result', tool: 'look' }] },
      followup: watched('taskClass.followup', () => ({
        explanation: 'More?',
        payload: { more: { list: [1] } },
        byDefault: { value: { list: [0] } },
      })),
    }),
    defineTaskClass({ ...shared, id: 'research', tools: ['look'] }),
    defineTaskClass({ ...shared, id: 'doomed', tools: ['pay'], beforeDeliver: { verifiers: ['never'] } }),
  ];
};

const input = (amount: unknown) => ({ amount, of: { list: [{ n: 1 }] } });

const answerOf = ({ taskClass, asks }: Turn): unknown => {
  const total = draft({ total: '5', list: [{ n: 1 }], stripped: true });
  if (taskClass === 'research') return asks === 'plan' ? plan([call('look', input(1))]) : total;
  if (taskClass === 'doomed') return asks === 'plan' ? plan([call('pay', input('7'))]) : total;
  const names = ['look', 'ask', 'wait', 'pay', 'note'];
  const calls = [...names.map((name) => call(name, input('5'))), call('research', { amount: 3 })];
  if (asks === 'correction') return { choice: 'fixed', output: plan(calls), explanation: 'Now it fits.' };
  return asks === 'plan' ? { nonsense: { of: ['mine'] } } : total;
};

const telemetryOf = (watched: Watched): Telemetry => {
  const at = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  return {
    begin: watched('telemetry.begin', ({ taskClass }: TaskBegun) => ({
      at: taskClass === 'doomed' ? { traceparent: 'none' } : { ...at },
      step: watched('taskTelemetry.step', () => {}),
      work: watched('taskTelemetry.work', () => ({
        at: { ...at },
        run: watched('workTelemetry.run', (work: () => void) => work()),
        end: watched('workTelemetry.end', () => {}),
      })),
      close: watched('taskTelemetry.close', () => {}),
    })),
  };
};

/** Wraps the functions of these names. */
const watchAll = <Port extends object>(
  watched: Watched,
  port: keyof typeof callbacks | 'orchestrator',
  names: readonly string[],
  inner: Port,
): Port => {
  const own = (name: string) => Reflect.get(inner, name) as (...given: unknown[]) => unknown;
  const made = names.map((name) => [
    name,
    watched(`${port}.${name}` as Handing, (...given: unknown[]) => own(name)(...given)),
  ]);
  return { ...inner, ...Object.fromEntries(made) };
};

const optionsOf = (
  watched: Watched,
  clock: OrchestratorOptions['clock'],
  store: Store,
): OrchestratorOptions => ({
  taskClasses: classesOf(watched),
  tools: toolsOf(watched),
  verifiers: [
    defineVerifier({
      id: 'sound',
      verify: watched('verifier.verify', () => ({
        checks: [{ check_id: 'sound', result: 'pass' as const }],
      })),
    }),
    defineVerifier({
      id: 'never',
      verify: watched('verifier.verify', () => ({
        checks: [{ check_id: 'never', result: 'fail' as const }],
      })),
    }),
  ],
  model: {
    answer: watched('model.answer', async (turn: Turn, { stream }) => {
      if (turn.asks === 'draft' && turn.taskClass === 'research') stream({ index: 0, content: 'thinking' });
      return answerOf(turn);
    }),
  },
  policy: { decide: watched('policy.decide', () => ({ verdict: 'allow' as const, reasons: ['fine'] })) },
  approvals: { verify: watched('approvals.verify', trusting.verify) },
  mayRespond: watched('options.mayRespond', () => true),
  attest: watched('options.attest', () => 'proven' as const),
  redact: watched('options.redact', (document: unknown) => document),
  telemetry: telemetryOf(watched),
  ...(clock && { clock: watchAll(watched, 'clock', Object.keys(callbacks.clock), clock) }),
  quotas: [{ amount: 'units', most: 1_000_000, per: 'day' }],
  ids: watchAll(watched, 'ids', Object.keys(callbacks.ids), sequence()),
  store: watchAll(watched, 'store', Object.keys(callbacks.store), store),
});

/** Answers questions until a task settles. */
const drive = async (orchestrator: Orchestrator, taskId: string): Promise<void> => {
  for (let turn = 0; turn < 40; turn += 1) {
    await settle();
    const { isSettled } = await orchestrator.task(taskId);
    const { awaits } = await orchestrator.progress(taskId);
    if (isSettled) {
      await orchestrator.perform(taskId);
      return;
    }
    if (awaits.includes('post'))
      await orchestrator.resolve(taskId, 'post', { letter: ['a'] }, { by: 'postman' });
    await orchestrator.counts();
    await orchestrator.readiness();
    await orchestrator.stats();
    await orchestrator.stuck({ after: 0 });
    await orchestrator.retry(taskId);
    await orchestrator.skip(taskId);
    for (const { question, message } of await orchestrator.inbox()) {
      await orchestrator.questionPath(message.messageId);
      const isTool = question.kind === 'tool';
      const content = isTool ? { content: { value: { list: ['b'] } } } : {};
      await orchestrator.respond(
        { type: isTool ? 'edit' : 'approve', target: message.messageId, ...content },
        { by: 'dana', ...(question.kind === 'approval' && { approval: `dana` }) },
      );
      await settle();
    }
  }
  const { state, calls } = await orchestrator.task(taskId);
  const standing = calls.map(({ tool, status, code }) => [tool, status, code]);
  throw new Error(`the task never settles: ${JSON.stringify([state, standing])}`);
};

const refusalOf = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch(String);

const submission = (taskClass: string) => ({
  taskClass,
  payload: { wish: { list: [1] } },
  identity: { ...identity },
});

/** Runs everything that an orchestrator calls, emits and returns, reports each value, and returns what is stored. */
export const scenario = async (handed: Handed) => {
  const simulated = simulatedClock();
  const clock = { ...simulated, monotonic: () => simulated.now() };
  const database = memoryDatabase();
  const watched = watchedBy(handed);
  const orchestrator = watchAll(
    watched,
    'orchestrator',
    Object.keys(operations),
    createOrchestrator(optionsOf(watched, clock, database.connect())),
  );
  const errors: string[] = [];
  for (const name of Object.keys(events) as (keyof typeof events)[])
    orchestrator.on(name, (event) => {
      if (name === 'error' && 'error' in event) errors.push(String(event.error));
      handed(`on.${name}`, [event]);
    });
  orchestrator.on('settled', () => Promise.reject(new Error('a failing listener is reported as an error')));
  await orchestrator.recover();
  const nobody = { agent: 'nobody' } as const;
  await orchestrator.pause({ ...nobody }, { by: 'dana', reason: 'to see it' });
  await orchestrator.pauses();
  await orchestrator.resume({ ...nobody }, { by: 'dana' });
  const begun: string[] = [];
  for (const taskClass of ['work', 'doomed']) {
    const { taskId, threadId } = await orchestrator.submit(submission(taskClass), { key: `${taskClass} 1` });
    begun.push(taskId);
    await drive(orchestrator, taskId);
    await orchestrator.settled(taskId);
    await orchestrator.thread(threadId);
    await orchestrator.documents(taskId);
    await orchestrator.refuse(taskId, { code: 'POLICY_BLOCKED', explanation: 'It tried.' });
  }
  const [first = ''] = begun;
  const refused = await Promise.all([
    refusalOf(orchestrator.tell(first, { type: 'call.succeeded' }, { by: 'mallory' })),
    refusalOf(orchestrator.cancel(first, { by: 'mallory' })),
    refusalOf(orchestrator.receive({ spoilt: true }, { agent_id: 'mallory', owner_id: 'acme' })),
  ]);
  const found = (await orchestrator.ledger(first)).flatMap(({ documents }) => documents.evidence ?? []);
  await orchestrator.erase(first, found[0] ?? '', { by: 'dana' });
  const options = optionsOf(
    watchedBy(() => {}),
    clock,
    database.connect(),
  );
  const guest = createOrchestrator({ ...options, role: 'guest' }); // another process
  await guest.refuse(first, { code: 'POLICY_BLOCKED', explanation: 'A guest tried.' });
  await settle();
  await orchestrator.list();
  await settle();
  const reader = database.connect();
  const stored = await Promise.all((await reader.taskIndex()).map(({ taskId }) => reader.load(taskId)));
  await orchestrator.prune({ settledBefore: Number.MAX_SAFE_INTEGER });
  await refusalOf(orchestrator.task(first));
  const closing = orchestrator.close();
  await clock.advance(5_000);
  await closing;
  return { stored, errors, refused };
};
