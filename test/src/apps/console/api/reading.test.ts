import { describe, expect, it } from 'vitest';
import { chartVersion } from '../../../../../machines/index.ts';
import type { Orchestrator } from '../../../../../src/index.ts';
import { fromJsonLines, verifyLedger } from '../../../../../src/core/ledger/index.ts';
import { lineageOf, fromJsonLines as messagesIn } from '../../../../../src/optional/lineage/index.ts';
import type { InboxPage, TaskPage } from '../../../../../src/apps/console/wire.ts';
import { desk, park } from '../../../core/shell/parked-store.ts';
import { asked, situations } from '../../../core/shell/situations.ts';
import { fails, scene } from '../../../core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../../../core/shell/scripted.ts';
import { served } from '../served.ts';

type Records = Awaited<ReturnType<Orchestrator['ledger']>>;

/** An orchestrator whose ledgers are others than they are. */
const withLedger = (orchestrator: Orchestrator, change: (records: Records) => Records): Orchestrator => ({
  ...orchestrator,
  ledger: async (taskId) => change(await orchestrator.ledger(taskId)),
});

describe('The list of tasks', () => {
  it('is paged, newest first, with the total', async () => {
    const { orchestrator, submit } = scene({ model: ({ asks }) => (asks === 'plan' ? plan() : draft()) });
    const taskIds: string[] = [];
    for (let n = 0; n < 120; n += 1) taskIds.push(await submit());
    const { get } = await served(orchestrator);
    const first = (await get('api/tasks')) as TaskPage;
    expect(first).toMatchObject({ total: 120, counts: { all: 120, asking: 0, open: 0, settled: 120 } });
    const second = (await get(`api/tasks?show=settled&after=${first.next}`)) as TaskPage;
    const last = (await get(`api/tasks?after=${second.next}`)) as TaskPage;
    const pages = [first, second, last].flatMap(({ tasks }) => tasks.map(({ taskId }) => taskId));
    expect(pages).toEqual(taskIds.toReversed());
    expect(last).toMatchObject({ next: null, total: 120 });
    expect(await get('api/tasks?show=open')).toMatchObject({ total: 0, tasks: [], next: null });
  });

  it('is searched by identifier at once, and by other text a thousand tasks a request', async () => {
    const { orchestrator, store } = await desk();
    for (let at = 0; at < 1_200; at += 1)
      await park(store, `task ${at}`, { threadId: at < 60 ? 'Old' : 'new', isSettled: at % 2 === 0 });
    const { get } = await served(orchestrator);
    const find = async (query: string) => (await get(`api/tasks?${query}`)) as TaskPage;
    expect(await find('find=task 3')).toMatchObject({ total: 1, next: null, tasks: [{ taskId: 'task 3' }] });
    expect(await find('find=task 1199&show=settled')).toMatchObject({ total: null, tasks: [] });
    const thread = await find('find=Old');
    expect(thread.tasks.map(({ threadId }) => threadId)).toEqual(Array(50).fill('Old'));
    expect((await find(`find=Old&after=${thread.next}`)).tasks).toHaveLength(10);
    const first = await find('find=OLD');
    expect(first).toMatchObject({ total: null, tasks: [] });
    const found = new Set<string>();
    for (let { next } = first; next !== null;) {
      const page = await find(`find=OLD&after=${next}`);
      expect(page.tasks.length).toBeLessThanOrEqual(50);
      for (const { taskId } of page.tasks) {
        expect(found.has(taskId)).toBe(false);
        found.add(taskId);
      }
      next = page.next;
    }
    expect(found.size).toBe(60);
  });

  it('has when each task began and what was requested, also if a ledger cannot be read', async () => {
    const { orchestrator, submit } = scene({ model: ({ asks }) => (asks === 'plan' ? plan() : draft()) });
    const broken = await submit({ order: 'o-1' });
    const taskId = await submit({ order: 'o-9', amount: 900 });
    const [opening] = await orchestrator.ledger(taskId);
    const began = { began: opening?.timestamp, about: 'order "o-9", amount 900' };
    const { get } = await served({
      ...orchestrator,
      ledger: async (of) => {
        if (of === broken) throw new Error('unreadable');
        return orchestrator.ledger(of);
      },
    });
    expect(((await get('api/tasks')) as TaskPage).tasks).toMatchObject([
      { taskId, ...began },
      { taskId: broken, began: null, about: '' },
    ]);
    expect(await get(`api/tasks/${taskId}`)).toMatchObject(began);
  });

  it('counts each task in one filter', async () => {
    const { orchestrator, store } = await desk();
    await park(store, 'asks', { questions: [{}] });
    await park(store, 'waits', { awaits: 1 });
    await park(store, 'ended', { isSettled: true });
    const { get } = await served(orchestrator);
    const { counts } = (await get('api/tasks')) as TaskPage;
    expect(counts).toEqual({ all: 3, asking: 1, open: 1, settled: 1 });
    for (const [show, taskId] of Object.entries({ asking: 'asks', open: 'waits', settled: 'ended' }))
      expect(await get(`api/tasks?show=${show}`)).toMatchObject({ total: 1, tasks: [{ taskId }] });
  });

  it.each(['after=', 'after=many', 'show=everything'])('refuses %s', async (query) => {
    const { ask } = await served(scene().orchestrator);
    expect((await ask(`api/tasks?${query}`)).status).toBe(422);
  });
});

