import {
  CharterError,
  defineTaskClass,
  defineTaskTool,
  type InboxEntry,
  type Orchestrator,
} from 'agentcharter';
import type { MayRead } from 'agentcharter/adapters/http';
import { guardTool } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAccess } from '../../../../src/adapters/http/access.ts';
import { unreadFeedback } from '../../../../src/base/feedback/feedback.ts';
import { pay, served, type Answered, type Sent } from './served.ts';

type Room = Awaited<ReturnType<typeof served>>;

const approve = (target: unknown) => unreadFeedback({ type: 'approve', target });

const answer = (room: Room, target: unknown, as = 'kim'): Promise<Answered> =>
  room.ask('/feedback', { method: 'POST', as, body: JSON.stringify({ feedback: approve(target) }) });

/** All that an answer says, but for when it was given. */
const seen = ({ status, headers: { date: _date, ...headers }, body }: Answered) => ({
  status,
  headers,
  body,
});

const pausedRun = async (room: Room): Promise<{ taskId: string; target: string }> => {
  const taskId = await room.begin();
  await room.post(`/runs/${taskId}/calls`, pay);
  return { taskId, target: await room.target(taskId) };
};

/** Ids of every kind that somebody could try: of an open question, an answered one, a message that asks nothing, and none. */
const idsIn = async (room: Room) => {
  const [open, closed] = [await pausedRun(room), await pausedRun(room)];
  await room.guard.orchestrator.respond(approve(closed.target), { by: 'dana' });
  const { threadId } = await room.guard.orchestrator.task(open.taskId);
  const [request] = await room.guard.orchestrator.thread(threadId);
  const ids = {
    open: open.target,
    answered: closed.target,
    request: request?.messageId ?? '',
    'of a run': open.taskId,
    none: crypto.randomUUID(),
    nil: '00000000-0000-0000-0000-000000000000',
    'in capitals': open.target.toUpperCase(),
  };
  return { ids, open, closed };
};

const rollback = { describe: () => ({ type: 'recall', target: 'x', payload: {} }), run: async () => ({}) };

/** A run whose call is a run of its own, which asks; `readable` says which of the two may be read by themselves. */
const nested = async (readable: (path: readonly string[]) => readonly string[]) => {
  const clerk = defineTaskTool({
    name: 'clerk',
    description: 'Has a clerk pay.',
    input: z.object({}),
    taskClass: 'clerk',
    rollback,
    request: () => ({ payload: {} }),
  });
  const wire = guardTool({ name: 'wire', input: z.object({}), execute: () => ({}) }, { rollback });
  const authorities = ['human'] as const;
  let path: readonly string[] = [];
  const room = await served({
    guard: {
      tools: [clerk, wire],
      taskClasses: [
        defineTaskClass({ id: 'job', tools: ['clerk'], authorities }),
        defineTaskClass({ id: 'clerk', tools: ['wire'], authorities }),
      ],
      agents: { clerk: (run) => run.call('wire', {}, { ref: 'w-1', waits: true }) },
    },
    wire: { mayRead: (caller, { taskId }) => 'agent' in caller || readable(path).includes(taskId) },
  });
  const { orchestrator } = room.guard;
  const asked = new Promise<InboxEntry>((resolve) => {
    orchestrator.on('question', ({ path: tasks, message, ...entry }) => {
      if (tasks.length > 1) resolve({ ...entry, path: tasks, message });
      else void orchestrator.respond(approve(message.messageId), { by: 'dana' }); // the clerk may be asked
    });
  });
  const taskId = await room.begin();
  await room.post(`/runs/${taskId}/calls`, { tool: 'clerk', arguments: {}, ref: 'c-1' });
  const entry = await asked;
  ({ path } = entry);
  return { room, taskId, entry };
};

/** Answers to a question that go wrong in ways of their own. */
const bodiesOn = (id: string) => [
  { feedback: approve({ messageId: id, part: '/payload/action' }) },
  { feedback: { type: 'edit', target: id } },
  { feedback: approve(id), approval: 'a.b.c' },
];

/** Every place of a run, and what is sent there. */
const places = (taskId: string, thread: string): readonly (readonly [string, object?])[] => [
  [`/runs/${taskId}`],
  [`/runs/${taskId}/envelopes`],
  [`/runs/${taskId}/ag-ui`],
  [`/threads/${thread}`],
  [`/runs/${taskId}/calls`, pay],
  [`/runs/${taskId}/rounds`, { calls: [pay] }],
  [`/runs/${taskId}/conclusion`, { payload: {} }],
  [`/runs/${taskId}/cancel`, {}],
  [`/runs/${taskId}/ag-ui`, { threadId: thread, runId: 'r' }],
  [`/runs/${taskId}/ag-ui`, { no: 'input' }],
];

