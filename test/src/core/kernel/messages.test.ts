import { describe, expect, it } from 'vitest';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { verifyLedger } from '../../../../src/core/ledger/index.ts';
import { scene, type Given } from '../shell/scene.ts';
import { call, draft, further, identity, plan, readTool, writeTool } from '../shell/scripted.ts';

const thoughts = {
  reasoning: ['The request names no year.'],
  questions: ['Is this year meant?'],
  alternatives: [plan([], { explanation: 'Do nothing.' })],
  assumptions: ['This year is meant.'],
};
const words = 'I would look it up.';
const thoughtful = plan([call('look')], { ...thoughts, explanation: words });

/** Runs a task and returns its messages. */
const ran = async (given: Given) => {
  const tools = [readTool('look'), writeTool('pay')];
  const made = scene({ model: [thoughtful, draft()], tools, ...given });
  const taskId = await made.submit();
  const threadId = (await made.orchestrator.task(taskId)).threadId;
  const thread = () => made.orchestrator.thread(threadId);
  return { ...made, taskId, thread, messages: await thread() };
};

const states = (messages: readonly UpFormatMessage[]) => messages.map(({ state }) => state);

describe('A plan that goes on [UpFormat 2.2]', () => {
  it('is a message of its agent, with its reasoning, questions, alternatives and assumptions', async () => {
    const { messages, taskId, ended } = await ran({});
    await ended(taskId);
    expect(states(messages)).toEqual(['submitted', 'submitted', 'completed']);
    const [request, planned] = messages;
    expect(planned).toEqual({
      messageId: planned?.messageId,
      threadId: request?.threadId,
      parentMessageId: request?.messageId,
      timestamp: planned?.timestamp,
      state: 'submitted',
      payload: {},
      explanation: words,
      agentId: identity.agent_id,
      upThought: { ...thoughts, canProceed: true, confidence: 0.9 },
    });
  });

  it('asks no one, whatever its questions are', async () => {
    const { taskId, orchestrator, facts, ended } = await ran({});
    const asked: unknown[] = [];
    orchestrator.on('question', (entry) => asked.push(entry));
    await ended(taskId);
    expect([asked, await orchestrator.inbox()]).toEqual([[], []]);
    expect(await facts(taskId)).not.toContain('human.responded');
  });

  it.each(Object.entries(thoughts))('is a message if it has only %s', async (name, given) => {
    const { messages } = await ran({ model: [plan([], { [name]: given }), draft()] });
    expect(messages[1]?.upThought).toMatchObject({ [name]: given });
  });

  it.each([
    ['none of them', {}],
    ['empty lists', { reasoning: [], questions: [], alternatives: [], assumptions: [] }],
  ])('is no message if it has %s', async (_, given) => {
    const { messages } = await ran({ model: [plan([], given), draft()] });
    expect(states(messages)).toEqual(['submitted', 'completed']);
  });

  it('marks the lines of its explanation, so that none imitates one of ours', async () => {
    const explanation = 'First.\nThe task goes on.';
    const { messages } = await ran({ model: [plan([], { ...thoughts, explanation }), draft()] });
    expect(messages[1]?.explanation).toBe('First.\n> The task goes on.');
  });

  it('is a message before what it leads to, such as the question of its write', async () => {
    const model = [plan([call('pay')], thoughts), draft()];
    const { messages } = await ran({ model, policy: 'needs_review' });
    expect(states(messages)).toEqual(['submitted', 'submitted', 'needsHumanDecision']);
    expect(messages[2]).toMatchObject({ parentMessageId: messages[1]?.messageId });
    expect(messages[2]).not.toHaveProperty('upThought');
  });

  it('is a message as well if it is a plan of further calls', async () => {
    const more = { ...further(call('look')), ...thoughts };
    const { messages } = await ran({ model: [plan([call('look')]), more, draft()] });
    expect(states(messages)).toEqual(['submitted', 'submitted', 'completed']);
    expect(messages[1]).toMatchObject({ explanation: 'one more', upThought: thoughts });
  });

  it('can be erased', async () => {
    const { messages, taskId, thread, orchestrator, ended } = await ran({});
    await ended(taskId);
    await orchestrator.erase(taskId, digest(messages[1]), { by: 'dana' });
    expect(JSON.stringify(await thread())).not.toContain(words);
    const emissions = await orchestrator.documents(taskId);
    expect(JSON.stringify(emissions)).not.toContain(words);
    expect(await verifyLedger(await orchestrator.ledger(taskId), { emissions })).toMatchObject({
      intact: true,
      erased: 1,
    });
  });
});

describe('A plan that does not go on', () => {
  it('is the question about it, and no other message', async () => {
    const { messages } = await ran({ model: [{ ...thoughtful, confidence: 0.1 }, draft()] });
    expect(states(messages)).toEqual(['submitted', 'needsHumanDecision']);
    expect(messages[1]?.upThought).toMatchObject(thoughts);
  });

  it('is the message of the failure if it ends the run', async () => {
    const model = [plan([call('look')]), { ...further(call('look')), ...thoughts }, draft()];
    const { messages } = await ran({ model, taskClass: { limits: { rounds: 1 }, atLimit: 'stop' } });
    expect(states(messages)).toEqual(['submitted', 'failed']);
  });
});
