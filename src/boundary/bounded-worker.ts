import { Worker } from 'node:worker_threads';

/** What a worker answered, and the milliseconds that it took. */
export interface Worked {
  readonly answer: unknown;
  readonly took: number;
}

/** Work on a thread of its own, one piece at a time, each with an end. */
export interface BoundedWorker {
  /**
   * Sends a message to the worker and returns its answer. `timeLeft` is asked when its turn comes, and what it throws is
   * thrown; after so many milliseconds the thread is ended, and `WorkerOverrun` is thrown. The next piece gets a new one.
   *
   * If a thread that did other work before breaks or runs out of memory, the work is done again on a new one: that other
   * work may be the reason. If a new one breaks as well, `WorkerBroke` is thrown.
   */
  readonly run: (message: unknown, timeLeft: () => number) => Promise<Worked>;
}

/** Work that took longer, or more memory, than it was given. */
export class WorkerOverrun extends Error {
  override readonly name = 'WorkerOverrun';
  readonly milliseconds: number;

  constructor(milliseconds: number, options?: ErrorOptions) {
    super(`it takes longer than ${milliseconds} milliseconds, or too much memory`, options);
    this.milliseconds = milliseconds;
  }
}

/** Work whose thread ended before it answered, or a thread that could not be started. */
export class WorkerBroke extends Error {
  override readonly name = 'WorkerBroke';
}

/** Megabytes that a worker may fill: a schema whose references double would fill the process. */
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** What a thread tells next, or why it tells nothing; the thread keeps the process alive until then. */
const toldBy = async (worker: Worker, ask: (give: (error: Error) => void) => void): Promise<unknown> => {
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
  new WorkerBroke(cause instanceof Error ? cause.message : 'it threw what is not an error', { cause });

/** Whether earlier work on a thread may be why it ended: what broke late, or the memory that it kept. */
const mayBeOfAnother = (error: unknown): boolean =>
  error instanceof WorkerBroke || (error instanceof WorkerOverrun && error.cause !== undefined);

const started = async (program: string, workerData: unknown): Promise<Worker> => {
  const worker = new Worker(program, {
    eval: true,
    workerData,
    resourceLimits: memory,
    env: {},
    execArgv: [],
  });
  worker.on('error', () => undefined); // an error that no one waits for ends the thread, and not the process
  await toldBy(worker, () => undefined).catch((cause: unknown) => {
    throw brokenBy(cause);
  });
  return worker;
};

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const answered = async (worker: Worker, message: unknown, milliseconds: number): Promise<Worked> => {
  let timer: NodeJS.Timeout | undefined;
  try {
    const told = await toldBy(worker, (giveUp) => {
      timer = setTimeout(() => giveUp(new WorkerOverrun(milliseconds)), milliseconds);
      worker.postMessage(message, []);
    });
    return told as Worked; // its program answers so
  } catch (cause) {
    if (cause instanceof WorkerOverrun) throw cause;
    throw isOutOfMemory(cause) ? new WorkerOverrun(milliseconds, { cause }) : brokenBy(cause);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * A thread that runs a program of CommonJS text, started when it is first needed.
 *
 * The program posts one message once it is ready, and then one `Worked` for each message that it gets. It is text so that it
 * runs as it is from sources, from what was built, and from a bundle.
 */
export const createBoundedWorker = (program: string, workerData: unknown): BoundedWorker => {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const begin = async (): Promise<Worker> => {
    const worker = await started(program, workerData);
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
      if (!isUsed || !mayBeOfAnother(error)) throw error;
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
