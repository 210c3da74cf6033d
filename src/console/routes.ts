import { toJsonLines as ledgerLines } from '../ledger/json-lines.ts';
import { toJsonLines as messageLines } from '../lineage/json-lines.ts';
import type { Orchestrator } from '../orchestrator/surface.ts';
import type { Person } from '../ports/ledger.ts';
import { inboxPage, questionView } from './api/inbox.ts';
import { groundsIn } from './api/grounds.ts';
import { ledgerPage, verdictOn } from './api/ledger.ts';
import { respond } from './api/respond.ts';
import { taskPage } from './api/tasks.ts';
import { taskView } from './api/task.ts';
import { threadPage } from './api/thread.ts';
import { document, icon, loadAssets } from './assets.ts';
import { missing } from './refused.ts';
import { file, json, type Reply } from './reply.ts';
import type { Refusal, Session } from './wire.ts';

/** A request that was let in: what its path names, and who is looking. */
export interface Asked {
  readonly orchestrator: Orchestrator;
  readonly query: URLSearchParams;
  /** What stands in the place of the `:` of the route. */
  readonly id: string;
  /** And of a second one. */
  readonly part: string;
  readonly identity: () => Promise<string | Person | null>;
  readonly body: () => Promise<unknown>;
}

const nameOf = (by: string | Person | null): string | null =>
  typeof by === 'string' || by === null ? by : by.id;

type Route = (asked: Asked) => Promise<Reply>;

const found = (what: string, value: unknown): Reply => (value === undefined ? missing(what) : json(value));

const asset =
  (name: 'page.js' | 'page.css' | 'chart.svg', type: string): Route =>
  async () => ({ status: 200, type, body: (await loadAssets())[name] });

const readOnly: Refusal = {
  code: 'read_only',
  message: 'The host names nobody who could answer: this console is read-only.',
};

/** Everything that is served, but the stream of changes; a `:` stands for one part of a path. */
export const routes: Readonly<Record<string, Route>> = {
  'GET ': async () => ({ status: 200, type: 'text/html', body: document }),
  'GET page.js': asset('page.js', 'text/javascript'),
  'GET page.css': asset('page.css', 'text/css'),
  'GET chart.svg': asset('chart.svg', 'image/svg+xml'),
  'GET icon.svg': async () => ({ status: 200, type: 'image/svg+xml', body: icon }),
  'GET api/session': async ({ identity }) => json({ identity: nameOf(await identity()) } satisfies Session),
  'GET api/tasks': async ({ orchestrator, query }) => json(await taskPage(orchestrator, query)),
  'GET api/tasks/:': async ({ orchestrator, id }) => found('task', await taskView(orchestrator, id)),
  'GET api/tasks/:/grounds': async ({ orchestrator, id }) =>
    json(groundsIn(await orchestrator.documents(id))),
  'GET api/tasks/:/ledger': async ({ orchestrator, id, query }) =>
    json(await ledgerPage(orchestrator, id, query)),
  'GET api/tasks/:/ledger/:': async ({ orchestrator, id, part }) =>
    found(
      'record',
      (await orchestrator.ledger(id)).find(({ seq }) => String(seq) === part),
    ),
  'GET api/tasks/:/verdict': async ({ orchestrator, id }) => json(await verdictOn(orchestrator, id)),
  'GET api/tasks/:/ledger.jsonl': async ({ orchestrator, id }) =>
    file('ledger.jsonl', ledgerLines(await orchestrator.ledger(id))),
  'GET api/threads/:': async ({ orchestrator, id, query }) => json(await threadPage(orchestrator, id, query)),
  'GET api/threads/:/thread.jsonl': async ({ orchestrator, id }) =>
    file('thread.jsonl', messageLines(await orchestrator.thread(id))),
  'GET api/inbox': async ({ orchestrator, query }) => json(await inboxPage(orchestrator, query)),
  'GET api/inbox/:': async ({ orchestrator, id }) => found('question', await questionView(orchestrator, id)),
  'POST api/respond': async ({ orchestrator, identity, body }) => {
    const by = await identity();
    if (by === null) return json(readOnly, 403);
    await respond(orchestrator, await body(), by);
    return json({});
  },
};

/** The route that a request names, and what stands in its places. */
export const routeTo = (
  method: string,
  path: string,
): { readonly route: Route; readonly id: string; readonly part: string } | undefined => {
  const parts = path.replace(/^\//, '').split('/');
  const [, , id = '', , part = ''] = parts;
  const pattern = parts.map((word, at) => (at === 2 || at === 4 ? ':' : word));
  const key = `${method} ${pattern.join('/')}`;
  // `hasOwn`: the path of a request may be a name that every object has
  const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
  return route && { route, id: decoded(id), part: decoded(part) };
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
