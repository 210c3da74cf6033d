import { randomUUID } from 'node:crypto';
import type { Connected } from '../engines/served.ts';
import {
  decide,
  evidenceOf,
  intake,
  isVerified,
  plan,
  reverseWire,
  type Approval,
  type Ended,
  type WireArguments,
  type WireEvidence,
  type WireRequest,
} from '../work.ts';

// pg-boss is installed in this folder only. So it is loaded by name, and these are the parts of its types that the bench
// uses.

interface Job {
  readonly data: Data;
}

interface Boss {
  readonly on: (event: 'error', listener: (error: Error) => void) => void;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly createQueue: (name: string) => Promise<void>;
  readonly send: (name: string, data: Data) => Promise<string | null>;
  readonly work: (
    name: string,
    options: { readonly batchSize: number; readonly pollingIntervalSeconds: number },
    handler: (jobs: readonly Job[]) => Promise<unknown>,
  ) => Promise<string>;
  readonly notifyWorker: (id: string) => void;
}

type PgBoss = new (options: { readonly connectionString: string }) => Boss;

const peer = 'pg-boss';

/** The state of a run, which each of its jobs carries. */
interface Data {
  readonly run: string;
  /** The process that began the run, and waits for its end. */
  readonly home: string;
  readonly request: WireRequest;
  readonly given?: WireArguments;
  readonly evidence?: WireEvidence;
  readonly approval?: Approval;
  readonly state?: Ended;
}

/** A queue and the job to send to it. */
type Next = readonly [queue: string, data: Data];

const asksOf = (home: string): string => `asks-${home}`;
const endsOf = (home: string): string => `ends-${home}`;
const endIn = (state: Ended, data: Data): Next => [endsOf(data.home), { ...data, state }];

/** The steps of the work, each a queue that every process serves. */
const steps: Readonly<Record<string, (data: Data) => Next | Promise<Next>>> = {
  intake: (data) => ['plan', { ...data, request: intake(data.request) }],
  plan: (data) => ['execute', { ...data, given: plan(data.request) }],
  execute: async (data) => [
    'verify',
    { ...data, evidence: evidenceOf(data.request, await reverseWire(data.given!)) },
  ],
  verify: (data) => (isVerified(data.request, data.evidence!) ? ['policy', data] : endIn('fail_safe', data)),
  policy: (data) => {
    const verdict = decide(data.request, data.approval ?? null);
    if (verdict === 'needs_review') return [asksOf(data.home), data];
    return verdict === 'allow' ? ['deliver', data] : endIn('fail_safe', data);
  },
  deliver: (data) => endIn('deliver', data),
};

/** The shortest interval that it allows. Within a process, workers are told of new jobs at once. */
const worker = { batchSize: 16, pollingIntervalSeconds: 0.5 };

const tell = (waiting: Map<string, (data: Data) => void>) => (data: Data) => {
  waiting.get(data.run)?.(data);
  waiting.delete(data.run);
};

const stateOf = ({ state = 'none' }: Data): Ended => state;

/**
 * pg-boss with a job for each step. Questions and ends go back to the process that began the run, by queues of its own. To
 * create queues deadlocks with other processes that do, or that work: connect once, one after another, before the load.
 */
export const connectPgBoss = async (url: string, home: string): Promise<Connected> => {
  const { default: Boss } = (await import(peer)) as { readonly default: PgBoss };
  const boss = new Boss({ connectionString: url });
  boss.on('error', (error) =>
    queueMicrotask(() => {
      throw error; // ends the process: a run that failed is not measured
    }),
  );
  await boss.start();

  const workers = new Map<string, string>();
  const send = async ([queue, data]: Next): Promise<void> => {
    await boss.send(queue, data);
    const id = workers.get(queue);
    if (id !== undefined) boss.notifyWorker(id);
  };
  const serve = async (queue: string, handle: (data: Data) => unknown): Promise<void> => {
    await boss.createQueue(queue);
    const handleAll = (jobs: readonly Job[]) => Promise.all(jobs.map(({ data }) => handle(data)));
    workers.set(queue, await boss.work(queue, worker, handleAll));
  };

  const asked = new Map<string, (data: Data) => void>();
  const ended = new Map<string, (data: Data) => void>();
  await serve(asksOf(home), tell(asked));
  await serve(endsOf(home), tell(ended));
  for (const [queue, step] of Object.entries(steps))
    await serve(queue, async (data) => send(await step(data)));

  const begin = (request: WireRequest) => {
    const data: Data = { run: randomUUID(), home, request };
    const question = new Promise<Data>((resolve) => asked.set(data.run, resolve));
    const end = new Promise<Data>((resolve) => ended.set(data.run, resolve));
    return { question, end, sent: send(['intake', data]) };
  };
  return {
    engine: {
      gated: async (request, approval) => {
        const { question, end, sent } = begin(request);
        await sent;
        await send(['policy', { ...(await question), approval }]);
        return stateOf(await end);
      },
      straight: async (request) => {
        const { end, sent } = begin(request);
        await sent;
        return stateOf(await end);
      },
    },
    close: () => boss.stop(),
  };
};
