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

/** The snapshots of a chart, and the events that move it. */
export type SnapshotOf<Machine extends AnyStateMachine> = SnapshotFrom<Machine> & AnyMachineSnapshot;
export type EventOf<Machine extends AnyStateMachine> = EventFromLogic<Machine>;

/** A chart as a pure function: where it begins, and where an event takes it. */
export interface Stepper<Snapshot, Event> {
  readonly initial: () => Snapshot;
  /** The same snapshot where the event is refused; a settled chart takes none, as a live actor would not. */
  readonly step: (snapshot: Snapshot, event: Event) => Snapshot;
}

/** Hears each microstep: the transitions taken, those without an event included, and where they led. */
export type OnMicrostep = (taken: readonly AnyTransitionDefinition[], snapshot: AnyMachineSnapshot) => void;

const ignore = (): void => {};

/**
 * Steps a chart without an actor: nothing is started, sent or scheduled.
 *
 * One scope serves every step, where XState's own `transition` builds an actor for each.
 */
export const stepper = <Machine extends AnyStateMachine>(
  machine: Machine,
  input: unknown,
  onMicrostep?: OnMicrostep,
): Stepper<SnapshotOf<Machine>, EventOf<Machine>> => {
  const self = createEmptyActor();
  Object.assign(self.system, { _set: ignore }); // the system id of a child is free in every state, as none is ever started
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