describe('The inbox in the console', () => {
  it('is paged, the most urgent first, with the total and the class of each task', async () => {
    const { orchestrator, store } = await desk();
    const priorities = Array.from({ length: 60 }, (_, at) => (at * 7) % 60);
    for (const [at, priority] of priorities.entries())
      await park(store, `task ${at}`, { questions: [{ priority }, {}] });
    const { get, ask } = await served(orchestrator);
    const first = (await get('api/inbox')) as InboxPage;
    const last = (await get(`api/inbox?after=${first.next}`)) as InboxPage;
    expect([first.total, last.total, last.next]).toEqual([120, 120, null]);
    const shown = [...first.questions, ...last.questions].flatMap(({ priority }) => priority ?? []);
    expect(shown).toEqual(Array.from({ length: 60 }, (_, at) => 59 - at));
    expect(new Set(first.questions.map(({ taskClass }) => taskClass))).toEqual(new Set(['work']));
    expect((await ask('api/inbox?after=x')).status).toBe(422);
  });

  it('has the questions of an agent that lacks information as headline, and its reason beside them', async () => {
    const questions = ['Where?', '', 'When?'];
    const missing = { place: 'where to look' };
    const { orchestrator, submit, question } = scene({
      model: [plan([], { canProceed: false, explanation: 'No place is named.', questions, missing })],
    });
    await submit();
    await question();
    const { get } = await served(orchestrator);
    const line = { headline: 'Where? When?', why: 'No place is named.' };
    expect(await get('api/inbox')).toMatchObject({ questions: [line] });
  });

  it('answers null for a question that is closed, and 404 for one that never was', async () => {
    const { orchestrator, open } = await asked('plan');
    const target = open.message.messageId;
    const { get, ask } = await served(orchestrator);
    expect(await get(`api/inbox/${target}`)).toHaveProperty('entry');
    await orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
    expect(await get(`api/inbox/${target}`)).toBeNull();
    expect((await ask(`api/inbox/${crypto.randomUUID()}`)).status).toBe(404);
  });
});

