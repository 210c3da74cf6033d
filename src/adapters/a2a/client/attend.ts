import { setTimeout as pause } from 'node:timers/promises';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { taskIn, type RemoteAgent } from './options.ts';

/** A remote task that a local task depends on. */
interface Awaited {
  readonly taskId: string;
  readonly dependency: string;
  readonly agent: RemoteAgent;
}

/** The polling interval in milliseconds: initial and maximum. */
export interface AttendOptions {
  readonly every?: number;
  readonly atMost?: number;
}

/**
 * Polls the remote tasks that local tasks depend on, and resumes a local task when its remote task has
 * changed. Returns a function that stops it. Call it at each start of the process: it also finds earlier
 * dependencies.
 */
export const attendRemoteAgents = (
  orchestrator: Orchestrator,
  agents: readonly RemoteAgent[],
  { every = 1_000, atMost = 60_000 }: AttendOptions = {},
): (() => void) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const polling = new Map<string, string>();

  const awaitedIn = ({ taskId, fact, brought }: LedgerRecord): readonly Awaited[] => {
    const agent = agents.find(({ name }) => name === brought.agent);
    if (fact?.type !== 'dependency.awaited' || agent === undefined) return [];
    return [{ taskId, dependency: fact.dependency, agent }];
  };

  const hasMoved = async ({ agent, dependency }: Awaited): Promise<boolean> => {
    try {
      return await agent.hasMoved(taskIn(agent.name, dependency), signal);
    } catch {
      return false; // retried at the next poll; the deadline of the dependency limits this
    }
  };

  const poll = async (awaited: Awaited): Promise<void> => {
    const { taskId, dependency, agent } = awaited;
    const id = `${taskId} ${dependency}`;
    if (polling.has(id)) return;
    polling.set(id, taskId);
    try {
      for (let wait = every; !(await hasMoved(awaited)); wait = Math.min(wait * 1.5, atMost)) {
        await pause(wait, undefined, { signal, ref: false });
        if (!polling.has(id)) return;
      }
      polling.delete(id); // a resumed task may depend on it again
      const met = { taskId: taskIn(agent.name, dependency) };
      await orchestrator.resolve(taskId, dependency, met, { by: agent.name });
    } catch {
      polling.delete(id); // stopped, or no longer needed
    }
  };

  /** Adds the dependencies from before this call. */
  const takeUp = async (): Promise<void> => {
    for (const { taskId } of await orchestrator.list({ isSettled: false })) {
      const records = await orchestrator.ledger(taskId);
      for (const awaited of records.flatMap(awaitedIn)) void poll(awaited);
    }
  };

  const stops = [
    orchestrator.on('record', (record) => {
      for (const awaited of awaitedIn(record)) void poll(awaited);
    }),
    orchestrator.on('settled', ({ taskId }) => {
      for (const [id, of] of polling) if (of === taskId) polling.delete(id);
    }),
  ];
  takeUp().catch(() => {}); // the orchestrator is closing
  return () => {
    for (const stop of stops) stop();
    stopping.abort();
  };
};
