import { request as open } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Fate } from './fate.ts';

/** What a process asks of the tool server. */
export interface Asked {
  readonly kind: 'read' | 'call' | 'rollback' | 'lookup' | 'told';
  readonly tool: string;
  readonly key: string;
  readonly input?: unknown;
  /** Its process is killed before anything is done. */
  readonly dies?: boolean;
}

const post = (url: string, asked: Asked): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const outgoing = open(url, { method: 'POST' }, (incoming) => {
      json(incoming).then(resolve, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(asked));
  });

/** Asks the tool server: the process may die before it does, while it waits for the answer, and once it has it. */
export const requester =
  (url: string, fate: Fate) =>
  async (asked: Asked): Promise<unknown> => {
    if (asked.kind === 'told') return post(url, asked);
    const of = asked.kind === 'lookup' ? `lookup of ${asked.tool}` : asked.tool;
    fate.pass('unsent', of);
    const answer = await post(url, { ...asked, dies: fate.comes('sent', of) });
    fate.pass('answered', of);
    return answer;
  };
export type Request = ReturnType<typeof requester>;
