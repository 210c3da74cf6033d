import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { createConsole, type ConsoleOptions } from '../../../../src/apps/console/index.ts';
import type { Orchestrator } from '../../../../src/index.ts';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it is written, `Host` and all, which `fetch` would not let through. */
export const raw = (url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { port, pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** A console that somebody opened, and what it answers them. */
export const served = async (orchestrator: Orchestrator, options: ConsoleOptions = {}) => {
  const room = createConsole(orchestrator, options);
  onTestFinished(() => room.close());
  const url = new URL(await room.listen());
  const opened = await raw(url.href);
  const cookie = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const { origin } = url;
  const ask = (path: string, { headers, ...sent }: Sent = {}): Promise<Answered> =>
    raw(`${origin}/${path}`, { ...sent, headers: { cookie, ...headers } });
  return {
    room,
    url,
    origin,
    cookie,
    opened,
    ask,
    get: async (path: string): Promise<unknown> => JSON.parse((await ask(path)).body) as unknown,
    post: (path: string, body: unknown): Promise<Answered> =>
      ask(path, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
};
