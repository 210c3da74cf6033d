import type { CarryOver } from './carrying.ts';
import type { Ports } from './duties/performer.ts';
import type { Environment } from './environment.ts';
import type { Node } from './node.ts';
import type { Mediate } from './read-arguments.ts';
import type { TaskCache } from './task-cache.ts';

/** What stands beside the shell, each in a room of its own that is loaded at its first call. */
export interface Rooms {
  /** Holds tasks one by one, by leases, where several processes share a store. */
  readonly leasedNode: (ports: Ports, cache: TaskCache) => Promise<Node>;
  readonly carryOver: CarryOver;
  readonly mediate: Mediate;
  /** Reads the message of another participant. Returns what receives it once. Throws `document_invalid`. */
  readonly readReceived: (
    given: unknown,
    sender: unknown,
  ) => Promise<(ports: Environment, cache: TaskCache) => Promise<void>>;
}
