import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../../src/index.ts';
import { scene } from '../scene.ts';
import { call, draft, later, never, plan, readTool, writeTool } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

const minute = 60_000;
const breaks = () => {
  throw new Error('connection reset');
};
const noRepair = { limits: { repairs: 0 } };

describe('a read that throws', () => {
  it('is repaired: the model sees why, and its next attempt may deliver', async () => {
    const told = scene({
      model: ({ asks, attempt }) =>
        asks === 'draft' ? draft() : plan([call(attempt === 0 ? 'bad' : 'good')]),
      tools: [readTool('bad', { call: breaks }), readTool('good')],
    });
    expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'success' });
    expect(told.turns.find(({ attempt }) => attempt === 1)?.unmet).toMatchObject([{ code: 'TOOL_FAILED' }]);
  });

  it('fails safe where no repair is left', async () => {
    const told = scene({
      model: [plan([call('bad')])],
      tools: [readTool('bad', { call: breaks })],
      taskClass: noRepair,
    });
    const settled = await told.ended(await told.submit());
    expect(settled).toMatchObject({
      state: 'failed',
      outcome: 'failure',
      reasons: [{ code: 'TOOL_FAILED' }],
    });
  });

  it.each([
    ['nothing', undefined],
    ['text', 'no'],
    ['an error that cannot be read', Object.defineProperty(new Error('x'), 'message', { get: breaks })],
    ['control characters', new Error('a\u0000\nb\u001b[31m')],
    ['half a character', new Error(`${'x'.repeat(492)}\u{1f600}`)],
  ])('may throw %s', async (_, thrown) => {
    const told = scene({
      model: [plan([call('bad')])],
      tools: [readTool('bad', { call: () => Promise.reject(thrown) })],
      taskClass: noRepair,
    });
    const taskId = await told.submit();
    expect(await told.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_FAILED' }] });
    const records = await told.orchestrator.ledger(taskId);
    const failed = records.find(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toMatch(/^[^\p{Cc}\p{Surrogate}]+$/u);
  });
});

const doubted = async () => {
  let isBroken = true;
  const told = scene({
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write', { call: () => (isBroken ? breaks() : { ok: true }) })],
    taskClass: noRepair,
  });
  const taskId = await told.submit();
  isBroken = false;
  return { ...told, taskId };
};

describe('a write that throws', () => {
  it('may have happened: a person is asked', async () => {
    const { question, stateOf, taskId } = await doubted();
    expect(stateOf(taskId)).toBe('needsHumanDecision');
    expect(await question()).toMatchObject({ question: { kind: 'doubt' } });
  });

  it('happened: it counts as done, and is rolled back if the run fails', async () => {
    const { answer, ended, taskId, invocations, undone, orchestrator } = await doubted();
    await answer('approve');
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations).toHaveLength(1);
    expect(undone).toEqual([]);
    expect(await orchestrator.inbox()).toEqual([]);
  });

  it('did not happen: it is made again', async () => {
    const { answer, ended, taskId, invocations } = await doubted();
    await answer('edit', { value: 'absent' });
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations).toHaveLength(2);
  });

  it('did not happen and must not: it has failed', async () => {
    const { answer, ended, taskId, invocations } = await doubted();
    await answer('reject');
    expect(await ended(taskId)).toMatchObject({ state: 'failed', outcome: 'failure' });
    expect(invocations).toHaveLength(1);
  });

  it('nobody knows: it fails safe, and says that it may have happened', async () => {
    const { clock, ended, taskId } = await doubted();
    await clock.advance(7 * 24 * 60 * minute);
    const { reasons, message } = await ended(taskId);
    expect(reasons.map(({ code }) => code)).toEqual(['QUESTION_EXPIRED', 'EFFECT_IN_DOUBT']);
    expect(message.payload['reasonCodes']).toEqual(['QUESTION_EXPIRED', 'EFFECT_IN_DOUBT']);
  });
});

