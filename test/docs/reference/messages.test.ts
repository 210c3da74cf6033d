import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { OperationalState, type UpFeedback, type UpFormatMessage } from '../../../schema/index.ts';
import type { Emission } from '../../../src/index.ts';
import { passes, scene } from '../../src/orchestrator/scene.ts';
import { call, draft, identity, plan, readTool, writeTool } from '../../src/orchestrator/scripted.ts';
import { settle } from '../../src/orchestrator/simulated-clock.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import {
  context,
  core,
  feedback,
  type feedbackTypes,
  messagesPage,
  participants,
  states,
  thought,
  type Participant,
} from './messages.ts';

const output = z
  .object({ email: z.email().describe('contact address') })
  .meta({ title: 'A freelancer', $id: 'https://example.org/freelancer', concepts: ['schema:Person'] });

const thinking = {
  reasoning: ['the request names a person'],
  questions: ['Is this the right person?'],
  assumptions: ['the address is current'],
  alternatives: [plan([], { explanation: 'Do nothing.' })],
  confidence: 0.3,
};

const delegates = readTool('delegate', {
  call: (_, { met, notYet }) =>
    met ?? notYet({ dependency: 'search', agent: 'scout', explanation: 'Scout searches.' }),
});
const asks = readTool('look', {
  call: (_, { answer, needsHuman }) => answer ?? needsHuman({ explanation: 'Which one?' }),
});
const sends = readTool('mail', {
  call: async (_, { send }) => {
    await send({ state: 'completed', payload: { sent: 1 }, explanation: 'One was sent.' });
    return {};
  },
});

const tools = [delegates, asks, sends, writeTool('pay')];
const answered = { severity: 'low', priority: 2 };

/** A message of another agent. */
const messageOf = (threadId: string, more: object) => ({
  messageId: '00000000-0000-4000-8000-00000000abcd',
  threadId,
  timestamp: '2026-11-21T05:00:00Z',
  state: 'completed',
  payload: { found: 3 },
  explanation: 'Scout found three.',
  ...more,
});

/** A task in which everybody speaks: it delivers, and a refinement is settled. */
const deliveredTask = async () => {
  const made = scene({
    model: ({ asks: wanted }) =>
      wanted === 'plan'
        ? plan(
            tools.map(({ name }) => call(name)),
            thinking,
          )
        : draft({ email: 'ada@example.org' }, { upContext: { concepts: ['mathematician'] } }),
    tools,
    policy: 'needs_review',
    verifiers: { judge: passes },
    taskClass: {
      output,
      beforeDeliver: { verifiers: ['judge'] },
      followup: () => ({ explanation: 'Another?', payload: {}, byDefault: {} }),
    },
  });
  const { orchestrator } = made;
  const { taskId, threadId } = await orchestrator.submit({
    taskClass: 'work',
    payload: { wish: 'a freelancer' },
    identity: { ...identity, user_id: 'ana' },
  });
  await settle();
  const [asked] = await orchestrator.inbox();
  await orchestrator.receive(
    messageOf(threadId, {
      state: 'submitted',
      upFeedback: { type: 'approve', target: asked?.message.messageId },
    }),
    { agent_id: 'critic', owner_id: 'acme' },
  );
  for (let turn = 0; turn < 20; turn += 1) {
    const [open] = await orchestrator.inbox();
    if (open !== undefined) {
      const type = open.question.kind === 'tool' ? 'edit' : 'approve';
      const content = type === 'edit' ? { content: { value: 'the first' } } : {};
      await orchestrator.respond(
        { type, target: open.message.messageId, metadata: answered, ...content },
        { by: 'dana' },
      );
    }
    await settle();
    const [task] = await orchestrator.list();
    if (task?.state === 'waiting')
      await orchestrator.receive(messageOf(threadId, { messageId: '00000000-0000-4000-8000-00000000abce' }), {
        agent_id: 'scout',
        owner_id: 'acme',
      });
    await settle();
  }
  return {
    thread: await orchestrator.thread(threadId),
    documents: await orchestrator.documents(taskId),
    threadId,
  };
};

