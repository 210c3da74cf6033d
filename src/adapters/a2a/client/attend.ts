import { setTimeout as pause } from 'node:timers/promises';
import type { LedgerRecord } from '../../../ports/ledger.ts';
import type { Orchestrator } from '../../../orchestrator/surface.ts';
import { taskIn, type RemoteAgent } from './options.ts';

/** A remote task that a task here waits for. */
interface Awaited {
  readonly taskId: string;
  readonly dependency: string;
  readonly agent: RemoteAgent;
}

/** Milliseconds between two looks: at first, and at most. */
export interface AttendOptions {
  readonly every?: number;
  readonly atMost?: number;
}

/**
 * Looks at the remote tasks that tasks here wait for, and has them go on once those have moved; returns what ends it. What was
 * waited for before is looked at as well, so that it is begun again with the process.
 */
export const attendRemoteAgents = (
  orchestrator: Orchestrator,
  agents: readonly RemoteAgent[],
  { every = 1_000, atMost = 60_000 }: AttendOptions = {},
): (() => void) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const looking = new Map<string, string>();

  const awaitedIn = ({ taskId, fact, brought }: LedgerRecord): readonly Awaited[] => {
    const agent = agents.find(({ name }) => name === brought.agent);
    if (fact?.type !== 'dependency.awaited' || agent === undefined) return [];
    return [{ taskId, dependency: fact.dependency, agent }];
  };

  const hasMoved = async ({ agent, dependency }: Awaited): Promise<boolean> => {
    try {
      return await agent.hasMoved(taskIn(agent.name, dependency), signal);
    } catch {
      return false; // it is asked again, and the deadline of the dependency is the last word
    }
  };

  const look = async (awaited: Awaited): Promise<void> => {
    const { taskId, dependency, agent } = awaited;
    const id = `${taskId} ${dependency}`;
    if (looking.has(id)) return;
    looking.set(id, taskId);
    try {
      for (let wait = every; !(await hasMoved(awaited)); wait = Math.min(wait * 1.5, atMost)) {
        await pause(wait, undefined, { signal, ref: false });
        if (!looking.has(id)) return;
      }
      looking.delete(id); // it may be waited for again as soon as it goes on
      const met = { taskId: taskIn(agent.name, dependency) };
      await orchestrator.resolve(taskId, dependency, met, { by: agent.name });
    } catch {
      looking.delete(id); // stopped, or nobody waits for it any more
    }
  };

  /** What tasks have waited for before this began. */
  const takeUp = async (): Promise<void> => {
    for (const { taskId, isSettled } of await orchestrator.list()) {
      if (isSettled) continue;
      const records = await orchestrator.ledger(taskId);
      for (const awaited of records.flatMap(awaitedIn)) void look(awaited);
    }
  };

  const stops = [
    orchestrator.on('record', (record) => {
      for (const awaited of awaitedIn(record)) void look(awaited);
    }),
    orchestrator.on('settled', ({ taskId }) => {
      for (const [id, of] of looking) if (of === taskId) looking.delete(id);
    }),
  ];
  takeUp().catch(() => {}); // it closes
  return () => {
    for (const stop of stops) stop();
    stopping.abort();
  };
};
