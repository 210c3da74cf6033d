import { Worker } from 'node:worker_threads';
import { withoutHeapFlags } from './heap-flags.ts';

/** The answer of a worker and its duration in milliseconds. */
export interface Worked {
  readonly answer: unknown;
  readonly took: number;
}

/** A worker thread that processes one message at a time, each with a timeout. */
export interface BoundedWorker {
  /**
   * Sends a message to the worker and returns its answer. `timeLeft` is called when the message's turn comes; its
   * error is thrown. After that many milliseconds the thread is ended and `WorkerOverrun` is thrown. The next
   * message gets a new thread.
   *
   * If a thread that did other work before breaks or runs out of memory, the message is retried on a new one,
   * because the other work may be the reason. If a new thread breaks, `WorkerBroke` is thrown.
   */
  readonly run: (message: unknown, timeLeft: () => number) => Promise<Worked>;
}

/** Work that exceeded its time or memory. */
export class WorkerOverrun extends Error {
  override readonly name = 'WorkerOverrun';
  readonly milliseconds: number;

  constructor(milliseconds: number, options?: ErrorOptions) {
    super(`it takes longer than ${milliseconds} milliseconds, or too much memory`, options);
    this.milliseconds = milliseconds;
  }
}

/** A thread that ended before it answered, or could not be started. */
export class WorkerBroke extends Error {
  override readonly name = 'WorkerBroke';
}

/** The memory limits of a worker, in megabytes: a schema with doubling references would fill the process. */
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** Returns the next message of a thread, or throws why there is none. It keeps the process alive until then. */
const nextMessage = async (worker: Worker, ask: (give: (error: Error) => void) => void): Promise<unknown> => {
  const listeners = new AbortController();
  const once = (event: string, listener: (value: unknown) => void): void => {
    worker.once(event, listener);
    listeners.signal.addEventListener('abort', () => worker.off(event, listener));
  };
  worker.ref();
  try {
    return await new Promise((resolve, reject) => {
      once('message', resolve);
      once('error', reject);
      once('exit', () => reject(new Error('its thread ended')));
      ask(reject);
    });
  } finally {
    listeners.abort();
    worker.unref(); // an idle thread keeps no process alive
  }
};

const brokenBy = (cause: unknown): WorkerBroke =>
  new WorkerBroke(cause instanceof Error ? cause.message : 'it threw a value that is not an Error', {
    cause,
  });

/** Returns whether earlier work on the thread may have caused the error: a late failure, or memory that it kept. */
const mayBeEarlierWork = (error: unknown): boolean =>
  error instanceof WorkerBroke || (error instanceof WorkerOverrun && error.cause !== undefined);

const started = async (program: string, workerData: unknown): Promise<Worker> => {
  const worker = new Worker(program, {
    eval: true,
    workerData,
    resourceLimits: memory,
    env: {},
    execArgv: [],
  });
  worker.on('error', () => undefined); // an unhandled error ends the thread, not the process
  await nextMessage(worker, () => undefined).catch((cause: unknown) => {
    throw brokenBy(cause);
  });
  return worker;
};

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const answered = async (worker: Worker, message: unknown, milliseconds: number): Promise<Worked> => {
  let timer: NodeJS.Timeout | undefined;
  try {
    const reply = await nextMessage(worker, (rejectWith) => {
      // an answer that came while this process was not awake counts: it is read before the immediate
      const end = (): unknown => setImmediate(() => rejectWith(new WorkerOverrun(milliseconds)));
      timer = setTimeout(end, milliseconds);
      worker.postMessage(message, []);
    });
    return reply as Worked; // the program posts this type
  } catch (cause) {
    if (cause instanceof WorkerOverrun) throw cause;
    throw isOutOfMemory(cause) ? new WorkerOverrun(milliseconds, { cause }) : brokenBy(cause);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Creates a thread that runs a program of CommonJS text, started at first use.
 *
 * The program posts one message when it is ready, and then one `Worked` for each message. It is text so that it runs
 * from sources, from the build and from a bundle.
 */
export const createBoundedWorker = (program: string, workerData: unknown): BoundedWorker => {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const begin = async (): Promise<Worker> => {
    const worker = await withoutHeapFlags(() => started(program, workerData));
    worker.once('exit', () => {
      if (thread === worker) thread = null;
    });
    return worker;
  };

  const attempt = async (message: unknown, milliseconds: number): Promise<Worked> => {
    thread ??= await begin();
    const worker = thread;
    try {
      return await answered(worker, message, milliseconds);
    } catch (error) {
      thread = null;
      await worker.terminate();
      throw error;
    }
  };

  const next = async (message: unknown, timeLeft: () => number): Promise<Worked> => {
    const isUsed = thread !== null;
    try {
      return await attempt(message, timeLeft());
    } catch (error) {
      if (!isUsed || !mayBeEarlierWork(error)) throw error;
      return attempt(message, timeLeft());
    }
  };

  return {
    run: (message, timeLeft) => {
      const mine = last.then(() => next(message, timeLeft));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};
