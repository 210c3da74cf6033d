import { EventType } from '@ag-ui/core';
import { EventSchemas, ResumeEntrySchema } from '@ag-ui/core/schemas';
import type { Orchestrator } from 'agentcharter';
import { feedbackOf, interruptsOf } from 'agentcharter/adapters/http';
import { jwsApprovals } from 'agentcharter/approvals';
import { describe, expect, it } from 'vitest';
import { follow } from '../../../../src/adapters/http/ag-ui/follow.ts';
import { readsOf } from '../../../../src/adapters/http/reads.ts';
import { DateTime } from '../../../../schema/index.ts';
import { signedBy, trusted } from './desk.ts';
import { pay, read, served, type Answered } from './served.ts';
import { eventually } from '../../../waits.ts';

/** The events of an answer, each as the real reader of AG-UI reads it. */
const eventsIn = ({ type, body }: Answered) => {
  expect(type).toBe('text/event-stream');
  return body
    .split('\n\n')
    .filter((part) => part.startsWith('data: '))
    .map((part) => EventSchemas.parse(JSON.parse(part.slice('data: '.length))));
};

const typesIn = (answered: Answered): readonly string[] => eventsIn(answered).map(({ type }) => type);

const lastIn = (answered: Answered) => eventsIn(answered).at(-1) as Record<string, unknown> | undefined;

type Room = Awaited<ReturnType<typeof served>>;

const interruptIds = async ({ guard }: Room, taskId: string): Promise<readonly string[]> =>
  interruptsOf(await guard.orchestrator.inbox(taskId)).map(({ id }) => id);

const resolved = (interruptId: string, payload: unknown = { type: 'approve' }) => ({
  interruptId,
  status: 'resolved',
  payload,
});

const resumed = async (
  room: Room,
  taskId: string,
  resume: readonly object[],
  as = 'kim',
): Promise<Answered> => {
  const { threadId } = await room.guard.orchestrator.task(taskId);
  const input = { threadId, runId: 'run-2', messages: [], tools: [], context: [], state: {}, resume };
  return room.ask(`/runs/${taskId}/ag-ui`, { method: 'POST', as, body: JSON.stringify(input) });
};

const other = { ...pay, ref: 'p-2', arguments: { to: 'bob' } };

/** Two payments wait for a person. */
const twoPayments = async () => {
  const room = await served();
  const taskId = await room.begin();
  await room.post(`/runs/${taskId}/rounds`, { calls: [pay, other] });
  const [first = '', second = ''] = await interruptIds(room, taskId);
  return { room, taskId, first, second };
};

const offer = () => ({ explanation: 'A copy?', payload: {}, byDefault: { copies: 0 } });