describe('what a tool may say instead of a result', () => {
  it('notDone: a write that did not happen leaves no doubt', async () => {
    const told = scene({
      model: [plan([call('write')])],
      tools: [writeTool('write', { call: (_, { notDone }) => notDone('no funds') })],
      taskClass: noRepair,
    });
    const taskId = await told.submit();
    expect(await told.ended(taskId)).toMatchObject({
      outcome: 'failure',
      reasons: [{ code: 'TOOL_FAILED' }],
    });
    expect(await told.facts(taskId)).toContain('call.failed');
  });

  it('notYet: the task waits, and the call is made again, under the same key, with what came', async () => {
    const told = scene({
      model: [plan([call('export')]), draft()],
      tools: [
        writeTool('export', {
          call: (_, { met, notYet }) =>
            met === null
              ? notYet({ dependency: 'nightly', explanation: 'The export runs at night.' })
              : { met },
        }),
      ],
    });
    const taskId = await told.submit();
    expect(told.stateOf(taskId)).toBe('waiting');
    expect(await told.states(taskId)).toEqual(['submitted', 'waiting']);
    await told.orchestrator.resolve(taskId, 'nightly', { rows: 3 }, { by: 'scheduler' });
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.invocations.map(({ met }) => met)).toEqual([null, { rows: 3 }]);
    expect(new Set(told.invocations.map(({ key }) => key)).size).toBe(1);
  });

  it('notYet: a dependency that never comes is a timeout', async () => {
    const told = scene({
      model: [plan([call('export')])],
      tools: [
        readTool('export', { call: (_, { notYet }) => notYet({ dependency: 'nightly', explanation: '' }) }),
      ],
      taskClass: { ...noRepair, deadlines: { dependency: minute } },
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    expect(await told.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
    await expect(told.orchestrator.resolve(taskId, 'nightly', 1, { by: 'scheduler' })).rejects.toMatchObject({
      code: 'fact_refused',
    });
  });

  it.each(['unknown', 'constructor', '__proto__', ''])(
    'a dependency that nobody waits for is refused: %j',
    async (name) => {
      const told = scene({
        model: [plan([call('export')])],
        tools: [
          readTool('export', { call: (_, { notYet }) => notYet({ dependency: 'nightly', explanation: '' }) }),
        ],
      });
      const taskId = await told.submit();
      await expect(told.orchestrator.resolve(taskId, name, 1, { by: 'scheduler' })).rejects.toMatchObject({
        code: name === '' ? 'document_invalid' : 'fact_refused',
      });
      expect(told.stateOf(taskId)).toBe('waiting');
    },
  );

  it.each(['constructor', '__proto__', 'toString'])('a dependency may have the name %j', async (name) => {
    const told = scene({
      model: [plan([call('export')]), draft()],
      tools: [
        readTool('export', {
          call: (_, { met, notYet }) => (met === null ? notYet({ dependency: name, explanation: '' }) : met),
        }),
      ],
    });
    const taskId = await told.submit();
    await told.orchestrator.resolve(taskId, name, 'here', { by: 'scheduler' });
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('needsHuman: the task asks, in the words of the tool', async () => {
    const told = scene({
      model: [plan([call('ask')]), draft()],
      tools: [
        readTool('ask', {
          call: (_, { answer, needsHuman }) =>
            answer === null ? needsHuman({ explanation: 'Which one?', payload: { of: [1, 2] } }) : answer,
        }),
      ],
    });
    await told.submit();
    expect((await told.question()).message).toMatchObject({
      explanation: 'Which one?',
      payload: { of: [1, 2] },
    });
  });

  it.each<[string, (context: CallContext) => unknown]>([
    ['a dependency without a name', ({ notYet }) => notYet({ dependency: '', explanation: '' })],
    ['a dependency on two lines', ({ notYet }) => notYet({ dependency: 'a\nb', explanation: '' })],
    ['an agent without a name', ({ notYet }) => notYet({ dependency: 'a', agent: '', explanation: '' })],
    [
      'a question that cannot be read',
      ({ needsHuman }) => needsHuman({ explanation: 'x', payload: { f: () => 1 } }),
    ],
    ['a question without words', ({ needsHuman }) => needsHuman({ explanation: undefined as never })],
    ['a refusal without words', ({ notDone }) => notDone(undefined as never)],
  ])('%s is a failed call', async (_, say) => {
    const told = scene({
      model: [plan([call('odd')])],
      tools: [readTool('odd', { call: (_input, context) => say(context) })],
      taskClass: noRepair,
    });
    expect(await told.ended(await told.submit())).toMatchObject({ reasons: [{ code: 'TOOL_FAILED' }] });
  });

  it('notYet: two calls may wait for one dependency, which releases both', async () => {
    const told = scene({
      model: [plan([call('export'), call('export', { amount: 2 })]), draft()],
      tools: [
        readTool('export', {
          call: (_input, { met, notYet }) =>
            met === null ? notYet({ dependency: 'nightly', explanation: '' }) : met,
        }),
      ],
    });
    const taskId = await told.submit();
    await told.orchestrator.resolve(taskId, 'nightly', { rows: 3 }, { by: 'scheduler' });
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.invocations.map(({ met }) => met)).toEqual([null, null, { rows: 3 }, { rows: 3 }]);
  });

  it('an imitation of it is a result like any other', async () => {
    const told = scene({
      model: [plan([call('odd')]), draft()],
      tools: [readTool('odd', { call: () => ({ kind: 'notDone', explanation: 'no' }) })],
    });
    const taskId = await told.submit();
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(await told.facts(taskId)).toContain('call.succeeded');
  });
});

const odd: readonly (readonly [string, unknown])[] = [
  ['a function', () => 1],
  [
    'a getter',
    {
      get value() {
        return 1;
      },
    },
  ],
  ['a proxy', new Proxy({}, { ownKeys: breaks })],
  ['a date', new Date(0)],
  ['a big integer', 1n],
  ['NaN', NaN],
  ['__proto__', JSON.parse('{"__proto__": 1}')],
  ['a map', new Map()],
];

describe('a result that is not JSON', () => {
  it.each(odd)('of a read is a failed call: %s', async (_, result) => {
    const told = scene({
      model: [plan([call('odd')])],
      tools: [readTool('odd', { call: () => result })],
      taskClass: noRepair,
    });
    expect(await told.ended(await told.submit())).toMatchObject({ reasons: [{ code: 'TOOL_FAILED' }] });
  });

  it.each(odd)('of a write leaves its effect in doubt: %s', async (_, result) => {
    const told = scene({ model: [plan([call('odd')])], tools: [writeTool('odd', { call: () => result })] });
    await told.submit();
    expect(await told.question()).toMatchObject({ question: { kind: 'doubt' } });
  });

  it('is told apart from none: nothing is null', async () => {
    const told = scene({
      model: [plan([call('quiet')]), draft()],
      tools: [readTool('quiet', { call: () => undefined })],
    });
    const taskId = await told.submit();
    await told.ended(taskId);
    const [evidence] = (await told.orchestrator.documents(taskId)).filter(
      ({ name }) => name === 'EvidenceObject',
    );
    expect(evidence?.document).toMatchObject({ payload: null, source: 'quiet' });
  });
});

describe('a tool that hangs', () => {
  it('is aborted at its deadline: a read has failed, and its late result is kept as an orphan', async () => {
    const answer = later();
    const told = scene({
      model: [plan([call('slow')])],
      tools: [readTool('slow', { deadline: minute, call: () => answer.promise })],
      taskClass: noRepair,
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    expect(await told.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
    answer.resolve({ late: true });
    await settle();
    expect((await told.orchestrator.ledger(taskId)).at(-1)).toMatchObject({
      kind: 'orphan',
      fact: { type: 'call.succeeded' },
      brought: { evidence: { payload: { late: true } } },
    });
  });

  it('sees the signal', async () => {
    let isTold = false;
    const told = scene({
      model: [plan([call('slow')])],
      tools: [readTool('slow', { call: (_, { signal }) => never(signal, () => (isTold = true)) })],
      taskClass: { ...noRepair, deadlines: { call: minute } },
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    expect(isTold).toBe(true);
    expect(await told.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
  });

  it('leaves a write in doubt; its late success settles the doubt and closes the question', async () => {
    const answer = later();
    const told = scene({
      model: [plan([call('slow')]), draft()],
      tools: [writeTool('slow', { call: () => answer.promise })],
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    expect(await told.question()).toMatchObject({ question: { kind: 'doubt' } });
    answer.resolve({ late: true });
    await settle();
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.invocations).toHaveLength(1);
  });

  it('whose write lands after its task has settled is on record', async () => {
    const answer = later();
    const told = scene({
      model: [plan([call('slow')])],
      tools: [writeTool('slow', { call: () => answer.promise })],
      taskClass: { deadlines: { question: minute } },
    });
    const taskId = await told.submit();
    await told.clock.advance(3 * minute);
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'uncertain' });
    answer.resolve({ late: true });
    await settle();
    expect((await told.orchestrator.ledger(taskId)).at(-1)).toMatchObject({ kind: 'orphan' });
  });

  it.each<[string, (late: ReturnType<typeof later>, say: CallContext) => void]>([
    ['that it did not happen', (late, { notDone }) => late.resolve(notDone('no funds'))],
    ['nothing but an error', (late) => late.reject(new Error('reset'))],
    ['that it must wait', (late, { notYet }) => late.resolve(notYet({ dependency: 'x', explanation: '' }))],
  ])(
    'and is called again by a person’s word does not speak for its successor: it says %s',
    async (_, speak) => {
      const [first, second] = [later(), later()];
      let context: CallContext | undefined;
      const told = scene({
        model: [plan([call('slow')]), draft()],
        tools: [
          writeTool('slow', {
            call: (_input, given) => {
              if (context !== undefined) return second.promise;
              context = given;
              return first.promise;
            },
          }),
        ],
        taskClass: noRepair,
      });
      const taskId = await told.submit();
      await told.clock.advance(minute);
      await told.answer('edit', { value: 'absent' });
      expect(told.invocations).toHaveLength(2);
      speak(first, context!);
      await settle();
      expect((await told.orchestrator.ledger(taskId)).at(-1)?.kind).not.toBe('fact');
      expect(told.stateOf(taskId)).toBe('submitted.execute.calling');
      second.resolve({ ok: true });
      expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    },
  );
});