describe('A task in the console', () => {
  it.each(Object.keys(situations) as (keyof typeof situations)[])(
    'that asks (%s) shows its state, its question and what blocks deliver in words',
    async (kind) => {
      const { orchestrator, open } = await asked(kind);
      const { get } = await served(orchestrator);
      const view = (await get(`api/tasks/${open.taskId}`)) as {
        reasons: { code: string; meaning: string }[];
        rail: { how: string }[];
      };
      expect(view).toMatchObject({ questions: [{ messageId: open.message.messageId, kind }] });
      if (kind === 'followup') expect(view.reasons).toEqual([]);
      else expect(view.reasons).toContainEqual(expect.objectContaining({ code: 'INPUT_REQUIRED' }));
      for (const { code, meaning } of view.reasons)
        if (code !== 'INPUT_REQUIRED') expect(meaning).toMatch(/\.$/);
      expect(view.rail.filter(({ how }) => how === 'paused')).toHaveLength(kind === 'followup' ? 0 : 1);
    },
  );

  it('that failed shows the reasons and the failed phase', async () => {
    const { orchestrator, submit, ended } = scene({
      verifiers: { strict: fails },
      taskClass: { beforeDeliver: { verifiers: ['strict'] }, limits: { repairs: 0 } },
    });
    const taskId = await submit();
    await ended(taskId);
    const { get } = await served(orchestrator);
    expect(await get(`api/tasks/${taskId}`)).toMatchObject({
      reasons: expect.arrayContaining([
        expect.objectContaining({ code: 'VERIFICATION_FAILED', about: 'strict' }),
      ]) as unknown,
      rail: [
        { phase: 'intake', how: 'passed' },
        { phase: 'plan', how: 'passed' },
        { phase: 'execute', how: 'passed' },
        { phase: 'verify', how: 'failed' },
        { phase: 'deliver', how: 'ahead' },
        { phase: 'fail_safe', how: 'failed' },
      ],
    });
  });

  it('that has not failed has no phase fail_safe', async () => {
    const { orchestrator, submit, ended } = scene();
    const taskId = await submit();
    await ended(taskId);
    const { get } = await served(orchestrator);
    const phases = ['intake', 'plan', 'execute', 'verify', 'deliver'];
    expect(await get(`api/tasks/${taskId}`)).toHaveProperty(
      'rail',
      phases.map((phase) => ({ phase, how: 'passed' })),
    );
  });

  it('of another chart version is shown without gate reasons', async () => {
    const { orchestrator, open } = await asked('plan');
    const older = withLedger(orchestrator, (records) =>
      records.map((record) => ({ ...record, brought: { ...record.brought, chart: 'older' } })),
    );
    const { get } = await served(older);
    expect(await get(`api/tasks/${open.taskId}`)).toMatchObject({ reasons: null });
  });

  it('that does not exist is answered with 404', async () => {
    const { ask } = await served(scene().orchestrator);
    for (const path of ['', '/grounds', '/ledger', '/verdict', '/ledger.jsonl'])
      expect((await ask(`api/tasks/nobody${path}`)).status).toBe(404);
  });
});

describe('A ledger in the console', () => {
  it('is paged without the records’ payloads at any length', async () => {
    const { orchestrator, submit } = scene();
    const taskId = await submit();
    const long = withLedger(orchestrator, ([first]) =>
      Array.from({ length: 100_000 }, (_, seq) => ({ ...first!, seq })),
    );
    const { ask } = await served(long);
    const { body } = await ask(`api/tasks/${taskId}/ledger?offset=99980`);
    const page = JSON.parse(body) as { total: number; records: { seq: number }[] };
    expect([page.total, page.records.at(-1)?.seq]).toEqual([100_000, 0]);
    expect(body.length).toBeLessThan(100_000);
    expect(body).not.toContain('brought');
  });

  it('returns a whole record on request', async () => {
    const { orchestrator, submit } = scene();
    const taskId = await submit();
    const { get } = await served(orchestrator);
    expect(await get(`api/tasks/${taskId}/ledger/1`)).toEqual((await orchestrator.ledger(taskId))[1]);
  });

  it('is verified and replayed', async () => {
    const { orchestrator, submit } = scene();
    const taskId = await submit();
    const { get } = await served(orchestrator);
    const { length } = await orchestrator.ledger(taskId);
    expect(await get(`api/tasks/${taskId}/verdict`)).toEqual({
      intact: true,
      replay: 'same',
      chart: chartVersion,
      records: length,
      replayed: length,
      erased: 0,
      findings: [],
    });
  });

  it('that was edited is reported in words', async () => {
    const { orchestrator, submit } = scene();
    const taskId = await submit();
    const edited = withLedger(orchestrator, (records) =>
      records.map((record) =>
        record.seq === 2 ? { ...record, actor: { kind: 'human', id: 'kim' } } : record,
      ),
    );
    const { get } = await served(edited);
    expect(await get(`api/tasks/${taskId}/verdict`)).toMatchObject({
      intact: false,
      findings: [{ seq: 2, code: 'edited', meaning: expect.stringContaining('sealed') as string }],
    });
  });

  it('is exported as verifiable lines, together with its thread', async () => {
    const { orchestrator, open } = await asked('plan');
    const { ask } = await served(orchestrator);
    const ledger = await ask(`api/tasks/${open.taskId}/ledger.jsonl`);
    expect(ledger.headers['content-disposition']).toContain('ledger.jsonl');
    expect(await verifyLedger(fromJsonLines(ledger.body))).toMatchObject({ intact: true });
    const { threadId } = open.message;
    const thread = await ask(`api/threads/${threadId}/thread.jsonl`);
    expect(lineageOf(messagesIn(thread.body))).toMatchObject({ threads: [{ threadId }], findings: [] });
  });
});

