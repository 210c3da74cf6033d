import { describe, expect, it } from 'vitest';
import { call, draft, readTool, scriptedPolicy, writeTool } from '../../core/shell/scripted.ts';
import { trusting } from '../../core/shell/approvals.ts';
import { fixtureOf, type FixtureOptions } from './fixture.ts';
import { accept, eras, type Person, type Server, type Shown } from './served.ts';

type Era = keyof typeof eras;
const read = readTool('look');
const high = writeTool('send', { tier: 'write_high_risk' });

const setUp = async (era: Era, fixtureOptions: FixtureOptions = {}, given: Server = {}) => {
  const effects: unknown[] = [];
  const tools = [read, { ...high, call: async (input: unknown) => effects.push(input) }];
  const fixture = fixtureOf(tools, fixtureOptions);
  const client = await eras[era](fixture.orchestrator, given);
  const ask = (meta: object = {}) =>
    client.callTool({ name: 'research', arguments: { topic: 'tides' }, _meta: { ...meta } });
  return { ...fixture, client, ask, effects };
};

const sending = { calls: [call('send', { amount: 7 })] };
const textOf = (result: object): string => ('content' in result ? JSON.stringify(result.content) : '');

const approving: Person = () => accept({ answer: 'approve' });
const followup = () => ({ explanation: 'Shorter?', payload: {}, byDefault: {} });