describe('A run over AG-UI 1.0', () => {
  it('starts, shows its state and the call, and finishes with an interrupt for each open question', async () => {
    const room = await served();
    const { ask, begin, post } = room;
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, pay);
    const answered = await ask(`/runs/${taskId}/ag-ui`);
    expect(typesIn(answered)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'RUN_FINISHED',
    ]);
    expect(eventsIn(answered)[0]).toMatchObject({ protocolVersion: '1.0', runId: taskId });
    const [id] = await interruptIds(room, taskId);
    const interrupts = [{ id, reason: 'tool_call', toolCallId: 'p-1', responseSchema: { type: 'object' } }];
    expect(lastIn(answered)).toMatchObject({ outcome: { type: 'interrupt', interrupts } });
  });

  it('finishes with the delivered answer, and no sooner', async () => {
    const { ask, begin, post } = await served();
    const taskId = await begin();
    const following = ask(`/runs/${taskId}/ag-ui`);
    await post(`/runs/${taskId}/calls`, read);
    await post(`/runs/${taskId}/conclusion`, { payload: { said: 'done' }, explanation: 'It is read.' });
    const events = eventsIn(await following);
    expect(events.slice(-4)).toMatchObject([
      { type: 'TEXT_MESSAGE_START', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', delta: 'It is read.' },
      { type: 'TEXT_MESSAGE_END' },
      { type: 'RUN_FINISHED', result: { said: 'done' }, outcome: { type: 'success' } },
    ]);
    const before = events.filter(({ type }) => type === EventType.STATE_SNAPSHOT);
    expect(before.length).toBeGreaterThan(1);
    expect(JSON.stringify(before)).not.toContain('said');
  });

  it('succeeds without an interrupt when it offers a refinement', async () => {
    const { ask, begin, post, guard } = await served({ contract: { followup: offer } });
    const taskId = await begin();
    await post(`/runs/${taskId}/conclusion`, { payload: { ok: true } });
    const answered = await ask(`/runs/${taskId}/ag-ui`);
    expect(lastIn(answered)).toMatchObject({ outcome: { type: 'success' }, result: { ok: true } });
    await eventually(async () => expect(await guard.orchestrator.inbox(taskId)).toHaveLength(1));
    expect(lastIn(await ask(`/runs/${taskId}/ag-ui`))).toMatchObject({ outcome: { type: 'success' } });
  });

  it('stops listening when the reader leaves', async () => {
    const { guard, begin, post } = await served();
    const taskId = await begin();
    let listening = 0;
    const orchestrator: Orchestrator = {
      ...guard.orchestrator,
      on: (name, listener) => {
        const leave = guard.orchestrator.on(name, listener);
        listening += 1;
        return () => {
          listening -= 1;
          leave();
        };
      },
    };
    const name = { threadId: 't', runId: 'r' };
    const reads = await readsOf({ guard, caller: { person: 'kim' } }, taskId);
    const gone = new AbortController();
    const read = async () => {
      for await (const { type } of follow(orchestrator, taskId, reads, name, gone.signal))
        if (type === 'STATE_SNAPSHOT') expect(listening).toBe(3);
    };
    const reading = read();
    gone.abort();
    await expect(reading).rejects.toThrow('aborted');
    expect(listening).toBe(0);
    await post(`/runs/${taskId}/cancel`, {});
    for await (const _ of follow(orchestrator, taskId, reads, name, new AbortController().signal));
    expect(listening).toBe(0);
  });

  it('is cancelled, or fails with its reason', async () => {
    const { ask, begin, post } = await served({
      contract: { limits: { repairs: 0 }, beforeDeliver: { evidence: [{ type: 'tool_result' }] } },
    });
    const [cancelled, failed] = [await begin(), await begin()];
    await post(`/runs/${cancelled}/cancel`, {});
    await post(`/runs/${failed}/conclusion`, { payload: { secret: 1 } });
    expect(lastIn(await ask(`/runs/${cancelled}/ag-ui`))).toMatchObject({ outcome: { type: 'cancelled' } });
    const answered = await ask(`/runs/${failed}/ag-ui`);
    expect(lastIn(answered)).toMatchObject({ type: 'RUN_ERROR', code: 'EVIDENCE_MISSING' });
    expect(answered.body).not.toContain('secret');
  });

  it('resumes as another run after answers to all its interrupts', async () => {
    const { room, taskId, first, second } = await twoPayments();
    const answers = [resolved(first), { interruptId: second, status: 'cancelled' }];
    const answered = resumed(room, taskId, answers);
    await room.post(`/runs/${taskId}/conclusion`, { payload: { ok: true }, waits: true });
    expect(eventsIn(await answered)[0]).toMatchObject({ type: 'RUN_STARTED', runId: 'run-2' });
    expect(lastIn(await answered)).toMatchObject({ outcome: { type: 'success' }, result: { ok: true } });
    expect(room.done).toEqual(['pay alice']);
  });
});

