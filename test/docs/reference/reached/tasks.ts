import type { Model } from 'agentcharter';
import { applyFeedback } from 'agentcharter/feedback';
import { expect } from 'vitest';
import type { Programs } from './reached.ts';
import { asking, causeOf, identity, open, reported, request, writer } from './task.ts';

const messageId = '01920000-0000-7000-8000-000000000001';
const threadId = '01920000-0000-7000-8000-000000000002';
const dana = { by: 'dana' };
const anId: unknown = expect.any(String);

export const taskErrors: Programs<
  | 'fact_refused'
  | 'fact_not_yours'
  | 'feedback_refused'
  | 'feedback_inapplicable'
  | 'identity_refused'
  | 'message_refused'
  | 'thread_refused'
  | 'quota_exceeded'
  | 'task_pruned'
  | 'not_found'
  | 'key_reused'
  | 'task_unsettled'
  | 'chunk_refused'
> = {
  task_pruned: {
    program: async (unchanged) => {
      const orchestrator = open({ model: writer(0.9) });
      const { taskId } = await orchestrator.submit(request);
      await orchestrator.settled(taskId);
      await orchestrator.prune({ settledBefore: Date.now() + 1_000 });
      await unchanged(() => orchestrator.list());
      await orchestrator.task(taskId);
    },
    says: expect.stringMatching(
      /^task <id> settled, and was pruned at \S+: of its \d+ records the last hash is left, sha256:[0-9a-f]{64}; read its archive$/,
    ),
    details: { taskId: anId, head: anId, size: expect.any(Number), prunedAt: expect.any(Number) },
  },
  quota_exceeded: {
    program: async (unchanged) => {
      const orchestrator = open({ quotas: [{ tasks: 1, owner: '*' }] });
      await asking(orchestrator);
      await unchanged(() => orchestrator.list());
      await orchestrator.submit(request);
    },
    says: 'the task did not begin: there are 1 open tasks of owner acme, and 1 may be; submit it again, with its key, when others have ended',
    details: { used: 1, most: 1 },
  },
  fact_refused: {
    program: async (unchanged) => {
      const orchestrator = open({ model: writer(0.9) });
      const { taskId } = await orchestrator.submit(request);
      await orchestrator.settled(taskId);
      await unchanged(() => orchestrator.task(taskId));
      await orchestrator.cancel(taskId, dana);
    },
    says: 'task <id> does not accept task.cancelled in completed.settled: it accepts no more facts',
    details: { taskId: anId, fact: 'task.cancelled', state: 'completed.settled', accepts: [] },
  },
  fact_not_yours: {
    program: async () => {
      const orchestrator = open();
      const { taskId } = await asking(orchestrator);
      await orchestrator.tell(taskId, { type: 'plan.proposed' }, dana);
    },
    says: 'only the orchestrator may send the fact "plan.proposed": send dependency.met or task.cancelled',
    details: { fact: 'plan.proposed', accepts: ['dependency.met', 'task.cancelled'] },
  },
  feedback_refused: {
    program: async (unchanged) => {
      const orchestrator = open();
      const { target } = await asking(orchestrator);
      await unchanged(() => orchestrator.inbox());
      await orchestrator.respond({ type: 'rank', target, content: [] }, dana);
    },
    says: 'the plan question stays open: "/content": the ranking is empty: expected the best alternative first; it accepts approve, edit, rank, instruction, reject, comment',
    details: {
      taskId: anId,
      question: anId,
      reason: expect.stringContaining('the ranking is empty'),
      code: null,
      accepts: ['approve', 'edit', 'rank', 'instruction', 'reject', 'comment'],
    },
  },
  feedback_inapplicable: {
    program: () => {
      const target = { messageId, part: '/steps/1' };
      return applyFeedback({ steps: ['Paris'] }, { type: 'edit', target, content: { value: 'Lisbon' } });
    },
    says: 'the feedback does not apply at "/target/part": there is nothing at "/steps/1"; "/steps" is an array of 1',
    details: { path: '/target/part', reason: expect.stringContaining('there is nothing at') },
  },
  identity_refused: {
    program: async (unchanged) => {
      const orchestrator = open({ mayRespond: (name) => name === 'dana' });
      const { target } = await asking(orchestrator);
      await unchanged(() => orchestrator.inbox());
      await orchestrator.respond({ type: 'approve', target }, { by: 'eve' });
    },
    says: 'eve may not answer the plan question: expected someone that `mayRespond` and the task class allow',
    details: { taskId: anId, question: anId, identity: 'eve' },
  },
  message_refused: {
    program: () => {
      const timestamp = '2026-11-24T00:00:00Z';
      const message = { messageId, threadId, timestamp, state: 'completed', payload: {}, explanation: '' };
      return open().receive(message, { agent_id: 'scout', owner_id: 'acme' });
    },
    says: 'the message is refused: no task of thread <id> waits for agent "scout" of "acme" (a tool waits with notYet({ agent })), and its upFeedback targets no message of the thread; check its thread, agent and owner, and give it a new messageId',
    details: { messageId, reason: expect.stringContaining('waits for agent') },
  },
  thread_refused: {
    program: async () => {
      const orchestrator = open();
      await orchestrator.submit({ ...request, threadId });
      await orchestrator.submit({ ...request, threadId, identity: { ...identity, owner_id: 'rival' } });
    },
    says: 'thread <id> is refused: it belongs to another owner than "rival"; omit threadId to begin a new thread',
    details: { threadId, owner: 'rival' },
  },
  not_found: {
    program: () => open().submit({ ...request, taskClass: 'leter' }),
    says: 'unknown task class "leter": expected one of letter. Did you mean "letter"?',
    details: { kind: 'task class', id: 'leter', known: ['letter'] },
  },
  key_reused: {
    program: async (unchanged) => {
      const orchestrator = open();
      const key = 'letter 1';
      await orchestrator.submit(request, { key });
      await unchanged(async () => (await orchestrator.list()).length);
      await orchestrator.submit({ ...request, payload: { to: 'tenant' } }, { key });
    },
    says: 'key "letter 1" was sent before with other content: use a new key',
    details: { key: 'letter 1', taskId: anId },
  },
  task_unsettled: {
    program: async (unchanged) => {
      const orchestrator = open();
      const { taskId } = await asking(orchestrator);
      const [first] = await orchestrator.ledger(taskId);
      await unchanged(() => orchestrator.ledger(taskId));
      await orchestrator.erase(taskId, first?.documents['request'] ?? '', dana);
    },
    says: 'task <id> is open, in needsHumanDecision: before you erase its documents, wait until it is settled, or cancel it',
    details: { taskId: anId, state: 'needsHumanDecision' },
  },
  chunk_refused: {
    program: async () => {
      const { answer } = writer(0.9);
      const eager: Model = {
        answer: async (turn, options) => {
          if (turn.asks === 'draft') options.stream({ index: 1, content: 'landlord' });
          return answer(turn, options);
        },
      };
      return causeOf(await reported(open({ model: eager })));
    },
    says: 'chunk 1 of task <id> is refused: a chunk before it is missing; send chunk 0 next',
    details: { taskId: anId, index: 1, expected: 0, reason: 'a chunk before it is missing' },
  },
};