describe.each(Object.keys(eras) as Era[])('A task class as a tool, over %s', (era) => {
  it('returns the delivered answer and the task id', async () => {
    const { ask, orchestrator } = await setUp(era, { calls: [call('look')] });
    const result = await ask();
    const [task] = await orchestrator.list();
    expect(result).toMatchObject({
      structuredContent: { done: true },
      _meta: { 'agentcharter/task': task?.taskId, 'agentcharter/state': 'completed' },
    });
    expect(result.isError).not.toBe(true);
  });

  it('returns an undelivered task as an error, with its reasons', async () => {
    const fixtureOptions = { ...sending, options: { policy: scriptedPolicy('deny').policy } };
    const { ask } = await setUp(era, fixtureOptions);
    const result = await ask();
    expect(result).toMatchObject({ isError: true, _meta: { 'agentcharter/state': 'failed' } });
    expect(textOf(result)).toContain('The policy does not allow the action.');
    expect(JSON.stringify(result.structuredContent)).toContain('POLICY_BLOCKED');
  });

  it('asks the person behind the client, and continues with the answer', async () => {
    const shown: Shown[] = [];
    const person: Person = (form) => {
      shown.push(form);
      return accept({ answer: 'approve' });
    };
    const { ask, effects, orchestrator } = await setUp(era, sending, { person });
    expect(await ask()).toMatchObject({ structuredContent: { done: true } });
    expect(effects).toEqual([{ amount: 7 }]);
    expect(shown.length).toBe(1);
    expect(shown[0]?.message).toContain('Call send with amount 7.');
    expect(shown[0]?.message).toContain('"amount": 7');
    expect(shown[0]?.message).toContain('approve: The write is made, as shown.');
    expect(Object.keys(shown[0]?.requestedSchema.properties ?? {})).toEqual(['answer', 'text', 'value']);
    const [task] = await orchestrator.list();
    const records = await orchestrator.ledger(task?.taskId ?? '');
    expect(records.some(({ actor }) => actor.kind === 'human' && actor.id === 'kim')).toBe(true);
  });

  it('asks again when an answer does not fit, and says why', async () => {
    const notes: string[] = [];
    const answers = [
      { answer: 'edit', value: 'not JSON' },
      { answer: 'instruction' },
      { answer: 'reject', text: 'Not today.' },
    ];
    const person: Person = ({ message }) => {
      notes.push(message);
      return accept(answers.shift() ?? {});
    };
    const { ask, effects } = await setUp(era, sending, { person });
    await ask();
    expect(notes[1]).toContain('This answer was not accepted: value is not read: it is not JSON');
    expect(notes[2]).toContain('This answer was not accepted');
    expect(notes.length).toBe(3);
    expect(effects).toEqual([]);
  });

  it.each([['decline'], ['cancel']])('treats %s as no answer, and keeps the task waiting', async (action) => {
    const { ask, orchestrator, effects, answer } = await setUp(era, sending, {
      person: () => ({ action }),
    });
    const result = await ask({ 'agentcharter/key': 'order-7' });
    expect(result).toMatchObject({ isError: true, _meta: { 'agentcharter/state': 'needsHumanDecision' } });
    expect(textOf(result)).toContain('answers at https://console.example');
    const [entry] = await orchestrator.inbox();
    if (entry !== undefined) await answer(entry, 'approve');
    expect(await ask({ 'agentcharter/key': 'order-7' })).toMatchObject({
      structuredContent: { done: true },
    });
    expect((await orchestrator.list()).length).toBe(1);
    expect(effects.length).toBe(1);
  });

  it.each([
    ['whose client shows no forms', {}],
    ['whose host names no person', { person: approving, options: { by: () => null } }],
  ] as const)('asks no person %s', async (_, given) => {
    const { ask, effects, orchestrator } = await setUp(era, sending, given);
    expect(textOf(await ask())).toContain('waits for a person');
    expect(effects).toEqual([]);
    expect((await orchestrator.inbox()).length).toBe(1);
  });

  it('refuses an answer of the calling agent', async () => {
    const given = { person: approving, options: { by: () => 'recommender' } };
    const { ask, effects } = await setUp(era, sending, given);
    expect(textOf(await ask())).toContain('recommender may not answer the ');
    expect(effects).toEqual([]);
  });

  it('accepts only a signed approval if one is required', async () => {
    const fields: string[][] = [];
    const answers = [{ answer: 'approve' }, { answer: 'approve', token: 'kim' }];
    const person: Person = ({ requestedSchema }) => {
      fields.push(Object.keys(requestedSchema.properties));
      return accept(answers.shift() ?? {});
    };
    const fixtureOptions = {
      ...sending,
      taskClass: { authorities: ['approval' as const] },
      options: { approvals: trusting },
    };
    const { ask, effects } = await setUp(era, fixtureOptions, { person });
    expect(await ask()).toMatchObject({ structuredContent: { done: true } });
    expect(fields.map((names) => names.includes('token'))).toEqual([true, true]);
    expect(effects.length).toBe(1);
  });

  it('links its own trace to the caller’s, and to nothing if that is unreadable', async () => {
    const { ask, orchestrator } = await setUp(era, { calls: [] });
    const traceId = 'a'.repeat(32);
    const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`;
    await ask({ traceparent });
    await ask({ traceparent: 'nonsense' });
    const firsts = await Promise.all(
      (await orchestrator.list()).map(async ({ taskId }) => (await orchestrator.ledger(taskId))[0]),
    );
    expect(firsts.map((first) => first?.brought.request?.linkedTraces)).toEqual([[{ traceparent }], []]);
    expect(firsts.map((first) => first?.trace_id)).not.toContain(traceId);
  });

  it('cancels its task when its call is cancelled', async () => {
    const { client, orchestrator } = await setUp(era, { model: () => new Promise(() => {}) });
    const begun = new Promise<string>((resolve) => {
      orchestrator.on('record', ({ taskId, to }) => to.includes('proposing') && resolve(taskId));
    });
    const over = new AbortController();
    const params = { name: 'research', arguments: { topic: 'tides' } };
    const options = { signal: over.signal };
    const called =
      'getProtocolEra' in client
        ? client.callTool(params, options)
        : client.callTool(params, undefined, options);
    const refused = expect(called).rejects.toThrow();
    const taskId = await begun;
    over.abort('enough');
    await refused;
    expect(await orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
  });

  it('delivers without waiting for an optional refinement', async () => {
    const { ask } = await setUp(era, { calls: [], taskClass: { followup } });
    expect(await ask()).toMatchObject({
      structuredContent: draft().payload,
      _meta: { 'agentcharter/state': 'followup' },
    });
  });
});