describe('AG-UI answers to interrupts', () => {
  it('are all refused when one interrupt lacks an answer', async () => {
    const { room, taskId, first, second } = await twoPayments();
    const { guard, done } = room;
    const { status, body } = await resumed(room, taskId, [resolved(first)]);
    expect([status, JSON.parse(body)]).toMatchObject([
      422,
      { code: 'interrupts_open', interrupts: [{ id: second }] },
    ]);
    expect(await guard.orchestrator.inbox(taskId)).toHaveLength(2);
    expect(done).toEqual([]);
  });

  it('apply the others when one is refused', async () => {
    const { room, taskId, first, second } = await twoPayments();
    const { guard } = room;
    const bad = resolved(second, { type: 'rank', content: [1] });
    const { status, body } = await resumed(room, taskId, [resolved(first), bad]);
    expect([status, JSON.parse(body)]).toMatchObject([
      422,
      { interrupts: [{ id: second, code: 'feedback_refused' }] },
    ]);
    const open = await guard.orchestrator.inbox(taskId);
    expect(open.map(({ message }) => message.messageId)).toEqual([second]);
  });

  it.each([
    ['without our JSON schema', { interruptId: 'x', status: 'resolved' }],
    ['with their own target', { payload: { type: 'approve', target: crypto.randomUUID() } }],
    ['with an unknown feedback type', { payload: { type: 'maybe' } }],
    ['with an unknown status', { status: 'approved' }],
    ['with an invalid token', { metadata: { 'agentcharter:approval': 7 } }],
  ])('are refused without a change: %s', async (_, more) => {
    const { room, taskId, first, second } = await twoPayments();
    const { guard } = room;
    const entries = [resolved(first), { ...resolved(second), ...more }];
    expect((await resumed(room, taskId, entries)).status).toBe(422);
    expect(await guard.orchestrator.inbox(taskId)).toHaveLength(2);
  });

  it('come from a person, one for each interrupt of this run, in its thread', async () => {
    const { room, taskId, first, second } = await twoPayments();
    const { guard, begin, post, ask } = room;
    const both = [resolved(first), resolved(second)];
    expect((await resumed(room, taskId, both, 'teller')).status).toBe(403);
    expect((await resumed(room, taskId, [...both, resolved(first)])).status).toBe(422);
    const another = await begin();
    await post(`/runs/${another}/calls`, pay);
    expect(
      (await resumed(room, another, [...both, resolved((await interruptIds(room, another))[0]!)])).status,
    ).toBe(404);
    const input = { threadId: crypto.randomUUID(), runId: 'r', resume: both };
    const sent = { method: 'POST', as: 'kim', body: JSON.stringify(input) };
    expect((await ask(`/runs/${taskId}/ag-ui`, sent)).status).toBe(404);
    expect(await guard.orchestrator.inbox()).toHaveLength(3);
  });

  it('carry a signed approval in their metadata', async () => {
    const room = await served({
      contract: { authorities: ['approval'] },
      guard: { approvals: jwsApprovals(trusted) },
    });
    const taskId = await room.begin();
    await room.post(`/runs/${taskId}/calls`, pay);
    const [entry] = await room.guard.orchestrator.inbox(taskId);
    const bare = resolved(entry!.message.messageId);
    const { status, body } = await resumed(room, taskId, [bare]);
    expect([status, JSON.parse(body)]).toMatchObject([422, { interrupts: [{ code: 'APPROVAL_REQUIRED' }] }]);
    const signed = { ...bare, metadata: { 'agentcharter:approval': await signedBy(entry!) } };
    expect(ResumeEntrySchema.parse(signed)).toEqual(signed);
    const following = resumed(room, taskId, [signed]);
    await room.post(`/runs/${taskId}/conclusion`, { payload: {}, waits: true });
    expect((await following).status).toBe(200);
    expect(room.done).toEqual(['pay alice']);
  });
});

describe('interruptsOf and feedbackOf', () => {
  it('print a deadline by RFC 3339, and none for an interrupt without one', async () => {
    const { room, taskId } = await twoPayments();
    const { guard } = room;
    const [entry] = await guard.orchestrator.inbox(taskId);
    const [interrupt] = interruptsOf([entry!]);
    expect(DateTime.parse(interrupt?.expiresAt)).toBe(entry?.question.deadline);
    for (const deadline of [null, 'soon', '2026-11-21'])
      expect(interruptsOf([{ ...entry!, question: { ...entry!.question, deadline } }])[0]).not.toHaveProperty(
        'expiresAt',
      );
  });

  it('omit an offered followup, which is already delivered', async () => {
    const { room, taskId } = await twoPayments();
    const { guard } = room;
    const [entry] = await guard.orchestrator.inbox(taskId);
    expect(interruptsOf([{ ...entry!, question: { ...entry!.question, kind: 'followup' } }])).toEqual([]);
  });

  it('read a cancelled interrupt as a rejection, whatever else it says', () => {
    const interruptId = crypto.randomUUID();
    expect(feedbackOf([{ interruptId, status: 'cancelled', payload: { type: 'approve' } }])).toEqual([
      { feedback: { type: 'reject', target: interruptId } },
    ]);
  });
});
