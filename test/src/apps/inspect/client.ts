import { EventEmitter, once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** One message of the wire, as a page gets it. */
export interface Message {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId: string;
  readonly parentId?: string;
  readonly name?: string;
  readonly definition?: string;
  readonly event?: Readonly<Record<string, unknown>>;
  readonly snapshot?: Readonly<Record<string, unknown>>;
  readonly _version?: string;
}

/** What a server answered to a request with exactly these headers. */
export const ask = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers, method, agent: false }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    asked.on('error', reject).end();
  });

/** The cookie that the address with the token is answered with. */
export const cookieOf = async (url: string): Promise<string> => {
  const { headers } = await ask(url);
  return String(headers['set-cookie']).split(';')[0] ?? '';
};

/** The stream that a viewer reads, before it reads. */
export const open = async (url: string): Promise<IncomingMessage> => {
  const cookie = await cookieOf(url);
  return new Promise((resolve, reject) => {
    request(new URL('/events', url), { headers: { cookie }, agent: false })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
};

const counted = 'event: unshown\ndata: ';

/** A viewer without a browser: everything that it was told so far, and a way to wait for more. */
export const view = async (url: string) => {
  const messages: Message[] = [];
  let unshown: number | undefined;
  const changes = new EventEmitter();
  let parts: string[] = [];
  const response = await open(url);
  const read = (part: string): void => {
    parts.push(part);
    if (!part.includes('\n')) return;
    const frames = parts.join('').split('\n\n');
    parts = [frames.pop() ?? ''];
    for (const frame of frames) {
      if (frame.startsWith('data: ')) messages.push(JSON.parse(frame.slice(6)) as Message);
      if (frame.startsWith(counted)) unshown = Number(frame.slice(counted.length));
    }
    changes.emit('change');
  };
  response
    .setEncoding('utf8')
    .on('data', read)
    .on('error', () => undefined)
    .on('close', () => changes.emit('change'));
  return {
    messages,
    /** How many tasks it was told are not shown. */
    unshown: () => unshown,
    /** Waits until what was told so far is enough, or the stream is over. */
    until: async (isEnough: (messages: readonly Message[]) => boolean): Promise<void> => {
      while (!isEnough(messages) && !response.closed) await once(changes, 'change');
    },
    leave: () => response.destroy(),
  };
};

export const ofType = (messages: readonly Message[], type: string): readonly Message[] =>
  messages.filter((message) => message.type === type);
