/** What a list of idle tasks needs of the tasks in memory. */
interface IdlePorts {
  readonly isIdle: (taskId: string) => boolean;
  readonly evict: (taskId: string) => void;
}

/** The idle tasks in memory, least recently used first: at most `limit`. */
export class IdleTasks {
  readonly #taskIds = new Set<string>();
  readonly #limit: number;
  readonly #ports: IdlePorts;

  constructor(limit: number, ports: IdlePorts) {
    this.#limit = limit;
    this.#ports = ports;
  }

  /** Marks a task as idle if it is, and evicts the least recently used ones. */
  mark(taskId: string): void {
    const { isIdle, evict } = this.#ports;
    if (!isIdle(taskId)) return;
    this.#taskIds.delete(taskId);
    this.#taskIds.add(taskId);
    for (const id of this.#taskIds) {
      if (this.#taskIds.size <= this.#limit) return;
      if (isIdle(id)) evict(id);
    }
  }

  delete(taskId: string): void {
    this.#taskIds.delete(taskId);
  }
}
