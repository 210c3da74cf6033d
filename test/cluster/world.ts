import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { machineTime, toolNames, type Effect, type Request, type ToolName } from './events.ts';

const Asked = z.object({
  kind: z.enum(['call', 'rollback', 'lookup']),
  tool: z.enum(toolNames),
  key: z.string(),
  fence: z.number().nullable(),
});

/** What a resource can do about requests that come late or twice. */
interface Ability {
  readonly honoursKeys: boolean;
  readonly refusesOldFences: boolean;
}

const abilities: Readonly<Record<ToolName, Ability>> = {
  post: { honoursKeys: true, refusesOldFences: true },
  ship: { honoursKeys: false, refusesOldFences: true },
  pay: { honoursKeys: false, refusesOldFences: true },
  mail: { honoursKeys: false, refusesOldFences: false },
};

/** The resource behind the tools, outside all nodes. It records each request, with its fence and key. */
export class World {
  readonly log: Effect[] = [];
  readonly #done = new Set<string>();
  readonly #newest = new Map<string, number>();
  readonly #server: Server;
  readonly #isFenced: boolean;

  /** A world that is not fenced takes any token: a planted fault. */
  constructor(isFenced: boolean) {
    this.#isFenced = isFenced;
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const answer = this.take(Asked.parse(JSON.parse(body)));
        response.end(JSON.stringify({ answer }));
      });
    });
  }

  /** Returns its address. */
  open(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        const { port } = this.#server.address() as AddressInfo;
        resolve(`http://127.0.0.1:${port}`);
      });
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Returns whether something happened under this key. */
  has(key: string): boolean {
    return this.#done.has(key);
  }

  /** Answers a request, and records it. */
  take(request: Request): Effect['answer'] {
    const answer = this.#answerTo(request, abilities[request.tool]);
    this.log.push({ ...request, at: machineTime(), answer });
    if (answer === 'done') this.#done.add(request.key);
    return answer;
  }

  #answerTo({ kind, key, fence }: Request, { honoursKeys, refusesOldFences }: Ability): Effect['answer'] {
    const newest = this.#newest.get(key) ?? 0;
    if (this.#isFenced && refusesOldFences && fence !== null && fence < newest) return 'refused';
    this.#newest.set(key, Math.max(newest, fence ?? 0));
    if (kind === 'lookup') return this.has(key) ? 'found' : 'absent';
    return honoursKeys && this.has(key) ? 'known' : 'done';
  }
}
