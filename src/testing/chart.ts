import {
  createEmptyActor,
  type ActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type EventFromLogic,
  type EventObject,
  type SnapshotFrom,
} from 'xstate';

/** The snapshot of a chart. */
export type SnapshotOf<Machine extends AnyStateMachine> = SnapshotFrom<Machine> & AnyMachineSnapshot;
export type EventOf<Machine extends AnyStateMachine> = EventFromLogic<Machine>;

/** A chart as a pure function. */
export interface Stepper<Snapshot, Event> {
  readonly initial: () => Snapshot;
  /**
   * Returns the same snapshot for a refused event. A settled chart refuses all events, as a live actor does.
   */
  readonly step: (snapshot: Snapshot, event: Event) => Snapshot;
}

/**
 * Called with the transitions of each microstep, including those without an event, and the resulting
 * snapshot.
 */
export type OnMicrostep = (taken: readonly AnyTransitionDefinition[], snapshot: AnyMachineSnapshot) => void;

const ignore = (): void => {};

/**
 * Returns a function that steps a chart without an actor: nothing is started, sent or scheduled.
 *
 * It reuses one scope, while XState's `transition` creates an actor for each step.
 */
export const stepper = <Machine extends AnyStateMachine>(
  machine: Machine,
  input: unknown,
  onMicrostep?: OnMicrostep,
): Stepper<SnapshotOf<Machine>, EventOf<Machine>> => {
  const self = createEmptyActor();
  Object.assign(self.system, { _set: ignore }); // no child is ever started, so its system id is always free
  const scope = {
    self,
    id: machine.id,
    sessionId: '',
    system: self.system,
    logger: ignore,
    defer: ignore,
    emit: ignore,
    stopChild: ignore,
    actionExecutor: ignore,
  } as unknown as ActorScope<AnyMachineSnapshot, EventObject>;
  if (onMicrostep)
    self.system.inspect((inspected) => {
      if (inspected.type === '@xstate.microstep')
        onMicrostep(inspected._transitions, inspected.snapshot as AnyMachineSnapshot);
    });
  return {
    initial: () => machine.getInitialSnapshot(scope, input) as SnapshotOf<Machine>,
    step: (snapshot, event) =>
      (snapshot as AnyMachineSnapshot).status === 'active'
        ? (machine.transition(snapshot, event, scope) as SnapshotOf<Machine>)
        : snapshot,
  };
};
