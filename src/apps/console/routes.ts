import { toJsonLines as ledgerLines } from '../../core/ledger/json-lines.ts';
import { toJsonLines as messageLines } from '../../optional/lineage/json-lines.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { Person } from '../../base/ports/ledger.ts';
import { readBody } from '../../optional/server/body.ts';
import { eventStream } from '../../optional/server/events.ts';
import type { App } from '../../optional/server/face.ts';
import { asset } from '../../optional/server/pages.ts';
import { json, missing, problem } from '../../optional/server/problem.ts';
import { groundsIn } from './api/grounds.ts';
import { inboxPage, questionView } from './api/inbox.ts';
import { ledgerPage, verdictOn } from './api/ledger.ts';
import { respond } from './api/respond.ts';
import { operate, stuckTasks } from './api/stuck.ts';
import { taskView } from './api/task.ts';
import { taskPage } from './api/tasks.ts';
import { threadPage } from './api/thread.ts';
import { document, icon, loadAssets } from './assets.ts';
import type { createChanges } from './changes.ts';
import type { ConsoleOptions } from './options.ts';
import type { Session } from './wire.ts';

/** The dependencies of the routes. */
interface Parts extends Required<Pick<ConsoleOptions, 'identity' | 'operates' | 'onError'>> {
  readonly orchestrator: Orchestrator;
  readonly changes: ReturnType<typeof createChanges>;
}

const nameOf = (by: string | Person | null): string | null =>
  typeof by === 'string' || by === null ? by : by.id;

const found = (what: string, value: unknown): Response => (value === undefined ? missing(what) : json(value));

/** Answers with newline-delimited JSON, as a download. */
const file = (name: string, body: string): Response =>
  new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
  });

const addPage = (app: App): void => {
  app
    .get('/', () => asset('text/html', document))
    .get('/page.js', async () => asset('text/javascript', (await loadAssets())['page.js']))
    .get('/page.css', async () => asset('text/css', (await loadAssets())['page.css']))
    .get('/chart.svg', async () => asset('image/svg+xml', (await loadAssets())['chart.svg']))
    .get('/icon.svg', () => asset('image/svg+xml', icon));
};

const addTasks = (app: App, orchestrator: Orchestrator): void => {
  app
    .get('/api/tasks', async ({ req }) => json(await taskPage(orchestrator, new URL(req.url).searchParams)))
    .get('/api/tasks/:id', async ({ req }) => found('task', await taskView(orchestrator, req.param('id'))))
    .get('/api/tasks/:id/grounds', async ({ req }) =>
      json(groundsIn(await orchestrator.documents(req.param('id')))),
    )
    .get('/api/tasks/:id/ledger', async ({ req }) =>
      json(await ledgerPage(orchestrator, req.param('id'), new URL(req.url).searchParams)),
    )
    .get('/api/tasks/:id/ledger/:seq', async ({ req }) => {
      const records = await orchestrator.ledger(req.param('id'));
      return found(
        'record',
        records.find(({ seq }) => String(seq) === req.param('seq')),
      );
    })
    .get('/api/tasks/:id/verdict', async ({ req }) => json(await verdictOn(orchestrator, req.param('id'))))
    .get('/api/tasks/:id/ledger.jsonl', async ({ req }) =>
      file('ledger.jsonl', ledgerLines(await orchestrator.ledger(req.param('id')))),
    );
};

const addThreads = (app: App, orchestrator: Orchestrator): void => {
  app
    .get('/api/threads/:id', async ({ req }) =>
      json(await threadPage(orchestrator, req.param('id'), new URL(req.url).searchParams)),
    )
    .get('/api/threads/:id/thread.jsonl', async ({ req }) =>
      file('thread.jsonl', messageLines(await orchestrator.thread(req.param('id')))),
    );
};

const addInbox = (app: App, { orchestrator, identity, operates }: Parts): void => {
  app
    .get('/api/session', async ({ req: { raw }, env: { given } }) => {
      const by = await identity(raw, given);
      const may = by !== null && (await operates(by));
      return json({ identity: nameOf(by), operates: may } satisfies Session);
    })
    .get('/api/inbox', async ({ req }) => json(await inboxPage(orchestrator, new URL(req.url).searchParams)))
    .get('/api/inbox/:id', async ({ req }) =>
      found('question', await questionView(orchestrator, req.param('id'))),
    )
    .post('/api/respond', async ({ req: { raw }, env: { given } }) => {
      const by = await identity(raw, given);
      if (by === null)
        return problem('read_only', 'This console is read-only, because no person is signed in.');
      const body = await readBody(raw, given);
      if ('refusal' in body) return body.refusal;
      await respond(orchestrator, body.value, by);
      return json({});
    })
    .get('/api/stuck', async () => json(await stuckTasks(orchestrator)))
    .post('/api/stuck', async ({ req: { raw }, env: { given } }) => {
      const by = await identity(raw, given);
      if (by === null || !(await operates(by)))
        return problem(
          'read_only',
          'Only an operator may do this: the `operates` option of the console says who is one.',
        );
      const body = await readBody(raw, given);
      if ('refusal' in body) return body.refusal;
      await operate(orchestrator, body.value, by);
      return json({});
    });
};

/** Adds all routes. */
export const addRoutes = (app: App, parts: Parts): void => {
  const { orchestrator, changes, onError } = parts;
  addPage(app);
  addTasks(app, orchestrator);
  addThreads(app, orchestrator);
  addInbox(app, parts);
  app.get('/events', ({ req, env: { link } }) =>
    eventStream(changes.follow(req.header('last-event-id') ?? null, link), link, onError),
  );
};
