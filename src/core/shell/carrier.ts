import type { StoredTask } from '../../ports/store.ts';
import { carryOver, type CarryOverPorts } from './carry-over.ts';

/** Carries tasks over from an older chart, and keeps which ones until `recover` reports them. */
export class Carrier {
  readonly #ports: CarryOverPorts;
  readonly #taskIds = new Set<string>();

  constructor(ports: CarryOverPorts) {
    this.#ports = ports;
  }

  /** Returns a task as it is now. Throws what `carryOver` throws. */
  async carry(stored: StoredTask): Promise<StoredTask> {
    const now = await carryOver(stored, this.#ports);
    if (now !== stored) this.#taskIds.add(stored.indexEntry.taskId);
    return now;
  }

  /** Returns the tasks that were carried over since the last call. */
  take(): readonly string[] {
    const taskIds = Object.freeze([...this.#taskIds]);
    this.#taskIds.clear();
    return taskIds;
  }
}