const nobody: MayRead = () => false;

describe('A person without mayRead on a run', () => {
  it('answers none of its questions, and cannot tell open ids from others', async () => {
    const room = await served({ wire: { mayRead: nobody } });
    const { ids, open } = await idsIn(room);
    const before = await room.guard.orchestrator.ledger(open.taskId);
    const answers = new Map<string, unknown>();
    for (const [kind, id] of Object.entries(ids)) answers.set(kind, seen(await answer(room, id)));
    for (const [kind, told] of answers) expect([kind, told]).toEqual([kind, answers.get('none')]);
    expect(answers.get('none')).toMatchObject({ status: 404 });
    expect(await room.guard.orchestrator.ledger(open.taskId)).toEqual(before);
    expect(await room.guard.orchestrator.inbox(open.taskId)).toHaveLength(1);
  });

  it('learns nothing from a part, a token or a key', async () => {
    const room = await served({ wire: { mayRead: nobody } });
    const { ids } = await idsIn(room);
    const responseFor = async (id: string, key: string): Promise<unknown> =>
      Promise.all(
        bodiesOn(id).map(async (body) => {
          const sent: Sent = { method: 'POST', as: 'kim', headers: { 'idempotency-key': key } };
          return seen(await room.ask('/feedback', { ...sent, body: JSON.stringify(body) }));
        }),
      );
    for (const key of ['k-1', '']) {
      const unknown = await responseFor(ids.none, key);
      for (const id of [ids.open, ids.answered]) expect(await responseFor(id, key)).toEqual(unknown);
    }
  });

  it('receives the same response for an existing run as for a missing one', async () => {
    const room = await served({ wire: { mayRead: nobody } });
    const { open } = await idsIn(room);
    const { threadId } = await room.guard.orchestrator.task(open.taskId);
    const responsesFor = async (taskId: string, thread: string, as: string): Promise<readonly unknown[]> =>
      Promise.all(
        places(taskId, thread).map(async ([path, body]) => {
          const sent: Sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
          return seen(await room.ask(path, { ...sent, as }));
        }),
      );
    for (const as of ['kim', 'rival']) {
      const there = await responsesFor(open.taskId, threadId, as);
      expect(there).toEqual(await responsesFor(crypto.randomUUID(), crypto.randomUUID(), as));
      expect(there).toEqual(there.map(() => expect.objectContaining({ status: 404 })));
    }
  });

  it('receives the same response when mayRead throws, and the host learns why', async () => {
    const broken = new Error('the directory is down');
    const room = await served({ wire: { mayRead: () => Promise.reject(broken) } });
    const { ids, open } = await idsIn(room);
    room.errors.length = 0; // of the agent that began them
    expect(seen(await answer(room, ids.open))).toEqual(seen(await answer(room, ids.none)));
    const there = seen(await room.ask(`/runs/${open.taskId}`));
    expect(there).toEqual(seen(await room.ask(`/runs/${crypto.randomUUID()}`)));
    expect(room.errors).toEqual([broken, broken]);
  });
});

describe('An agent without mayRead on its own run', () => {
  const sent: Sent = { headers: { 'idempotency-key': 'k-1' } };
  const job = { taskClass: 'job', payload: { secret: 42 } };

  it('moves the run, and sees only its ids', async () => {
    const room = await served({ wire: { mayRead: nobody } });
    const begun = await room.post('/runs', job, sent);
    const ids = { taskId: expect.any(String), threadId: expect.any(String) };
    expect([begun.status, begun.said]).toEqual([201, ids]);
    expect((await room.post('/runs', job, sent)).said).toEqual(begun.said);
    const place = `/runs/${String(begun.said['taskId'])}`;
    const paused = { status: 'paused', questions: [], awaits: [] };
    expect((await room.post(`${place}/calls`, pay)).said).toEqual(paused);
    expect((await room.post(`${place}/rounds`, { calls: [pay] })).said).toEqual({ outcomes: [paused] });
    const concluded = await room.post(`${place}/conclusion`, { payload: {} });
    expect(JSON.stringify(concluded.said)).not.toContain('alice');
    expect((await room.ask(place)).status).toBe(404);
    const cancelled = await room.post(`${place}/cancel`, {});
    expect([cancelled.status, cancelled.said]).toEqual([200, begun.said]);
  });

  it.each([
    [nobody, 'The policy does not allow the action.'],
    [() => true, 'Call pay with to "alice": The policy does not allow the action. It says: closed.'],
  ])('sees in words of the end what mayRead allows', async (mayRead, says) => {
    const policy = { decide: () => ({ verdict: 'deny' as const, reasons: ['closed'] }) };
    const room = await served({ wire: { mayRead }, guard: { policy } });
    const begun = await room.post('/runs', job, sent);
    const ended = await room.post(`/runs/${String(begun.said['taskId'])}/calls`, pay);
    expect(ended.said).toMatchObject({ status: 'ended', reasons: [{ code: 'POLICY_BLOCKED', says }] });
  });

  it('sees everything if mayRead allows it', async () => {
    const room = await served();
    const { said } = await room.post('/runs', job, sent);
    expect(said['request']).toEqual({ secret: 42 });
    expect((await room.post(`/runs/${String(said['taskId'])}/calls`, pay)).said).toMatchObject({
      status: 'paused',
      questions: [expect.anything()],
    });
  });
});

