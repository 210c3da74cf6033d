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

/** The key of the call that a rollback undoes. */
const undoneBy = (key: string): string => key.replace(/^rollback:/, '');

/**
 * The resource behind the tools, outside all nodes. It records each request, with its fence and key. What was undone did not
 * happen, for a look-up and for a person; a tool that honours keys does nothing again under a key that was used.
 */
export class World {
  readonly log: Effect[] = [];
  readonly #used = new Set<string>();
  readonly #standing = new Set<string>();
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

  /** Returns whether something happened under this key, and was not undone since. */
  has(key: string): boolean {
    return this.#standing.has(key);
  }

  /** Answers a request, and records it. */
  take(request: Request): Effect['answer'] {
    const answer = this.#answerTo(request, abilities[request.tool]);
    this.log.push({ ...request, at: machineTime(), answer });
    if (answer === 'done') this.#change(request);
    return answer;
  }

  #change({ kind, key }: Request): void {
    this.#used.add(key);
    if (kind === 'rollback') this.#standing.delete(undoneBy(key));
    else this.#standing.add(key);
  }

  #answerTo({ kind, key, fence }: Request, { honoursKeys, refusesOldFences }: Ability): Effect['answer'] {
    const newest = this.#newest.get(key) ?? 0;
    if (this.#isFenced && refusesOldFences && fence !== null && fence < newest) return 'refused';
    this.#newest.set(key, Math.max(newest, fence ?? 0));
    if (kind === 'lookup') return this.has(key) ? 'found' : 'absent';
    return honoursKeys && this.#used.has(key) ? 'known' : 'done';
  }
}
