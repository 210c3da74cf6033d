import { CharterError } from '../../base/errors.ts';
import type { CallerRollback } from '../../base/ports/caller.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import { rollbackKey } from '../kernel/view.ts';
import type { WorkSignal } from './work-signal.ts';

interface OpenRollback extends CallerRollback {
  readonly end: (explanation: string | null) => void;
}

interface Recording {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Returns the caller's name for a call. */
export const refOf = ({ ref, id }: Pick<CallDocument, 'ref' | 'id'>): string => ref ?? id;

/** The callers that are here to perform a call themselves, and the rollbacks that wait for them. */
export class Callers {
  /** What `changed` calls after a task began to wait for its caller. */
  onWait: (taskId: string) => void = () => {};
  /** The claims, by task and ref; each resolves when it is released. */
  readonly #claims = new Map<string, Promise<void>>();
  /** The calls that are cleared as far as they can be without their caller, by task. */
  readonly #waiting = new Map<string, Map<string, () => void>>();
  readonly #rollbacks = new Map<string, Map<string, OpenRollback>>();
  /** The rollbacks whose end is being recorded, by key. */
  readonly #recording = new Map<string, Recording>();

  /** Claims a call for one caller, once no other claims it. Returns a function that releases the claim. */
  async claim(taskId: string, ref: string): Promise<() => void> {
    const key = keyOf(taskId, ref);
    while (this.#claims.has(key)) await this.#claims.get(key);
    let release: (() => void) | undefined;
    this.#claims.set(key, new Promise((resolve) => (release = resolve)));
    this.#waiting.get(taskId)?.get(ref)?.();
    return () => {
      this.#claims.delete(key);
      release?.();
    };
  }

  isClaimed(taskId: string, call: CallDocument): boolean {
    return this.#claims.has(keyOf(taskId, refOf(call)));
  }

  /** Waits until the caller of a call claims it. Returns `false` if the work is aborted first. */
  async claimed(taskId: string, call: CallDocument, signal: WorkSignal): Promise<boolean> {
    const ref = refOf(call);
    while (!signal.aborted && !this.isClaimed(taskId, call)) {
      const waiting = this.#waiting.get(taskId) ?? new Map<string, () => void>();
      await new Promise<void>((resolve) => {
        this.#waiting.set(taskId, waiting.set(ref, resolve));
        signal.onAbort(resolve);
        this.onWait(taskId);
      });
      waiting.delete(ref);
      if (waiting.size === 0) this.#waiting.delete(taskId);
    }
    return !signal.aborted;
  }

  /** Returns whether a call waits for its caller. */
  readonly isAwaited = (taskId: string, call: CallDocument | undefined): boolean =>
    call !== undefined && this.#waiting.get(taskId)?.has(refOf(call)) === true;

  /** Returns the refs of the calls of a task that wait for their caller. */
  readonly waiting = (taskId: string): readonly string[] => [...(this.#waiting.get(taskId)?.keys() ?? [])];

  /** Waits until the caller of a write has undone it; returns why it was not, or `null`. */
  async undone(taskId: string, call: CallDocument, signal: WorkSignal): Promise<string | null> {
    const { rollback: action, tool, digest } = call;
    if (action === null) return 'its rollback is not declared';
    const ref = refOf(call);
    const open = this.#rollbacks.get(taskId) ?? new Map<string, OpenRollback>();
    this.#rollbacks.set(taskId, open);
    const ended = await new Promise<string | null>((end) => {
      open.set(ref, { ref, tool, action, intent: rollbackKey(digest), end });
      signal.onAbort(() => end('its caller did not undo it in time'));
      if (signal.aborted) end('its caller did not undo it in time');
      this.onWait(taskId);
    });
    open.delete(ref);
    if (open.size === 0) this.#rollbacks.delete(taskId);
    return ended;
  }

  /** Returns the rollbacks that a task's caller has to perform now. */
  readonly rollbacks = (taskId: string): readonly CallerRollback[] =>
    [...(this.#rollbacks.get(taskId)?.values() ?? [])].map(({ end: _end, ...rollback }) => rollback);

  /** Ends the waiting: what comes of it is no longer recorded here. */
  close(): void {
    for (const open of this.#rollbacks.values())
      for (const { end } of open.values()) end('its caller did not undo it before the orchestrator closed');
  }

  /**
   * Ends a rollback: `null` if the write is undone, else why it is not. Resolves when that is recorded. Throws `not_found` if none waits
   * under this ref.
   */
  async endRollback(taskId: string, ref: string, explanation: string | null): Promise<void> {
    const open = this.#rollbacks.get(taskId);
    const rollback = open?.get(ref);
    if (rollback === undefined)
      throw new CharterError(
        'not_found',
        `no rollback of call ${JSON.stringify(ref)} waits for its caller: \`run.rollbacks()\` lists those that do`,
        { kind: 'rollback', id: ref, known: [...(open?.keys() ?? [])] },
      );
    const recorded = new Promise<void>((resolve, reject) =>
      this.#recording.set(rollback.intent, { resolve, reject }),
    );
    rollback.end(explanation);
    await recorded;
  }

  /** Acknowledges the end of a rollback once `work` is over, which records it. */
  async recording(call: CallDocument | undefined, work: Promise<unknown>): Promise<void> {
    const key = rollbackKey(call?.digest ?? '');
    try {
      await work;
      this.#recording.get(key)?.resolve();
    } catch (error) {
      this.#recording.get(key)?.reject(error);
      throw error;
    } finally {
      this.#recording.delete(key);
    }
  }
}

const keyOf = (taskId: string, ref: string): string => `${taskId} ${ref}`;