it('hides an unreadable run as a missing one, and reports it to the host', async () => {
  const corrupted = new CharterError('task_corrupted', 'broken', { taskId: 't', seq: 1, reason: 'broken' });
  const broken = { ledger: () => Promise.reject(corrupted), questionPath: () => Promise.reject(corrupted) };
  const reported: unknown[] = [];
  const access = createAccess(
    broken as unknown as Orchestrator,
    () => true,
    (error) => reported.push(error),
  );
  const kim = { person: 'kim' };
  expect(await access.mayRead(kim, 't')).toBe(false);
  expect(await access.mayReadQuestion(kim, 'm')).toBe(false);
  expect(reported).toEqual([corrupted, corrupted]);
});

describe('A person with mayRead on a run', () => {
  it('answers it only if mayRespond allows it', async () => {
    const room = await served({ guard: { mayRespond: (name) => name === 'dana' } });
    const { target, taskId } = await pausedRun(room);
    const { status, body } = await answer(room, target);
    expect([status, JSON.parse(body)]).toMatchObject([403, { code: 'identity_refused' }]);
    expect(await room.guard.orchestrator.inbox(taskId)).toHaveLength(1);
  });

  it('answers questions of a nested run through the outer one', async () => {
    const { room, taskId, entry } = await nested((path) => [path[0] ?? '']);
    expect((await room.get(`/runs/${taskId}`, { as: 'kim' }))['questions']).toHaveLength(1);
    expect((await room.ask(`/runs/${entry.taskId}`, { as: 'kim' })).status).toBe(404);
    expect((await answer(room, entry.message.messageId)).status).toBe(204);
    expect(await room.guard.orchestrator.inbox()).toEqual([]);
  });

  it('answers a nested run without reading the outer one', async () => {
    const { room, taskId, entry } = await nested((path) => path.slice(-1));
    expect((await room.ask(`/runs/${taskId}`, { as: 'kim' })).status).toBe(404);
    expect((await answer(room, entry.message.messageId)).status).toBe(204);
  });
});

describe('Answers to foreign interrupts', () => {
  it('are refused alike, whatever they are', async () => {
    const mine: string[] = [];
    const room = await served({ wire: { mayRead: (_, { taskId }) => mine.includes(taskId) } });
    const { ids, open } = await idsIn(room);
    const { taskId, target } = await pausedRun(room);
    mine.push(taskId);
    const { threadId } = await room.guard.orchestrator.task(taskId);
    const resumed = async (...interrupts: readonly string[]) => {
      const resume = interrupts.map((interruptId) => ({
        interruptId,
        status: 'resolved',
        payload: { type: 'approve' },
      }));
      const body = JSON.stringify({ threadId, runId: 'r', resume });
      return seen(await room.ask(`/runs/${taskId}/ag-ui`, { method: 'POST', as: 'kim', body }));
    };
    for (const also of [[], [target]]) {
      const unknown = await resumed(ids.none, ...also);
      expect(unknown).toMatchObject({ status: 404 });
      for (const [kind, id] of Object.entries(ids))
        expect([kind, await resumed(id, ...also)]).toEqual([kind, unknown]);
    }
    expect(await room.guard.orchestrator.inbox(taskId)).toHaveLength(1);
    expect(await room.guard.orchestrator.inbox(open.taskId)).toHaveLength(1);
    expect(room.done).toEqual(['pay alice']); // for the one that Dana answered
  });
});