/** Tasks that end without a delivery. */
const endedTasks = async (): Promise<readonly UpFormatMessage[]> => {
  const failed = scene({ model: [draft()], taskClass: { limits: { corrections: 0, revisions: 0 } } });
  const ended = scene({ model: [plan([call('look')])], tools });
  const threads = [failed, ended].map(async ({ orchestrator, submit, question, answer }) => {
    const taskId = await submit();
    if (orchestrator === ended.orchestrator) await orchestrator.cancel(taskId, { by: 'kim' });
    else {
      expect((await question()).question.kind).toBe('help');
      await answer('reject');
    }
    await settle();
    return orchestrator.thread((await orchestrator.list())[0]?.threadId ?? '');
  });
  return (await Promise.all(threads)).flat();
};

let thread: readonly UpFormatMessage[] = [];
let everything: readonly UpFormatMessage[] = [];
let documents: readonly Emission[] = [];
let threadId = '';
let told: Promise<void> | undefined;

// what is loaded at its first use takes longer than a scene waits
beforeAll(async () => {
  await import('../../../src/semantics/derive/claim.ts');
});

/** Lets everybody speak, in the first test that listens. */
const listen = (): Promise<void> =>
  (told ??= (async () => {
    ({ thread, documents, threadId } = await deliveredTask());
    everything = [...thread, ...(await endedTasks())];
  })());

const by = (agentId: string): readonly string[] =>
  everything.filter((message) => message.agentId === agentId).map(({ state }) => state);
const asking = (): UpFormatMessage | undefined => thread.find(({ upThought }) => upThought !== undefined);
const delivered = (): UpFormatMessage | undefined =>
  thread.find(({ state, agentId }) => state === 'completed' && agentId === identity.agent_id);
const answers = (): readonly UpFormatMessage[] => thread.filter(({ agentId }) => agentId === 'dana');

describe('The fields of a message [UpFormat Table 1]', () => {
  test.each<[keyof typeof core, () => void]>([
    ['messageId', () => expect(new Set(thread.map(({ messageId }) => messageId)).size).toBe(thread.length)],
    ['threadId', () => expect(new Set(thread.map((one) => one.threadId))).toEqual(new Set([threadId]))],
    [
      'parentMessageId',
      () => {
        const [first, ...rest] = thread.filter(({ agentId }) => agentId !== 'scout' && agentId !== 'critic');
        expect(first?.parentMessageId).toBeUndefined();
        const ids = thread.map(({ messageId }) => messageId);
        for (const { parentMessageId } of rest) expect(ids).toContain(parentMessageId);
        const questions = thread.filter(
          ({ state }) => state === 'needsHumanDecision' || state === 'followup',
        );
        expect(answers().map(({ parentMessageId }) => parentMessageId)).toEqual(
          questions.map(({ messageId }) => messageId),
        );
      },
    ],
    ['timestamp', () => expect(thread.every(({ timestamp }) => timestamp.endsWith('Z'))).toBe(true)],
    [
      'state',
      () => expect(asking()).toMatchObject({ state: 'needsHumanDecision', upThought: { confidence: 0.3 } }),
    ],
    ['payload', () => expect(delivered()?.payload).toEqual({ email: 'ada@example.org' })],
    [
      'explanation',
      () => expect(everything.every(({ explanation }) => typeof explanation === 'string')).toBe(true),
    ],
    ['agentId', () => expect(everything.every(({ agentId }) => typeof agentId === 'string')).toBe(true)],
  ])('%s', async (field, check) => {
    await listen();
    expect(core[field]).not.toBe('');
    check();
  });
});

describe('The states of a message [UpFormat Table 2]', () => {
  test.each(OperationalState.options)('%s', async (state) => {
    await listen();
    expect(states[state]).not.toBe('');
    const message = everything.find((one) => one.state === state);
    expect(message).toBeDefined();
  });

  test('a failed message says what was missing, and what a person can do', async () => {
    await listen();
    const failed = everything.find(({ state }) => state === 'failed');
    expect(failed?.explanation).toMatch(/rejected.*What you can do:/);
  });
});

describe('The reasoning of a message [UpFormat Table 2, upThought]', () => {
  test.each(Object.keys(thought))('%s', async (field) => {
    await listen();
    const said = { ...thinking, canProceed: true };
    expect(asking()?.upThought).toMatchObject({ [field]: said[field as keyof typeof said] });
  });
});

