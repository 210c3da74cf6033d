import type { DefinedTaskClass } from '../define/task-class.ts';
import type { Approvals } from '../ports/approvals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Model } from '../ports/model.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store.ts';
import type { Tool } from '../ports/tool.ts';
import type { Verifier } from '../ports/verifier.ts';
import type { OrchestratorEvents } from './events.ts';
import type { Slots } from './slots.ts';

/** Everything that an orchestrator's tasks share. */
export interface Environment {
  readonly taskClasses: ReadonlyMap<string, DefinedTaskClass>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly verifiers: ReadonlyMap<string, Verifier>;
  readonly model: Model;
  readonly policy: Policy;
  readonly approvals: Approvals | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  readonly slots: Slots;
  readonly emit: <Name extends keyof OrchestratorEvents>(name: Name, event: OrchestratorEvents[Name]) => void;
}
