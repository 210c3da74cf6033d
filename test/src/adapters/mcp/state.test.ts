import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, draft, later, plan, writeTool } from '../../core/shell/scripted.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { fixtureOf } from './fixture.ts';
import { accept, codec, legacy, modern, type Server } from './served.ts';

const person = () => ({ action: 'cancel' });
const stateOf = (result: object): string => String('requestState' in result && result.requestState);
const answering = (requestState: string, answer = 'approve') => ({
  inputResponses: { answer: accept({ answer }) },
  requestState,
});

/** A call of a server that asks in its results, by a client that answers by hand, or by whoever holds what it holds. */
const setUp = async (given: Server = {}, verifies = true) => {
  const effects: unknown[] = [];
  const tool = writeTool('send', { tier: 'write_high_risk', call: async (input) => effects.push(input) });
  const fixture = fixtureOf([tool], { calls: [call('send', { amount: 7 })] });
  const connect = (clientId: string) =>
    modern(fixture.orchestrator, { person, clientId, ...given }, verifies);
  const client = await connect('agent-1');
  const ask = (more: object = {}, by = client) =>
    by.callTool({ name: 'research', arguments: { topic: 'tides' }, ...more }, { allowInputRequired: true });
  return { ...fixture, ask, connect, effects };
};

const delivered = { structuredContent: { done: true } };

describe.each([
  ['verifies state', true],
  ['does not verify state', false],
])('The state of a client that asks a person, with a server that %s', (_, verifies) => {
  it('carries the question, and resumes it with an answer', async () => {
    const { ask, effects } = await setUp({}, verifies);
    const asked = await ask();
    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { answer: {} } });
    expect(await ask(answering(stateOf(asked)))).toMatchObject(delivered);
    expect(effects.length).toBe(1);
  });

  it('counts once: a repeated answer gets the same result, and another answer is refused', async () => {
    const { ask, effects, orchestrator } = await setUp({}, verifies);
    const state = stateOf(await ask());
    const both = await Promise.all([ask(answering(state)), ask(answering(state))]);
    expect(both).toMatchObject([delivered, delivered]);
    const again = await ask(answering(state));
    expect(again).toMatchObject(delivered);
    expect(JSON.stringify([both, again])).not.toContain('does not count');
    const other = await ask(answering(state, 'reject'));
    expect(JSON.stringify(other.content)).toContain('This answer was not accepted');
    const [task] = await orchestrator.list();
    const answers = (await orchestrator.ledger(task?.taskId ?? '')).filter(
      ({ kind, brought }) => kind === 'fact' && brought.feedback,
    );
    expect([answers.length, effects.length, (await orchestrator.list()).length]).toEqual([1, 1, 1]);
  });

  it('is refused when it was edited, is another client’s, or comes with other arguments', async () => {
    const { ask, connect, effects, orchestrator } = await setUp({}, verifies);
    const state = stateOf(await ask());
    const [version, body = '', mac] = state.split('.');
    const editedState = Buffer.from(body, 'base64url').toString().replace('"question"', '"questiom"');
    const forged = [version, Buffer.from(editedState).toString('base64url'), mac].join('.');
    const stranger = await connect('agent-2');
    const tries = [
      () => ask(answering(forged)),
      () => ask(answering('nonsense')),
      () => ask(answering(state), stranger),
      () => ask({ ...answering(state), arguments: { topic: 'wires' } }),
    ];
    for (const attempt of tries) {
      const result = await attempt().catch((error: unknown) => ({ isError: true, content: String(error) }));
      expect(result.isError).toBe(true);
    }
    expect(effects).toEqual([]);
    expect((await orchestrator.inbox()).length).toBe(1);
    expect(await ask(answering(state))).toMatchObject(delivered);
  });

  it('is refused after it expires', async () => {
    const states = codec(1);
    const { ask, effects } = await setUp({ options: { states } }, verifies);
    const state = stateOf(await ask());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    onTestFinished(() => void vi.useRealTimers());
    const result = await ask(answering(state)).catch(() => ({ isError: true }));
    expect(result.isError).toBe(true);
    expect(effects).toEqual([]);
  });

  it('decides nothing without an answer', async () => {
    const { ask, effects } = await setUp({}, verifies);
    const result = await ask({ requestState: stateOf(await ask()) });
    expect(JSON.stringify(result.content)).toContain('No one answered');
    expect(effects).toEqual([]);
  });
});

describe('A call of an MCP client', () => {
  it('with a key belongs to its caller: the same key of another caller begins another task', async () => {
    const { ask, connect, orchestrator } = await setUp();
    const keyed = { _meta: { 'agentcharter/key': 'order-7' } };
    const stranger = await connect('agent-2');
    await ask(keyed);
    await ask(keyed);
    await ask(keyed, stranger);
    expect((await orchestrator.list()).length).toBe(2);
  });

  it.each([
    ['with a key outlives its connection', { 'agentcharter/key': 'order-7' }, 'completed'],
    ['without a key ends with its connection', {}, 'cancelled'],
  ] as const)('%s', async (_, _meta, state) => {
    const answer = later<object>();
    const fixture = fixtureOf([], { model: ({ asks }) => (asks === 'plan' ? answer.promise : draft()) });
    const client = await legacy(fixture.orchestrator, {}, 'second');
    const begun = new Promise<string>((resolve) => {
      fixture.orchestrator.on('record', ({ taskId, to }) => to.includes('proposing') && resolve(taskId));
    });
    const called = client.callTool({ name: 'research', arguments: { topic: 'tides' }, _meta });
    const lost = expect(called).rejects.toThrow('Connection closed');
    const taskId = await begun;
    await client.close();
    await lost;
    await settle();
    answer.resolve(plan());
    expect(await fixture.orchestrator.settled(taskId)).toMatchObject({ message: { state } });
  });
});
