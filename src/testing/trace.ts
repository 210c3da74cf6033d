import type { AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import { stateName } from '../../machines/index.ts';
import { stepper, type EventOf } from './chart.ts';
import { eventText } from './event-text.ts';

/** An event of a run, the resulting state, and the citations of its transitions. */
export interface TraceStep<Machine extends AnyStateMachine> {
  readonly event: EventOf<Machine>;
  readonly from: string;
  readonly to: string;
  readonly cites: readonly string[];
}

const citationOf = ({ meta, description }: AnyTransitionDefinition): readonly string[] => {
  const cites: unknown = (meta as { readonly cites?: unknown } | undefined)?.cites;
  if (typeof cites === 'string') return [cites];
  return description === undefined ? [] : [description];
};

const place = ({ value }: AnyMachineSnapshot): string => stateName(value);

/** Returns the steps of a chart for these events. A refused event leads to the same state. */
export const traceOf = <Machine extends AnyStateMachine>(
  machine: Machine,
  input: unknown,
  events: readonly EventOf<Machine>[],
): readonly TraceStep<Machine>[] => {
  let taken: AnyTransitionDefinition[] = [];
  const { initial, step } = stepper(machine, input, (definitions) => taken.push(...definitions));
  let snapshot = initial();
  return events.map((event) => {
    taken = [];
    const from = place(snapshot);
    snapshot = step(snapshot, event);
    return { event, from, to: place(snapshot), cites: [...new Set(taken.flatMap(citationOf))] };
  });
};

/** Returns a run as text: each event, its states, and its citations. */
export const traceText = <Machine extends AnyStateMachine>(trace: readonly TraceStep<Machine>[]): string =>
  trace
    .map(({ event, from, to, cites }, at) => {
      const because = cites.length === 0 ? '' : `  [${cites.join('; ')}]`;
      return `${String(at + 1).padStart(3)}. ${eventText(event)}\n     ${from} -> ${to}${because}`;
    })
    .join('\n');
