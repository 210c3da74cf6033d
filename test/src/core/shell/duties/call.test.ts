import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../../../src/index.ts';
import { scene } from '../scene.ts';
import { call, draft, later, never, plan, readTool, writeTool } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

const minute = 60_000;
const breaks = () => {
  throw new Error('connection reset');
};
const noRepair = { limits: { repairs: 0 } };

describe('a read that throws', () => {
  it('is repaired: the model sees the error, and its next attempt may deliver', async () => {
    const one = scene({
      model: ({ asks, attempt }) =>
        asks === 'draft' ? draft() : plan([call(attempt === 0 ? 'bad' : 'good')]),
      tools: [readTool('bad', { call: breaks }), readTool('good')],
    });
    expect(await one.ended(await one.submit())).toMatchObject({ outcome: 'success' });
    expect(one.turns.find(({ attempt }) => attempt === 1)?.unmet).toMatchObject([{ code: 'TOOL_FAILED' }]);
  });

  it('fails safe when no repair is left', async () => {
    const one = scene({
      model: [plan([call('bad')])],
      tools: [readTool('bad', { call: breaks })],
      taskClass: noRepair,
    });
    const settled = await one.ended(await one.submit());
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
    const one = scene({
      model: [plan([call('bad')])],
      tools: [readTool('bad', { call: () => Promise.reject(thrown) })],
      taskClass: noRepair,
    });
    const taskId = await one.submit();
    expect(await one.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_FAILED' }] });
    const records = await one.orchestrator.ledger(taskId);
    const failed = records.find(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toMatch(/^[^\p{Cc}\p{Surrogate}]+$/u);
  });
});

const doubted = async () => {
  let isBroken = true;
  const one = scene({
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write', { call: () => (isBroken ? breaks() : { ok: true }) })],
    taskClass: noRepair,
  });
  const taskId = await one.submit();
  isBroken = false;
  return { ...one, taskId };
};

describe('the effect of a write that throws', () => {
  it('is unknown: a person is asked', async () => {
    const { question, stateOf, taskId } = await doubted();
    expect(stateOf(taskId)).toBe('needsHumanDecision');
    expect(await question()).toMatchObject({ question: { kind: 'doubt' } });
  });

  it('happened: the write is adopted, and not made again', async () => {
    const { answer, ended, taskId, invocations, undone, orchestrator } = await doubted();
    await answer('approve');
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations).toHaveLength(1);
    expect(undone).toEqual([]);
    expect(await orchestrator.inbox()).toEqual([]);
  });

  it('did not happen: the write is made again', async () => {
    const { answer, ended, taskId, invocations } = await doubted();
    await answer('edit', { value: 'absent' });
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations).toHaveLength(2);
  });

  it('did not happen and must not: the call fails', async () => {
    const { answer, ended, taskId, invocations } = await doubted();
    await answer('reject');
    expect(await ended(taskId)).toMatchObject({ state: 'failed', outcome: 'failure' });
    expect(invocations).toHaveLength(1);
  });

  it('stays unknown: the run fails safe and says that the write may have happened', async () => {
    const { clock, ended, taskId } = await doubted();
    await clock.advance(7 * 24 * 60 * minute);
    const { reasons, message } = await ended(taskId);
    expect(reasons.map(({ code }) => code)).toEqual(['QUESTION_EXPIRED', 'EFFECT_IN_DOUBT']);
    expect(message.payload['reasonCodes']).toEqual(['QUESTION_EXPIRED', 'EFFECT_IN_DOUBT']);
  });
});

