import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../work.ts';
import type { Desk } from './parts.ts';

/** A process on a server, and the keys that all of them share. */
export interface Connection {
  readonly url: string;
  readonly desk: Desk;
  /** The name of the process, which no other on the server has. */
  readonly node: string;
}

/** An engine on a server that other processes use too. */
export interface Connected {
  readonly engine: Engine;
  readonly close: () => Promise<unknown>;
}

/** Opened by name: where the peers are, ours is not, and the other way round. */
export const connections = {
  /** No server and no guarantee. It lets timers run between its runs, as a connection does. */
  switch: async (): Promise<Connected> => {
    const { engine } = await import('./switch.ts');
    const gated: Engine['gated'] = async (request, approval) => {
      await setImmediate();
      return engine.gated(request, approval);
    };
    return { engine: { ...engine, gated }, close: async () => {} };
  },
  agentcharter: async ({ url, desk }: Connection): Promise<Connected> =>
    (await import('./node.ts')).connectNode(url, desk),
  langgraph: async ({ url }: Connection): Promise<Connected> =>
    (await import('../peers/langgraph-postgres.ts')).connectLangGraph(url),
  'pg-boss': async ({ url, node }: Connection): Promise<Connected> =>
    (await import('../peers/pg-boss.ts')).connectPgBoss(url, node),
} as const;

/** Those that use the server. */
export type ServedEngine = Exclude<keyof typeof connections, 'switch'>;
