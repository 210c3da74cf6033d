import { describe, expect, it } from 'vitest';
import { createOrchestrator, defineTaskClass, isCharterError } from '../../../../src/index.ts';
import { unreadFeedback } from '../../../../src/base/feedback/feedback.ts';
import { brittleStore, scene, passes } from './scene.ts';
import { call, draft, identity, later, never, plan, readTool, writeTool } from './scripted.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

const request = { taskClass: 'work', payload: {}, identity };
const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing thrown',
    (error: unknown) => (isCharterError(error) ? error.code : error),
  );

const straight = () =>
  scene({
    model: ({ asks }) => (asks === 'plan' ? plan([call('search')]) : draft({ found: 1 })),
    tools: [readTool('search')],
    verifiers: { mails: passes },
    taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: ['mails'] } },
  });

it('delivers, with a message per operational state and an envelope per phase and call', async () => {
  const { submit, ended, states, phases, facts } = straight();
  const taskId = await submit();
  const settled = await ended(taskId);
  expect(settled).toMatchObject({ state: 'completed.settled', outcome: 'success', reasons: [] });
  expect(settled.message.payload).toEqual({ found: 1 });
  expect(await states(taskId)).toEqual(['submitted', 'completed']);
  expect(await phases(taskId)).toEqual(['intake', 'plan', 'execute', 'execute', 'verify', 'deliver']);
  expect(await facts(taskId)).toEqual([
    'request.accepted',
    'plan.proposed',
    'call.started',
    'call.succeeded',
    'draft.proposed',
    'verifier.reported',
  ]);
});

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('a straight run [CHART 8]', () => {
  it('names the actor of each record as system, agent or person [UAICP 5.4]', async () => {
    const { submit, orchestrator } = straight();
    const records = await orchestrator.ledger(await submit());
    expect(records.map(({ actor }) => `${actor.kind} ${actor.id}`)).toEqual([
      'agent recommender',
      'system agentcharter',
      'agent recommender',
      'agent recommender',
      'system search',
      'agent recommender',
      'system mails',
    ]);
  });

  it('resolves settled() for earlier and later callers', async () => {
    const { orchestrator } = straight();
    const { taskId } = await orchestrator.submit(request);
    const before = await orchestrator.settled(taskId);
    expect(await orchestrator.settled(taskId)).toEqual(before);
  });

  it('uses the thread that its request names', async () => {
    const { orchestrator } = straight();
    const threadId = '00000000-0000-4000-8000-00000000ffff';
    const first = await orchestrator.submit({ ...request, threadId });
    await settle();
    const second = await orchestrator.submit({ ...request, threadId });
    await settle();
    expect(first.threadId).toBe(threadId);
    expect((await orchestrator.thread(threadId)).map(({ state }) => state)).toEqual([
      'submitted',
      'completed',
      'submitted',
      'completed',
    ]);
    expect(second.taskId).not.toBe(first.taskId);
  });
});

describe('an invalid request', () => {
  it.each<[string, object, string, string]>([
    ['no task class', { payload: {}, identity }, 'document_invalid', '/taskClass'],
    ['an unknown task class', { ...request, taskClass: 'constructor' }, 'not_found', 'expected one of work'],
    ['no payload', { ...request, payload: 'x' }, 'document_invalid', '/payload'],
    ['no identity', { ...request, identity: {} }, 'document_invalid', '/identity/agent_id'],
    [
      'a name on two lines',
      { ...request, identity: { ...identity, user_id: 'a\nb' } },
      'document_invalid',
      '/identity/user_id',
    ],
    ['an unknown member', { ...request, state: 'deliver' }, 'document_invalid', '/state'],
    ['a thread without a UUID', { ...request, threadId: '1' }, 'document_invalid', '/threadId'],
    ['__proto__', { ...request, payload: JSON.parse('{"__proto__":1}') }, 'input_unreadable', '/payload'],
    ['a function', { ...request, payload: { f: () => 1 } }, 'input_unreadable', '/payload/f'],
    [
      'a getter',
      {
        ...request,
        get payload() {
          return {};
        },
      },
      'input_unreadable',
      '/payload',
    ],
  ])('%s: the error names the place, and no task begins', async (_, given, code, place) => {
    const { orchestrator } = scene();
    const error: unknown = await orchestrator
      .submit(given as typeof request)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(`${JSON.stringify(error)} ${String(error)}`).toContain(place);
    expect(await orchestrator.list()).toEqual([]);
  });

  it('is copied, so later changes by the caller have no effect', async () => {
    const { orchestrator, turns } = scene();
    const payload = { wish: 'a list' };
    const submitted = orchestrator.submit({ ...request, payload });
    payload.wish = 'everything';
    await submitted;
    await settle();
    expect(turns[0]?.request).toEqual({ wish: 'a list' });
  });
});

