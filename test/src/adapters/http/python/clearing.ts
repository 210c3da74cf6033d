import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Document = Readonly<Record<string, unknown>>;

/** How a clearing host answers a proposed call: it clears it, unless this says something else. */
export interface Answers {
  /** The answer to each proposal of a call, in order, or `null` for a connection that ends; `cleared` after the last. */
  readonly proposals?: readonly (Document | null)[];
  /** The answers to reports: a status, or `null` for a connection that ends. 200 after the last. */
  readonly reports?: readonly (number | null)[];
}

const bodyOf = async (request: IncomingMessage): Promise<Document> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Document;
};

const refused = { status: 'refused', code: 'NOT_DONE', issues: [] };

const outcomeOf = ({ status, result, explanation }: Document): Document =>
  status === 'done' ? { status, result, evidence: null } : { ...refused, explanation };

/** A host that lets callers perform: its form is that of `POST /runs/{id}/calls` with `performs: 'caller'`. */
export const clearing = async ({ proposals = [], reports = [] }: Answers = {}) => {
  const proposed: Document[] = [];
  const reported: Document[] = [];
  const known = new Map<string, Document>();
  let answered = 0;
  let heard = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: Document): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = decodeURIComponent(request.url ?? '');
    const body = await bodyOf(request);
    if (path === '/runs') return send(201, { taskId: 'task-1' });
    const [, ref] = /^\/runs\/task-1\/calls\/(.+)\/outcome$/.exec(path) ?? [];
    if (ref === undefined) {
      proposed.push(body);
      const cleared = {
        status: 'cleared',
        ref: `${String(body['ref'])}/ é`,
        arguments: body['arguments'],
        fence: 7,
        intent: `sha256:${JSON.stringify(body['arguments']).length}`,
        expiresAt: '2030-01-01T00:00:00Z',
      };
      const proposal = answered < proposals.length ? proposals[answered++] : cleared;
      if (proposal === null) return void request.socket.destroy();
      return send(200, known.get(cleared.ref) ?? proposal ?? {});
    }
    reported.push(body);
    const status = reports[heard++] ?? (heard > reports.length ? 200 : null);
    if (status === null) return void request.socket.destroy();
    if (status !== 200) return send(status, { code: 'body_too_large', detail: 'Expected less.' });
    if (!known.has(ref)) known.set(ref, outcomeOf(body));
    return send(200, known.get(ref) ?? {});
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once('listening', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, proposed, reported };
};
