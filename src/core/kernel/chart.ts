import { createActor, type SnapshotFrom } from 'xstate';
import {
  dutiesOf,
  outcomeOf,
  stateName,
  taskClass,
  taskMachine,
  type Duty,
  type Fact,
  type TaskClass,
} from '../../../machines/index.ts';
import type { Outcome } from '../../../schema/index.ts';

export type TaskSnapshot = SnapshotFrom<typeof taskMachine>;

const self = createActor(taskMachine, { input: { taskClass: taskClass({ id: 'none' }), request: '' } });
const refuse = (): never => {
  throw new Error('the chart of a task starts, stops, sends and emits nothing');
};

/** XState's `transition` needs a scope. The chart spawns, invokes and sends nothing, so that one serves all tasks. */
const scope: Parameters<typeof taskMachine.transition>[2] = {
  self,
  system: self.system,
  id: self.id,
  sessionId: self.sessionId,
  defer: refuse,
  emit: refuse,
  logger: refuse,
  stopChild: refuse,
  actionExecutor: refuse,
};

/** Returns the chart of a new task. */
export const begin = (contract: TaskClass, request: string): TaskSnapshot =>
  taskMachine.getInitialSnapshot(scope, { taskClass: contract, request });

/** Returns the chart after a fact: the same object if it does not accept the fact. */
export const next = (snapshot: TaskSnapshot, fact: Fact): TaskSnapshot =>
  snapshot.status === 'active' ? taskMachine.transition(snapshot, fact, scope) : snapshot;

/** The chart's part of a task. */
export interface Charted {
  readonly snapshot: TaskSnapshot;
  /** The operational state of UpFormat, and the states within it. */
  readonly state: string;
  readonly outcome: Outcome;
  readonly duties: readonly Duty[];
}

/** Returns the chart's part of a task. */
export const chartedIn = (snapshot: TaskSnapshot): Charted => ({
  snapshot,
  state: stateName(snapshot.value),
  outcome: outcomeOf(snapshot.context),
  duties: dutiesOf(snapshot),
});