describe('a tool', () => {
  it('reports notDone: the write fails without doubt', async () => {
    const one = scene({
      model: [plan([call('write')])],
      tools: [writeTool('write', { call: (_, { notDone }) => notDone('no funds') })],
      taskClass: noRepair,
    });
    const taskId = await one.submit();
    expect(await one.ended(taskId)).toMatchObject({
      outcome: 'failure',
      reasons: [{ code: 'TOOL_FAILED' }],
    });
    expect(await one.facts(taskId)).toContain('call.failed');
  });

  it('reports notYet: the task waits and repeats the call under the same key, with the result', async () => {
    const one = scene({
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
    const taskId = await one.submit();
    expect(one.stateOf(taskId)).toBe('waiting');
    expect(await one.states(taskId)).toEqual(['submitted', 'waiting']);
    await one.orchestrator.resolve(taskId, 'nightly', { rows: 3 }, { by: 'scheduler' });
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(one.invocations.map(({ met }) => met)).toEqual([null, { rows: 3 }]);
    expect(new Set(one.invocations.map(({ key }) => key)).size).toBe(1);
  });

  it('reports notYet for a dependency that never resolves: the call times out', async () => {
    const one = scene({
      model: [plan([call('export')])],
      tools: [
        readTool('export', { call: (_, { notYet }) => notYet({ dependency: 'nightly', explanation: '' }) }),
      ],
      taskClass: { ...noRepair, deadlines: { dependency: minute } },
    });
    const taskId = await one.submit();
    await one.clock.advance(minute);
    expect(await one.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
    await expect(one.orchestrator.resolve(taskId, 'nightly', 1, { by: 'scheduler' })).rejects.toMatchObject({
      code: 'fact_refused',
    });
  });

  it.each(['unknown', 'constructor', '__proto__', ''])(
    'rejects a dependency that no call waits for: %j',
    async (name) => {
      const one = scene({
        model: [plan([call('export')])],
        tools: [
          readTool('export', { call: (_, { notYet }) => notYet({ dependency: 'nightly', explanation: '' }) }),
        ],
      });
      const taskId = await one.submit();
      const refused = { code: 'fact_refused', details: { accepts: ['dependency.met', 'task.cancelled'] } };
      const sent = one.orchestrator.resolve(taskId, name, 1, { by: 'scheduler' });
      await expect(sent).rejects.toMatchObject(name === '' ? { code: 'document_invalid' } : refused);
      if (name !== '')
        await expect(sent).rejects.toThrow('send dependency.met of "nightly" or task.cancelled');
      expect(one.stateOf(taskId)).toBe('waiting');
    },
  );

  it.each(['constructor', '__proto__', 'toString'])('accepts the dependency name %j', async (name) => {
    const one = scene({
      model: [plan([call('export')]), draft()],
      tools: [
        readTool('export', {
          call: (_, { met, notYet }) => (met === null ? notYet({ dependency: name, explanation: '' }) : met),
        }),
      ],
    });
    const taskId = await one.submit();
    await one.orchestrator.resolve(taskId, name, 'here', { by: 'scheduler' });
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('reports needsHuman: the task asks the question in the tool’s words', async () => {
    const one = scene({
      model: [plan([call('ask')]), draft()],
      tools: [
        readTool('ask', {
          call: (_, { answer, needsHuman }) =>
            answer === null ? needsHuman({ explanation: 'Which one?', payload: { of: [1, 2] } }) : answer,
        }),
      ],
    });
    await one.submit();
    expect((await one.question()).message).toMatchObject({
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
    ['a question without a reason', ({ needsHuman }) => needsHuman({ explanation: undefined as never })],
    ['a refusal without an explanation', ({ notDone }) => notDone(undefined as never)],
  ])('fails its call when it returns %s', async (_, say) => {
    const one = scene({
      model: [plan([call('odd')])],
      tools: [readTool('odd', { call: (_input, context) => say(context) })],
      taskClass: noRepair,
    });
    expect(await one.ended(await one.submit())).toMatchObject({ reasons: [{ code: 'TOOL_FAILED' }] });
  });

  it('reports notYet in two calls: one dependency releases both', async () => {
    const one = scene({
      model: [plan([call('export'), call('export', { amount: 2 })]), draft()],
      tools: [
        readTool('export', {
          call: (_input, { met, notYet }) =>
            met === null ? notYet({ dependency: 'nightly', explanation: '' }) : met,
        }),
      ],
    });
    const taskId = await one.submit();
    await one.orchestrator.resolve(taskId, 'nightly', { rows: 3 }, { by: 'scheduler' });
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(one.invocations.map(({ met }) => met)).toEqual([null, null, { rows: 3 }, { rows: 3 }]);
  });

  it('returns a plain object that looks like a signal: it is an ordinary result', async () => {
    const one = scene({
      model: [plan([call('odd')]), draft()],
      tools: [readTool('odd', { call: () => ({ kind: 'notDone', explanation: 'no' }) })],
    });
    const taskId = await one.submit();
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(await one.facts(taskId)).toContain('call.succeeded');
  });
});

describe('a tool that hangs', () => {
  it('is aborted at its deadline: the read fails, and its late result is recorded as an orphan', async () => {
    const answer = later();
    const one = scene({
      model: [plan([call('slow')])],
      tools: [readTool('slow', { deadline: minute, call: () => answer.promise })],
      taskClass: noRepair,
    });
    const taskId = await one.submit();
    await one.clock.advance(minute);
    expect(await one.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
    answer.resolve({ late: true });
    await settle();
    expect((await one.orchestrator.ledger(taskId)).at(-1)).toMatchObject({
      kind: 'orphan',
      fact: { type: 'call.succeeded' },
      brought: { evidence: { payload: { late: true } } },
    });
  });

  it('sees the abort signal', async () => {
    let isTold = false;
    const one = scene({
      model: [plan([call('slow')])],
      tools: [readTool('slow', { call: (_, { signal }) => never(signal, () => (isTold = true)) })],
      taskClass: { ...noRepair, deadlines: { call: minute } },
    });
    const taskId = await one.submit();
    await one.clock.advance(minute);
    expect(isTold).toBe(true);
    expect(await one.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
  });

  it('leaves a write in doubt; its late success resolves the doubt and closes the question', async () => {
    const answer = later();
    const one = scene({
      model: [plan([call('slow')]), draft()],
      tools: [writeTool('slow', { call: () => answer.promise })],
    });
    const taskId = await one.submit();
    await one.clock.advance(minute);
    expect(await one.question()).toMatchObject({ question: { kind: 'doubt' } });
    answer.resolve({ late: true });
    await settle();
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(one.invocations).toHaveLength(1);
  });

  it('records a write that lands after its task settled', async () => {
    const answer = later();
    const one = scene({
      model: [plan([call('slow')])],
      tools: [writeTool('slow', { call: () => answer.promise })],
      taskClass: { deadlines: { question: minute } },
    });
    const taskId = await one.submit();
    await one.clock.advance(3 * minute);
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'uncertain' });
    answer.resolve({ late: true });
    await settle();
    expect((await one.orchestrator.ledger(taskId)).at(-1)).toMatchObject({ kind: 'orphan' });
  });

  it.each<[string, (late: ReturnType<typeof later>, say: CallContext) => void]>([
    ['that it did not happen', (late, { notDone }) => late.resolve(notDone('no funds'))],
    ['nothing but an error', (late) => late.reject(new Error('reset'))],
    ['that it must wait', (late, { notYet }) => late.resolve(notYet({ dependency: 'x', explanation: '' }))],
  ])('is ignored after a person had the call repeated: it reports %s', async (_, speak) => {
    const [first, second] = [later(), later()];
    let context: CallContext | undefined;
    const one = scene({
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
    const taskId = await one.submit();
    await one.clock.advance(minute);
    await one.answer('edit', { value: 'absent' });
    expect(one.invocations).toHaveLength(2);
    speak(first, context!);
    await settle();
    expect((await one.orchestrator.ledger(taskId)).at(-1)?.kind).not.toBe('fact');
    expect(one.stateOf(taskId)).toBe('submitted.execute.calling');
    second.resolve({ ok: true });
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  });
});