describe('a fact from outside', () => {
  it.each([
    'xstate.stop',
    'xstate.done.state.task',
    'xstate.error.actor.1',
    'xstate.init',
    'call.succeeded',
    'verifier.reported',
    'policy.decided',
    'approval.granted',
    'human.responded',
    'deadline.passed',
    'run.failed',
    'constructor',
    '',
  ])('%j is rejected', async (type) => {
    const { orchestrator, submit, stateOf } = scene({ model: [plan([], { confidence: 0.1 })] });
    const taskId = await submit();
    const records = await orchestrator.ledger(taskId);
    await expect(orchestrator.tell(taskId, { type }, { by: 'dana' })).rejects.toMatchObject({
      code: 'fact_not_yours',
      details: { fact: type, accepts: ['dependency.met', 'task.cancelled'] },
    });
    expect(stateOf(taskId)).toBe('needsHumanDecision');
    expect(await orchestrator.ledger(taskId)).toEqual(records);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'input_unreadable'],
    ['text', 'task.cancelled', 'fact_not_yours'],
    [
      'a type that changes',
      {
        get type() {
          return 'task.cancelled';
        },
      },
      'input_unreadable',
    ],
    ['a proxy', new Proxy({ type: 'task.cancelled' }, {}), 'input_unreadable'],
    ['a fact without its subject', { type: 'dependency.met' }, 'document_invalid'],
  ])('%s is rejected', async (_, fact, code) => {
    const { orchestrator, submit } = scene({ model: [plan([], { confidence: 0.1 })] });
    expect(await codeOf(orchestrator.tell(await submit(), fact, { by: 'dana' }))).toBe(code);
  });

  it('is rejected for an unknown task', async () => {
    const { orchestrator } = scene();
    for (const id of ['nope', '__proto__', 'constructor']) {
      expect(await codeOf(orchestrator.cancel(id, { by: 'dana' }))).toBe('not_found');
      expect(await codeOf(orchestrator.settled(id))).toBe('not_found');
      await expect(orchestrator.ledger(id)).rejects.toThrow(/there is no task/);
    }
  });

  it('is rejected without an identity', async () => {
    const { orchestrator, submit } = scene({ model: [plan([], { confidence: 0.1 })] });
    const taskId = await submit();
    for (const who of [{}, undefined, { by: '' }, { by: 7 }])
      expect(await codeOf(orchestrator.cancel(taskId, who as { by: string }))).toBe('document_invalid');
  });
});

