import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createWire, type Caller, type WireOptions } from 'agentcharter/adapters/http';
import type { GuardOptions } from 'agentcharter/guard';
import type { TaskClassDefinition } from 'agentcharter';
import { onTestFinished } from 'vitest';
import { openBank } from '../../guard/bank.ts';
import { undescribed } from './described.ts';

const agent = (agent_id: string, owner_id: string): Caller => ({
  agent: { agent_id, owner_id, control_class: 'human-supervised' },
});

/** Whom a host knows, by what they say in a header: in earnest, by what they can prove. */
export const callers: Readonly<Record<string, Caller>> = {
  teller: agent('teller', 'acme'),
  rival: agent('teller', 'emca'),
  scout: agent('scout', 'acme'),
  kim: { person: 'kim' },
};

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly type: string;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly as?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A request as it is written, `Host` and all, which `fetch` would not let through. */
export const raw = (
  url: string,
  { method = 'GET', as = 'teller', headers = {}, body }: Sent = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const path = url.slice(url.indexOf(port) + port.length);
    const who = as === null ? {} : { 'x-caller': as };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { ...type, ...who, ...headers },
      agent: false,
    };
    const sent = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        const answered = {
          status: response.statusCode ?? 0,
          headers: response.headers,
          type: response.headers['content-type'] ?? '',
          body: text,
        };
        const missing = undescribed(method, new URL(url).pathname, answered);
        if (missing === '') resolve(answered);
        else reject(new Error(missing));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** A wire around a bank; every answer of it is held against its description. */
export const served = async ({
  contract = {},
  guard = {},
  wire = {},
}: {
  readonly contract?: Partial<TaskClassDefinition>;
  readonly guard?: Partial<GuardOptions>;
  readonly wire?: Partial<WireOptions>;
} = {}) => {
  const fixture = openBank(contract, guard);
  const errors: unknown[] = [];
  const room = createWire(fixture.guard, {
    identity: ({ headers }) => {
      const name = headers.get('x-caller') ?? '';
      return Object.hasOwn(callers, name) ? (callers[name] ?? null) : null;
    },
    onError: (error) => errors.push(error),
    ...wire,
  });
  const url = await room.listen();
  const close = async (): Promise<void> => {
    await room.close();
    await fixture.guard.close();
  };
  onTestFinished(close);
  const ask = (path: string, sent?: Sent): Promise<Answered> => raw(`${url}${path}`, sent);
  const post = async (path: string, body: unknown, sent: Sent = {}) => {
    const {
      status,
      headers,
      body: text,
    } = await ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...sent,
    });
    return {
      status,
      headers,
      said: (text === '' ? null : JSON.parse(text)) as Readonly<Record<string, unknown>>,
    };
  };
  const get = async (path: string, sent: Sent = {}): Promise<Readonly<Record<string, unknown>>> =>
    JSON.parse((await ask(path, sent)).body) as Readonly<Record<string, unknown>>;
  const begin = async (sent: Sent = {}): Promise<string> => {
    const { said } = await post('/runs', { taskClass: 'job', payload: { for: 'test' } }, sent);
    return String(said['taskId']);
  };
  const target = async (taskId: string): Promise<string> => {
    const [entry] = await fixture.guard.orchestrator.inbox(taskId);
    return entry?.message.messageId ?? '';
  };
  const approve = async (taskId: string) =>
    post('/feedback', { feedback: { type: 'approve', target: await target(taskId) } }, { as: 'kim' });
  return { ...fixture, room, url, errors, close, ask, post, get, begin, target, approve };
};

export const read = { tool: 'read', arguments: { of: 'x' }, ref: 'r-1' };
export const pay = { tool: 'pay', arguments: { to: 'alice' }, ref: 'p-1' };