describe('The feedback of a message [UpFormat Table 2, upFeedback]', () => {
  test.each<[keyof typeof feedback, (given: UpFeedback | undefined) => void]>([
    ['type', (given) => expect(given?.type).toBe('approve')],
    ['target', (given) => expect(given?.target).toBe(asking()?.messageId)],
    [
      'content',
      () =>
        expect(answers().map(({ upFeedback }) => upFeedback?.content)).toContainEqual({ value: 'the first' }),
    ],
    ['metadata', (given) => expect(given?.metadata).toEqual(answered)],
  ])('%s', async (field, check) => {
    await listen();
    expect(feedback[field]).not.toBe('');
    check(answers()[0]?.upFeedback);
  });

  const other = plan([call('pay', { amount: 2 })]);
  test.each<[keyof typeof feedbackTypes, unknown, string, readonly unknown[]]>([
    ['edit', { value: other }, 'completed.settled', [{ amount: 2 }]],
    ['approve', undefined, 'completed.settled', [{ amount: 1 }]],
    ['reject', undefined, 'needsHumanDecision', []],
    ['rank', [other], 'completed.settled', [{ amount: 2 }]],
    ['comment', 'Hm.', 'needsHumanDecision', []],
    ['instruction', 'Pay less.', 'needsHumanDecision', []],
  ])('%s', async (type, content, state, paid) => {
    const uncertain = plan([call('pay', { amount: 1 })], { confidence: 0.1, alternatives: [other] });
    const made = scene({ model: ({ asks: wanted }) => (wanted === 'plan' ? uncertain : draft()), tools });
    const taskId = await made.submit();
    await made.answer(type, content);
    expect(made.stateOf(taskId)).toBe(state);
    expect(made.invocations.map((one) => one.arguments)).toEqual(paid);
    expect(made.turns.filter(({ asks: wanted }) => wanted === 'plan')).toHaveLength(
      type === 'instruction' || type === 'reject' ? 2 : 1,
    );
  });
});

describe('The context of a message [UpFormat Table 2, upContext]', () => {
  test.each<[keyof typeof context, unknown]>([
    ['entity', 'A freelancer'],
    ['fields', { email: 'contact address' }],
    ['concepts', ['schema:Person', 'mathematician']],
    ['constraints', { email: { type: 'string', format: 'email', required: true } }],
    ['schema', 'https://example.org/freelancer'],
  ])('%s', async (field, expected) => {
    await listen();
    expect(context[field]).not.toBe('');
    expect(delivered()?.upContext).toMatchObject({ [field]: expected });
  });
});

describe('The participants [UpFormat 2]', () => {
  const says: Readonly<Record<Participant, () => void>> = {
    'a person': () => {
      expect([by('ana'), by('kim')]).toEqual([['submitted'], ['cancelled']]);
      expect(answers().length).toBeGreaterThan(3);
    },
    'the agent': () =>
      expect(by(identity.agent_id)).toEqual(expect.arrayContaining(['needsHumanDecision', 'completed'])),
    'the orchestrator': () =>
      expect(by('agentcharter')).toEqual(
        expect.arrayContaining(['submitted', 'followup', 'completed', 'failed']),
      ),
    'a tool': () =>
      expect([by('delegate')[0], by('look')[0], by('mail')]).toEqual([
        'waiting',
        'needsHumanDecision',
        ['completed'],
      ]),
    'a verifier': () =>
      expect(
        documents.flatMap((one) => (one.name === 'VerificationReport' ? [one.document] : [])),
      ).toMatchObject([{ verifier_id: 'judge', status: 'pass' }]),
    'an agent elsewhere': () => expect(by('scout')).toEqual(['completed']),
    'a reviewing agent': () => {
      expect(by('critic')).toEqual(['submitted']);
      expect(answers()[0]?.upFeedback?.target).toBe(asking()?.messageId); // a person still had to answer
    },
  };
  test.each(Object.keys(participants) as Participant[])('%s', async (name) => {
    await listen();
    says[name]();
  });
});

test('messages.md contains every field, state, kind of feedback and participant', async () => {
  await expectPrinted('docs/reference/messages.md', messagesPage());
});

testEveryPageIsPrinted();
