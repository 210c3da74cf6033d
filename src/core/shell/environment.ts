import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { CharterError } from '../../base/errors.ts';
import type { Approvals } from '../../base/ports/approvals.ts';
import type { BlobOptions } from '../../base/ports/blobs.ts';
import type { Ids } from '../../base/ports/ids.ts';
import type { MayRespond } from '../../base/ports/may-respond.ts';
import type { Model } from '../../base/ports/model.ts';
import type { Attest, Policy } from '../../base/ports/policy.ts';
import type { Store } from '../../base/ports/store.ts';
import type { Telemetry } from '../../base/ports/telemetry.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { Verifier } from '../../base/ports/verifier.ts';
import type { Callers } from './callers.ts';
import type { Emit } from './events.ts';
import type { Holds } from './holds.ts';
import type { Meter } from './meter.ts';
import type { Pauses } from './pauses.ts';
import type { Quotas } from './quotas.ts';
import type { Redact } from './redact.ts';
import type { Slots } from './slots.ts';
import type { SteadyClock } from './steady-clock.ts';

/** The turns of agents that a process can take. */
export interface Turns {
  /** The task classes whose agents it runs. */
  readonly taskClasses: readonly string[];
  /** Returns the tasks that code of this process is working on, whatever their classes are. */
  readonly live: () => readonly string[];
  /** Returns those of them that the host works on, and no agent of the process. */
  readonly hosted: () => readonly string[];
}

/** The ports and settings that all tasks of an orchestrator share. */
export interface Environment {
  /** Returns a task class, which a stored task may need. Throws `not_found`. */
  readonly taskClassOf: (id: string, taskId?: string) => DefinedTaskClass;
  /** The tools by their names and by their former names. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly verifiers: ReadonlyMap<string, Verifier>;
  readonly model: Model;
  readonly policy: Policy;
  readonly approvals: Approvals | null;
  /** `null` if identities are not attested. */
  readonly attest: Attest | null;
  readonly mayRespond: MayRespond;
  readonly redact: Redact;
  readonly clock: SteadyClock;
  /** Milliseconds by which another clock may be ahead of this one. */
  readonly skew: number;
  readonly ids: Ids;
  readonly store: Store;
  /** Where large values go; `null` if they are cut. */
  readonly blobs: Required<BlobOptions> | null;
  readonly holds: Holds;
  readonly quotas: Quotas;
  readonly pauses: Pauses;
  readonly callers: Callers;
  readonly turns: Turns;
  /** Called when a write was refused because another owner took the store over. */
  readonly onStoreLost: (error: CharterError<'store_owned'>) => void;
  readonly telemetry: Telemetry | null;
  /** The secret that signs the chunks of streams. */
  readonly streamSecret: string | null;
  readonly slots: Slots;
  /** The maximum number of concurrent calls of models and tools. */
  readonly concurrency: number;
  /** Whether it performs the duties of its tasks; a guest only submits facts. */
  readonly isOwner: boolean;
  /** Whether it takes tasks by itself. */
  readonly takes: boolean;
  readonly emit: Emit;
  readonly meter: Meter;
}
