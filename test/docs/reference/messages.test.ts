import { beforeAll, describe, expect, test } from 'vitest';
import { OperationalState, type UpFeedback, type UpFormatMessage } from '../../../schema/index.ts';
import type { Emission } from '../../../src/index.ts';
import { adopts, pays, planReviewed, reviewId, value } from '../../src/core/shell/adoptions.ts';
import { scene } from '../../src/core/shell/scene.ts';
import { call, draft, identity, plan } from '../../src/core/shell/scripted.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import {
  context,
  core,
  feedback,
  type feedbackTypes,
  messagesPage,
  own,
  participants,
  states,
  thought,
  type Participant,
} from './messages.ts';
import { answered, deliveredTask, endedTasks, thinking, tools } from './speaking.ts';

let thread: readonly UpFormatMessage[] = [];
let everything: readonly UpFormatMessage[] = [];
let documents: readonly Emission[] = [];
let threadId = '';
let told: Promise<void> | undefined;

// what is loaded at its first use takes longer than a scene waits
beforeAll(async () => {
  await import('../../../src/optional/semantics/derive/claim.ts');
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

const adopted = async () => {
  const made = await planReviewed(value(pays(1)), [adopts(), draft()]);
  await made.ended(made.taskId);
  return { all: await made.thread(), paid: made.invocations.map((one) => one.arguments) };
};
const found = (all: readonly UpFormatMessage[], name: string) => all.filter((message) => name in message);

describe('The additional members of a message', () => {
  test.each<[keyof typeof own, () => Promise<void>]>([
    [
      'agentcharter:adopts',
      async () => {
        const { all, paid } = await adopted();
        expect(found(all, 'agentcharter:adopts')).toMatchObject([
          { agentId: 'agentcharter', parentMessageId: reviewId(), 'agentcharter:adopts': reviewId() },
        ]);
        expect(all.find(({ messageId }) => messageId === reviewId())?.agentId).toBe('critic');
        expect(paid).toEqual([{ amount: 1 }]);
      },
    ],
    [
      'agentcharter:supersedes',
      async () => {
        const { all } = await adopted();
        const question = all.find(({ state }) => state === 'needsHumanDecision');
        expect(found(all, 'agentcharter:supersedes')).toMatchObject([
          { agentId: 'dana', 'agentcharter:supersedes': question?.messageId },
        ]);
      },
    ],
    [
      'agentcharter:followup',
      async () => {
        const ends = found(thread, 'agentcharter:followup');
        expect(ends).toMatchObject([{ agentId: 'agentcharter', 'agentcharter:followup': 'chosen' }]);
      },
    ],
  ])('%s', async (name, check) => {
    await listen();
    expect(own[name]).not.toBe('');
    await check();
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
