import { causeOf } from '../../base/errors.ts';
import type { InboxEntry, Settled } from '../../core/kernel/summary.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { Human } from './human.ts';
import { bad } from './printer.ts';
import { Stop } from './stop.ts';
import type { Terminal } from './terminal.ts';

/** Returns a promise with its `resolve` and `reject`. */
const withResolvers = <Value>() => {
  let settle: Parameters<ConstructorParameters<typeof Promise<Value>>[0]> | undefined;
  const promise = new Promise<Value>((...both) => {
    settle = both;
  });
  const [resolve, reject] = settle ?? [() => {}, () => {}];
  return { promise, resolve, reject };
};

/** Where a task stopped: it settled, or a question has no answer. */
export type DriveResult = { readonly settled: Settled } | { readonly waits: InboxEntry };

/** Asks a human each question once. A skipped question pauses its tasks. */
export class Consultation {
  readonly #orchestrator: Orchestrator;
  readonly #human: Human;
  readonly #signal: AbortSignal;
  readonly #put = new Set<string>();
  readonly #skipped = new Map<string, InboxEntry>();
  readonly #waiting = new Set<() => void>();
  #failure: unknown;

  constructor(orchestrator: Orchestrator, human: Human, { interrupted, err }: Terminal) {
    this.#orchestrator = orchestrator;
    this.#human = human;
    this.#signal = interrupted();
    this.#signal.addEventListener('abort', () => this.#look());
    orchestrator.on('question', (entry) => this.#once(entry));
    orchestrator.on('error', ({ error }) => err.line(bad('error: '), causeOf(error)));
  }

  /** Asks the questions that are already open. */
  async open(): Promise<void> {
    for (const entry of await this.#orchestrator.inbox()) void this.#once(entry);
  }

  /** Waits until a task settles, or waits for an answer that no one gives. */
  async drive(taskId: string): Promise<DriveResult> {
    const settled = this.#orchestrator.settled(taskId).then((settled) => ({ settled }));
    settled.catch(() => {}); // the race below reports it, unless the task is paused
    const { promise: stopped, resolve, reject } = withResolvers<DriveResult>();
    const look = (): void => {
      const waits = [...this.#skipped.values()].find(({ path }) => path.includes(taskId));
      if (this.#failure !== undefined) reject(this.#failure);
      else if (waits !== undefined) resolve({ waits });
      else if (this.#signal.aborted) reject(new Stop(1, 'interrupted: the tasks stay as they are recorded'));
    };
    this.#waiting.add(look);
    look();
    return Promise.race([settled, stopped]).finally(() => this.#waiting.delete(look));
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }

  async #once(entry: InboxEntry): Promise<void> {
    const { messageId } = entry.message;
    if (this.#put.has(messageId)) return;
    this.#put.add(messageId);
    try {
      await this.#ask(entry);
    } catch (error) {
      this.#failure = error;
      this.#look();
    }
  }

  async #ask(entry: InboxEntry): Promise<void> {
    const { messageId: target } = entry.message;
    const answer = await this.#human.answer(entry, this.#signal);
    if (answer === undefined) {
      this.#skipped.set(target, entry);
      return this.#look();
    }
    await this.#orchestrator.respond({ ...answer, target }, { by: this.#human.by });
    if (answer.type === 'comment') await this.#ask(entry); // a comment does not answer the question
  }
}
