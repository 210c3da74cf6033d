import { describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { Given } from '../shell/scene.ts';
import { fails, scene } from '../shell/scene.ts';
import { call, draft, identity, plan, readTool, writeTool } from '../shell/scripted.ts';
import { settle } from '../shell/simulated-clock.ts';

type Scene = ReturnType<typeof scene>;

/** The sender and state of each message of a task's thread. */
const sendersOf = async ({ orchestrator }: Scene, taskId: string): Promise<readonly string[]> => {
  const [task] = (await orchestrator.list()).filter((one) => one.taskId === taskId);
  return (await orchestrator.thread(task?.threadId ?? '')).map(({ agentId, state }) => `${agentId} ${state}`);
};

const asksPerson = readTool('look', {
  call: (_, { answer, needsHuman }) => answer ?? needsHuman({ explanation: 'Which one?' }),
});
const waits = readTool('delegate', {
  call: (_, { met, notYet }) =>
    met ?? notYet({ dependency: 'search', agent: 'scout', explanation: 'Scout searches.' }),
});

const scout = { agent_id: 'scout', owner_id: 'acme' };
const messageFrom = (threadId: string, more: object = {}): object => ({
  messageId: '00000000-0000-4000-8000-00000000abcd',
  threadId,
  timestamp: '2026-11-21T05:00:00Z',
  state: 'completed',
  payload: { found: 3 },
  explanation: 'Scout found three.',
  ...more,
});

const threadOf = async ({ orchestrator }: Scene): Promise<string> =>
  (await orchestrator.list())[0]?.threadId ?? '';

const followup = () => ({ explanation: 'More?', payload: {}, byDefault: {} });

const sends = (count = 1) =>
  readTool('mail', {
    call: async (_, { send }) => {
      for (let sent = 0; sent < count; sent += 1)
        await send({ state: 'completed', payload: { sent }, explanation: 'Sent.' });
      return { sent: count };
    },
  });

const received = async (more: object = {}) => {
  const made = scene({ model: [plan([call('delegate')]), draft()], tools: [waits] });
  const taskId = await made.submit();
  const threadId = await threadOf(made);
  const [request] = await made.orchestrator.thread(threadId);
  const message = messageFrom(threadId, { parentMessageId: request?.messageId, ...more });
  return { ...made, taskId, threadId, message };
};

const reviewed = async () => {
  const made = scene({
    model: [plan([call('pay', { amount: 5 })]), plan([call('pay', { amount: 1 })]), draft()],
    tools: [writeTool('pay')],
    policy: 'needs_review',
  });
  const taskId = await made.submit();
  const { message } = await made.question();
  const review = (upFeedback: object, from = { agent_id: 'critic', owner_id: 'acme' }) =>
    made.orchestrator.receive(
      messageFrom(message.threadId, { state: 'submitted', upFeedback, explanation: 'Too much.' }),
      from,
    );
  return { ...made, taskId, target: message.messageId, threadId: message.threadId, review };
};

describe('the sender of a message [UpFormat Table 1]', () => {
  it.each<[string, Given, (made: Scene, taskId: string) => Promise<unknown>, readonly string[]]>([
    [
      'the agent for its outputs, and the orchestrator for an offer and its end',
      { taskClass: { followup } },
      ({ answer }) => answer('approve'),
      [
        'recommender submitted',
        'recommender completed',
        'agentcharter followup',
        'dana submitted',
        'agentcharter completed',
      ],
    ],
    [
      'a tool that asks, a person who answers, and the orchestrator that goes on',
      { model: [plan([call('look')]), draft()], tools: [asksPerson] },
      ({ answer }) => answer('edit', { value: 1 }),
      [
        'recommender submitted',
        'look needsHumanDecision',
        'dana submitted',
        'agentcharter submitted',
        'recommender completed',
      ],
    ],
    [
      'the agent for a missing piece of information, and the person who cancels',
      { model: [{ canProceed: false, confidence: 0.9, explanation: 'Where?' }] },
      ({ orchestrator }, taskId) => orchestrator.cancel(taskId, { by: 'kim' }),
      ['recommender submitted', 'recommender needsHumanDecision', 'agentcharter submitted', 'kim cancelled'],
    ],
    [
      'the orchestrator for the action that waits for approval, and the orchestrator for the end of a rejected run',
      {
        model: [plan([call('pay')]), draft()],
        tools: [writeTool('pay')],
        policy: 'needs_review',
        taskClass: { limits: { repairs: 0 }, beforeDeliver: { evidence: [{ type: 'tool_result' }] } },
      },
      ({ answer }) => answer('reject'),
      [
        'recommender submitted',
        'agentcharter needsHumanDecision',
        'dana submitted',
        'agentcharter submitted',
        'agentcharter failed',
      ],
    ],
    [
      'the orchestrator for what a gate stopped',
      { verifiers: { v: fails }, taskClass: { beforeDeliver: { verifiers: ['v'] }, limits: { repairs: 0 } } },
      async () => {},
      ['recommender submitted', 'agentcharter failed'],
    ],
    [
      'a tool that waits, and the agent elsewhere that reports',
      { model: [plan([call('delegate')]), draft()], tools: [waits] },
      async (made) => made.orchestrator.receive(messageFrom(await threadOf(made)), scout),
      [
        'recommender submitted',
        'delegate waiting',
        'scout completed',
        'agentcharter submitted',
        'recommender completed',
      ],
    ],
  ])('is %s', async (_, given, act, expected) => {
    const made = scene(given);
    const taskId = await made.submit();
    await act(made, taskId);
    await settle();
    expect(await sendersOf(made, taskId)).toEqual(expected);
  });

  it('is the person of a request that names one, and no one in the envelopes’ identity', async () => {
    const made = scene();
    const { taskId } = await made.orchestrator.submit({
      taskClass: 'work',
      payload: {},
      identity: { ...identity, user_id: 'ana' },
    });
    await made.ended(taskId);
    expect(await sendersOf(made, taskId)).toEqual(['ana submitted', 'recommender completed']);
    const envelopes = (await made.orchestrator.documents(taskId)).flatMap((one) =>
      one.name === 'MessageEnvelope' ? [one.document] : [],
    );
    for (const envelope of envelopes) expect(envelope.identity).toMatchObject(identity);
    expect(envelopes.map(({ metadata }) => metadata?.['agentcharter:actor'])).toContainEqual({
      kind: 'human',
      id: 'ana',
    });
  });
});

describe('a message of a tool [UpFormat 2]', () => {
  it('enters the thread and the ledger under the tool’s name, and changes no state', async () => {
    const made = scene({ model: [plan([call('mail')]), draft()], tools: [sends()] });
    const taskId = await made.submit();
    expect(await made.ended(taskId)).toMatchObject({
      outcome: 'success',
      message: { agentId: 'recommender' },
    });
    expect(await sendersOf(made, taskId)).toEqual([
      'recommender submitted',
      'mail completed',
      'recommender completed',
    ]);
    const record = (await made.orchestrator.ledger(taskId)).find(({ kind }) => kind === 'message');
    expect(record).toMatchObject({ actor: { kind: 'system', id: 'mail' }, fact: null });
  });

  it('is limited to 100 of a call, and states that ask something are refused to the tool', async () => {
    const errors: unknown[] = [];
    const asks = readTool('asks', {
      call: async (_, { send }) => {
        const state = 'needsHumanDecision' as 'completed';
        await send({ state, payload: {}, explanation: '' }).catch((error: unknown) => errors.push(error));
        return {};
      },
    });
    const many = scene({ model: [plan([call('mail')]), draft()], tools: [sends(101)] });
    const taskId = await many.submit();
    await settle();
    expect((await sendersOf(many, taskId)).filter((one) => one.startsWith('mail'))).toHaveLength(100);
    const other = scene({ model: [plan([call('asks')]), draft()], tools: [asks] });
    expect(await other.ended(await other.submit())).toMatchObject({ outcome: 'success' });
    expect(errors).toMatchObject([{ code: 'document_invalid', details: { issues: [{ path: '/state' }] } }]);
  });
});

describe('a message that was received', () => {
  it('stands in the thread as it came, and later messages answer it', async () => {
    const { orchestrator, message, threadId, ended, taskId } = await received();
    await orchestrator.receive(message, scout);
    await ended(taskId);
    const thread = await orchestrator.thread(threadId);
    expect(thread).toContainEqual({ ...message, agentId: 'scout' });
    expect(thread[3]).toMatchObject({ parentMessageId: '00000000-0000-4000-8000-00000000abcd' });
  });

  it.each(['1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'stands where it arrived, whatever time it claims: %s',
    async (timestamp) => {
      const { orchestrator, message, threadId } = await received({ timestamp });
      await orchestrator.receive(message, scout);
      await settle();
      const senders = (await orchestrator.thread(threadId)).map(({ agentId }) => agentId);
      expect(senders.indexOf('scout')).toBe(2);
      expect(senders.at(-1)).toBe('recommender');
    },
  );

  it('is refused after 1,000 messages of others in its task', async () => {
    const { orchestrator, message, threadId } = await received();
    const sent = async (at: number) =>
      orchestrator.receive(
        { ...message, state: 'submitted', messageId: `00000000-0000-4000-8000-0000000${10_000 + at}` },
        scout,
      );
    for (let at = 0; at < 1_000; at += 1) await sent(at);
    await expect(sent(1_000)).rejects.toMatchObject({
      code: 'message_refused',
      details: { reason: 'its task has 1,000 messages of others' },
    });
    const heard = (await orchestrator.thread(threadId)).filter(({ agentId }) => agentId === 'scout');
    expect(heard).toHaveLength(1_000);
  });

  it('asks nothing and ends nothing by what it claims', async () => {
    const question = { id: 'approval:x', kind: 'approval', about: 'x', accepts: ['approve'] };
    const { orchestrator, message, taskId, stateOf } = await received({
      state: 'waiting',
      payload: { question },
    });
    await orchestrator.receive(message, scout);
    expect(await orchestrator.inbox()).toEqual([]);
    expect(stateOf(taskId)).toBe('waiting');
  });

  it('cannot be stored under the name of a message of ours', async () => {
    const { orchestrator, message, taskId, ended } = await received();
    await orchestrator.receive(message, scout);
    await ended(taskId);
    const emissions = (await orchestrator.documents(taskId)).map((one) =>
      one.name === 'ReceivedMessage' ? { ...one, name: 'UpFormatMessage' as const } : one,
    );
    const { findings } = await verifyLedger(await orchestrator.ledger(taskId), { emissions });
    expect(findings).toMatchObject([{ code: 'emission_edited' }]);
  });
});

describe('feedback of another agent [UpFormat 2.2]', () => {
  it.each(['approve', 'reject', 'edit', 'rank', 'instruction'] as const)(
    'of type %s is kept under its own name, and closes no question',
    async (type) => {
      const { review, target, orchestrator, threadId, taskId, stateOf } = await reviewed();
      const content = type === 'edit' ? { amount: 1 } : type === 'rank' ? ['a'] : 'No.';
      await review({ type, target, content });
      expect(stateOf(taskId)).toBe('needsHumanDecision');
      expect(await orchestrator.inbox()).toHaveLength(1);
      const last = (await orchestrator.thread(threadId)).at(-1);
      expect(last).toMatchObject({
        agentId: 'critic',
        upFeedback: { type },
      });
      const record = (await orchestrator.ledger(taskId)).at(-1);
      expect(record).toMatchObject({ kind: 'message', actor: { kind: 'agent', id: 'critic' } });
      expect(record?.brought.feedback).toBeUndefined();
    },
  );

  it('reaches the model, whose next proposal passes every gate', async () => {
    const { review, target, answer, turns, question } = await reviewed();
    await review({ type: 'edit', target, content: { amount: 1 } });
    await answer('instruction', 'Look at the review.');
    await settle();
    const reviews = turns.at(-1)?.reviews;
    expect(reviews).toMatchObject([{ by: 'critic', feedback: { type: 'edit', content: { amount: 1 } } }]);
    expect(await question()).toMatchObject({ question: { kind: 'approval' } });
  });

  it('is refused of another owner, and about a message outside the thread', async () => {
    const { review, target, orchestrator, taskId } = await reviewed();
    const refused = { code: 'message_refused' };
    const feedback = { type: 'comment', target, content: 'Hm.' };
    await expect(review(feedback, { agent_id: 'critic', owner_id: 'globex' })).rejects.toMatchObject(refused);
    const stray = { ...feedback, target: '00000000-0000-4000-8000-00000000ffff' };
    await expect(review(stray)).rejects.toMatchObject(refused);
    const kinds = (await orchestrator.ledger(taskId)).slice(-2).map(({ kind }) => kind);
    expect(kinds).toEqual(['refusal', 'refusal']);
  });
});

it('a dependency on an agent of another owner is met by that owner’s agent only [UpFormat 2.1]', async () => {
  const agent = { agent_id: 'scout', owner_id: 'globex' };
  const tool = readTool('delegate', {
    call: (_, { met, notYet }) => met ?? notYet({ dependency: 'search', agent, explanation: '' }),
  });
  const made = scene({ model: [plan([call('delegate')]), draft()], tools: [tool] });
  const taskId = await made.submit();
  const message = messageFrom(await threadOf(made));
  await expect(made.orchestrator.receive(message, scout)).rejects.toMatchObject({ code: 'message_refused' });
  await made.orchestrator.receive(message, agent);
  expect(await made.ended(taskId)).toMatchObject({ outcome: 'success' });
});

it('a request joins the thread of its own owner only', async () => {
  const made = scene();
  await made.submit();
  const threadId = await threadOf(made);
  const request = { taskClass: 'work', payload: {}, threadId };
  await made.orchestrator.submit({ ...request, identity: { ...identity, agent_id: 'other' } });
  const stranger = { ...identity, owner_id: 'globex' };
  await expect(made.orchestrator.submit({ ...request, identity: stranger })).rejects.toMatchObject({
    code: 'thread_refused',
    details: { threadId, owner: 'globex' },
  });
  expect(await made.orchestrator.list({ threadId })).toHaveLength(2);
});