describe('listeners', () => {
  it('receive a record, then its documents, then the settled event', async () => {
    const { orchestrator } = scene();
    const received: string[] = [];
    orchestrator.on('record', ({ fact }) => received.push(fact?.type ?? 'begun'));
    orchestrator.on('document', ({ name }) => received.push(name));
    orchestrator.on('settled', () => received.push('settled'));
    const { taskId } = await orchestrator.submit(request);
    await orchestrator.settled(taskId);
    expect(received).toEqual([
      'begun',
      'UpFormatMessage',
      'MessageEnvelope',
      'request.accepted',
      'MessageEnvelope',
      'plan.proposed',
      'MessageEnvelope',
      'draft.proposed',
      'MessageEnvelope',
      'MessageEnvelope',
      'UpFormatMessage',
      'settled',
    ]);
  });

  it('that throw or reject are reported and affect nothing else', async () => {
    const { orchestrator, takeErrors, ended } = scene();
    orchestrator.on('record', () => {
      throw new Error('one');
    });
    orchestrator.on('document', async () => {
      throw new Error('two');
    });
    orchestrator.on('error', () => {
      throw new Error('three');
    });
    const { taskId } = await orchestrator.submit(request);
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    const messages = new Set(takeErrors().map((error) => (error as Error).message));
    expect(messages).toEqual(new Set(['one', 'two']));
  });

  it('receive nothing after they are removed', async () => {
    const { orchestrator, submit } = scene();
    let received = 0;
    const off = orchestrator.on('record', () => (received += 1));
    off();
    await submit();
    expect(received).toBe(0);
  });

  it('may answer a question from inside its event', async () => {
    const { orchestrator, submit, ended } = scene({ model: [plan([], { confidence: 0.1 }), draft()] });
    const answers: Promise<void>[] = [];
    orchestrator.on('question', ({ message }) =>
      answers.push(orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' })),
    );
    expect(await ended(await submit())).toMatchObject({ outcome: 'success' });
    await Promise.all(answers);
  });
});

describe('close()', () => {
  it('aborts work in flight, clears the timer and rejects later requests', async () => {
    const aborted: unknown[] = [];
    const scenario = scene({
      model: [plan([call('slow')])],
      tools: [
        readTool('slow', { call: (_, { signal }) => never(signal, () => aborted.push(signal.reason)) }),
      ],
    });
    const taskId = await scenario.submit();
    const waiting = codeOf(scenario.orchestrator.settled(taskId));
    await scenario.orchestrator.close();
    expect(aborted).toMatchObject([{ code: 'closed' }]);
    expect(await waiting).toBe('closed');
    expect(scenario.clock.sleeping()).toBe(0);
    const { orchestrator } = scenario;
    const by = { by: 'dana' };
    expect(await codeOf(orchestrator.submit(request))).toBe('closed');
    expect(await codeOf(orchestrator.respond(unreadFeedback({}), by))).toBe('closed');
    expect(await codeOf(orchestrator.receive({}, { agent_id: 'scout', owner_id: 'acme' }))).toBe('closed');
    expect(await codeOf(orchestrator.resolve(taskId, 'x', 1, by))).toBe('closed');
    expect(await codeOf(orchestrator.cancel(taskId, by))).toBe('closed');
    expect(await codeOf(orchestrator.tell(taskId, {}, by))).toBe('closed');
    expect(await codeOf(orchestrator.settled(taskId))).toBe('closed');
  });

  it.each(['model', 'read', 'write', 'verifier', 'policy', 'rollback'])(
    'records nothing for a %s that it aborted itself',
    async (where) => {
      const hang = (name: string) => (signal: AbortSignal) => (name === where ? never(signal) : null);
      const scenario = scene({
        model: (turn, signal) =>
          hang('model')(signal) ??
          (turn.asks === 'plan'
            ? plan([call('read'), call('write'), ...(where === 'rollback' ? [call('refuse')] : [])])
            : draft()),
        tools: [
          readTool('read', { call: (_, { signal }) => hang('read')(signal) }),
          writeTool('write', {
            call: (_, { signal }) => hang('write')(signal),
            rollback: {
              describe: () => ({ type: 'inverse', target: 'x', payload: {} }),
              run: async (_, { signal }) => hang('rollback')(signal),
            },
          }),
          writeTool('refuse', { call: (_, { notDone }) => notDone('no') }),
        ],
        policy: (_, signal) => hang('policy')(signal) ?? { verdict: 'allow', reasons: [] },
        verifiers: { mails: (subject, signal) => hang('verifier')(signal) ?? passes(subject, signal) },
        taskClass: { beforeDeliver: { verifiers: ['mails'] }, limits: { repairs: 0 } },
      });
      const taskId = await scenario.submit();
      const before = await scenario.orchestrator.ledger(taskId);
      expect(await scenario.orchestrator.list()).toMatchObject([{ isSettled: false }]);
      await scenario.orchestrator.close();
      await settle();
      expect(await scenario.store.records(taskId)).toEqual(before);
      expect(scenario.clock.sleeping()).toBe(0);
    },
  );

  it('records an effect that completes while it is being aborted', async () => {
    const scenario = scene({
      model: [plan([call('write')])],
      tools: [
        writeTool('write', {
          call: (_, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve({ written: 'half' }));
            }),
        }),
      ],
    });
    const taskId = await scenario.submit();
    await scenario.orchestrator.close();
    expect((await scenario.store.records(taskId)).at(-1)).toMatchObject({
      kind: 'fact',
      fact: { type: 'call.succeeded' },
    });
  });

  it('stops waiting for a tool that ignores its signal, and ignores its late result', async () => {
    const answer = later();
    const scenario = scene({
      model: [plan([call('deaf')])],
      tools: [writeTool('deaf', { call: () => answer.promise })],
    });
    const taskId = await scenario.submit();
    const closed = scenario.orchestrator.close();
    await scenario.clock.advance(1_000);
    await closed;
    const before = await scenario.store.records(taskId);
    answer.resolve({ ok: true });
    await settle();
    expect(await scenario.store.records(taskId)).toEqual(before);
    expect(scenario.takeErrors()).toMatchObject([{ code: 'closed' }]);
  });

  it('waits for an answer that is being recorded', async () => {
    const scenario = scene({ model: [plan([], { confidence: 0.1 })] });
    const taskId = await scenario.submit();
    const answered = scenario.answer('approve', undefined, { to: await scenario.question() });
    await scenario.orchestrator.close();
    await answered;
    expect((await scenario.store.records(taskId)).some(({ fact }) => fact?.type === 'human.responded')).toBe(
      true,
    );
  });

  it('closes once and returns the same promise to every caller', async () => {
    let closes = 0;
    const clock = simulatedClock();
    const store = { ...brittleStore(), close: async () => void (closes += 1) };
    const { orchestrator } = scene({ options: { store, clock } });
    await Promise.all([orchestrator.close(), orchestrator.close(), orchestrator[Symbol.asyncDispose]()]);
    expect(closes).toBe(1);
    expect(clock.sleeping()).toBe(0);
  });

  it('works with `await using` and leaves no timer that keeps the process alive', async () => {
    const before = timers();
    const received: string[] = [];
    {
      await using orchestrator = createOrchestrator({
        taskClasses: [defineTaskClass({ id: 'work', tools: [] })],
        model: { answer: async () => plan([], { confidence: 0.1 }) },
      });
      orchestrator.on('question', ({ question }) => received.push(question.kind));
      await orchestrator.submit({ ...request, taskClass: 'work' });
      await settle();
    }
    expect(received).toEqual(['plan']);
    expect(timers()).toBeLessThanOrEqual(Math.max(before, 1)); // vitest's own
  });
});
