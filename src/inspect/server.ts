import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { targetIn } from '../boundary/request.ts';
import { Gate } from './gate.ts';
import { refused } from './options.ts';

/** What stands under a path: a text of a media type, or whatever it does with the response itself. */
export type Page =
  { readonly type: string; readonly text: string } | ((url: URL, response: ServerResponse) => void);

/** What is served, on which port, to whoever has which token. */
export interface Serving {
  readonly port: number;
  readonly token: string;
  readonly pages: Readonly<Record<string, Page>>;
  /** The origin of the page that may stand in a frame. */
  readonly framed: string;
}

export interface Served {
  /** The address to open: the token is in it. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const headers = (framed: string): Readonly<Record<string, string>> => ({
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    `frame-src ${framed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

export const answer = (response: ServerResponse, status: number, text: string, type = 'text/plain'): void =>
  void response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(text);

/** What is asked for by a request whose target is none. */
const nowhere = new URL('http://127.0.0.1/none');

const answering = (gate: Gate, { pages, framed }: Serving) => {
  const always = new Headers(headers(framed));
  return (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeaders(always);
    const url = targetIn(request) ?? nowhere;
    const given = url.searchParams.get('token');
    const refusal = gate.refusal(request, given);
    if (refusal !== undefined) return answer(response, refusal.status, refusal.why);
    const page = Object.hasOwn(pages, url.pathname) ? pages[url.pathname] : undefined;
    if (page === undefined) return answer(response, 404, 'there is no such page');
    if (given !== null) {
      const taken = { 'set-cookie': gate.cookie, location: url.pathname };
      return void response.writeHead(303, taken).end();
    }
    if (typeof page === 'function') return page(url, response);
    return answer(response, 200, page.text, page.type);
  };
};

/**
 * Serves pages on 127.0.0.1, and holds nobody up: neither the server nor its connections keep the process alive.
 *
 * Throws `definition_invalid` where the port cannot be had.
 */
export const serve = async (serving: Serving): Promise<Served> => {
  const server = createServer();
  server.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      const why =
        cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${cause.code ?? 'unknown'})`;
      const message = `${serving.port} on 127.0.0.1 ${why}; expected another, or 0 for one that is free`;
      reject(refused([{ path: '/port', message }], { cause }));
    };
    server.on('error', fail).listen(serving.port, '127.0.0.1', resolve); // stays: a later error has nobody to be told
  });
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : serving.port;
  server.on('request', answering(new Gate(port, serving.token), serving));
  return {
    url: `http://127.0.0.1:${port}/?token=${serving.token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