describe('A thread in the console', () => {
  it('is a tree that indents all but the last answer to a message', async () => {
    const { orchestrator, open } = await asked('plan');
    const target = open.message.messageId;
    for (const content of ['one', 'two'])
      await orchestrator.respond({ type: 'comment', target, content }, { by: 'dana' });
    await orchestrator.respond({ type: 'approve', target }, { by: 'kim' });
    const { get } = await served(orchestrator);
    const { rows } = (await get(`api/threads/${open.message.threadId}`)) as {
      rows: { depth: number; answers: number | null; message: { upFeedback?: { type: string } } }[];
    };
    const feedbackRows = rows.flatMap(({ message: { upFeedback }, depth, answers }) =>
      upFeedback === undefined ? [] : [[upFeedback.type, depth, answers]],
    );
    expect(feedbackRows).toEqual([
      ['comment', 1, 2],
      ['comment', 1, 2],
      ['approve', 0, 2],
    ]);
  });

  it('marks a superseded proposal', async () => {
    const { orchestrator, open } = await asked('plan');
    const target = open.message.messageId;
    await orchestrator.respond({ type: 'instruction', target, content: 'again' }, { by: 'dana' });
    const { get } = await served(orchestrator);
    const { rows } = (await get(`api/threads/${open.message.threadId}`)) as {
      rows: { isSuperseded: boolean; message: { messageId: string } }[];
    };
    expect(rows.filter(({ isSuperseded }) => isSuperseded).map(({ message }) => message.messageId)).toEqual([
      target,
    ]);
  });
});

describe('A very long document', () => {
  it('is shortened in a list, and complete in the export', async () => {
    const long = 'x'.repeat(100_000);
    const { orchestrator, submit } = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read', { call: async () => ({ long }) })],
    });
    const taskId = await submit({ long });
    const { get, ask } = await served(orchestrator);
    const { threadId } = (await orchestrator.list())[0]!;
    for (const path of [`api/tasks/${taskId}/grounds`, `api/threads/${threadId}`]) {
      const text = JSON.stringify(await get(path));
      expect(text).toContain('too long to show here');
      expect(text.length).toBeLessThan(20_000);
    }
    for (const path of [`api/tasks/${taskId}/ledger.jsonl`, `api/threads/${threadId}/thread.jsonl`])
      expect((await ask(path)).body).toContain(long);
  });

  it('is complete in the question that a person approves', async () => {
    const long = 'x'.repeat(100_000);
    const { orchestrator, submit, question } = scene({
      model: [plan([call('read'), call('write')]), draft()],
      tools: [
        readTool('read', { call: async () => ({ long }) }),
        writeTool('write', { tier: 'write_high_risk' }),
      ],
    });
    await submit();
    const { message } = await question();
    const { get } = await served(orchestrator);
    expect(await get(`api/inbox/${message.messageId}`)).toMatchObject({
      grounds: { evidence: [{ source: 'read', payload: { long } }], evidenceCount: 1 },
    });
  });
});

describe('A question about an output that could not be read', () => {
  const wrong = plan([call('read', { amount: 'much' })]);
  const asking = async () => {
    const site = scene({
      model: [wrong],
      tools: [readTool('read')],
      taskClass: { limits: { corrections: 0 } },
    });
    await site.submit();
    return { ...(await served(site.orchestrator)), entry: await site.question() };
  };

  it('is a sentence in the inbox', async () => {
    const { get } = await asking();
    const headline =
      'The model’s call of read could not be read after 1 attempt: the argument amount of read does not fit.';
    expect(await get('api/inbox')).toMatchObject({ questions: [{ headline }] });
  });

  it('has the output and what its schema reported beside it, for the folded details', async () => {
    const { get, entry } = await asking();
    expect(await get(`api/inbox/${entry.message.messageId}`)).toMatchObject({
      rejected: {
        output: wrong,
        issues: [{ path: '/calls/0/arguments/amount', message: 'must be a number, was a string' }],
      },
    });
  });

  it('has neither if the question is of another kind', async () => {
    const { orchestrator, submit, question } = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { tier: 'write_high_risk' })],
    });
    await submit();
    const { get } = await served(orchestrator);
    expect(await get(`api/inbox/${(await question()).message.messageId}`)).toMatchObject({ rejected: null });
  });
});

it('answers 503 after the orchestrator closed', async () => {
  const { orchestrator, leave } = scene();
  leave();
  const { ask } = await served(orchestrator);
  await orchestrator.close();
  const { status, body } = await ask('api/tasks');
  expect([status, JSON.parse(body)]).toMatchObject([503, { code: 'closed' }]);
});
