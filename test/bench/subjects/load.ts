import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { connections, type Connection } from '../engines/served.ts';
import { allReady } from '../signals.ts';
import { approvalOf, newRequest } from '../work.ts';

export interface LoadOf extends Connection {
  readonly engine: keyof typeof connections;
  /** Gated runs that are under way at any time. */
  readonly atOnce: number;
  /** Runs before it is ready. */
  readonly warmUp: number;
  readonly seconds: number;
}

/** What one process did in the time that was measured. */
export interface Loaded {
  /** Milliseconds of each run that ended. */
  readonly latencies: readonly number[];
  /** CPU milliseconds of the process. */
  readonly cpu: number;
}

/** Keeps an engine busy with gated runs, and measures a part of that time, which begins at the start signal. */
export const measureLoad = async ({
  engine: name,
  atOnce,
  warmUp,
  seconds,
  ...connection
}: LoadOf): Promise<Loaded> => {
  const { engine, close } = await connections[name](connection);
  const warmth = new EventEmitter();
  const isWarm = once(warmth, 'warm');
  const end = new AbortController();
  let [runs, isMeasured] = [0, false];
  const latencies: number[] = [];
  const run = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const begun = performance.now();
      const request = newRequest('write_high_risk');
      const ended = await engine.gated(request, approvalOf(request));
      if (ended !== 'deliver') throw new Error(`a run ended with ${ended}`);
      runs += 1;
      if (runs === warmUp) warmth.emit('warm');
      if (isMeasured) latencies.push(performance.now() - begun);
    }
  };
  const load = Promise.all(Array.from({ length: atOnce }, run));
  await Promise.race([isWarm, load]);
  await allReady();
  const before = process.cpuUsage();
  isMeasured = true;
  await Promise.race([setTimeout(seconds * 1_000), load]);
  isMeasured = false;
  const { user, system } = process.cpuUsage(before);
  end.abort();
  await load;
  await close();
  return { latencies, cpu: (user + system) / 1_000 };
};

export interface PreparationOf extends Omit<Connection, 'node'> {
  readonly engine: keyof typeof connections;
  readonly nodes: readonly string[];
}

/** Connects each node once, one after another: it creates tables and queues, which several at once cannot. */
export const prepareServed = async ({ engine, nodes, ...connection }: PreparationOf): Promise<null> => {
  for (const node of nodes) await (await connections[engine]({ ...connection, node })).close();
  return null;
};
