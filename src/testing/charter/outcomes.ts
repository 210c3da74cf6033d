import type { FactChanges, Facts } from '../../optional/render/simulation.ts';
import type { Sample } from './samples.ts';

/** States that no usual outcome leads to: an event that leads there in some runs, and the action whose changes are then others. */
const rare = [
  { event: 'plan.proposed', action: 'applyTurn', to: 'execute.checking' },
  { event: 'plan.proposed', action: 'applyTurn', to: 'replace' },
  { event: 'plan.proposed', action: 'applyTurn', to: 'plan.asking' }, // the phases alone end there, because they ask no one
  { event: 'verifier.reported', action: 'applyFact', to: 'plan' },
  { event: 'human.responded', action: 'revise', to: 'plan' },
  { event: 'task.cancelled', action: 'failSafe', to: 'cancelled' },
] as const;

/** Returns the facts that an action always brings where an event leads to a state, and that it does not bring usually. */
const rareFacts = (
  samples: readonly Sample[],
  { event, action, to }: (typeof rare)[number],
  usually: Facts,
): Facts => {
  const leading = samples.filter(
    (one) => one.action === action && one.event === event && [...one.entered].some((id) => id.endsWith(to)),
  );
  const after: Facts = leading[0]?.after ?? {};
  return Object.fromEntries(
    Object.entries(after).filter(
      ([fact, value]) =>
        leading.every((one) => one.after[fact] === value) &&
        leading.some(({ before }) => (usually[fact] ?? before[fact]) !== value),
    ),
  );
};

/** Returns an outcome in which no write is left to undo once all is undone: both together are an endless decision. */
const consistent = (outcome: Facts): Facts =>
  outcome['isUndone'] === true && !Object.hasOwn(outcome, 'mustUndoWrites')
    ? { ...outcome, mustUndoWrites: false }
    : outcome;

type Outcomes = readonly [Facts, ...Facts[]];

/** Returns outcomes so that each has the choices of the next one: a guard reads them before its event changes anything. */
const inTurn = (outcomes: Outcomes, usually: Facts): Outcomes => {
  const names = [...new Set(outcomes.flatMap(Object.keys))].filter((name) => Object.hasOwn(usually, name));
  const choicesIn = (outcome: Facts): Facts =>
    Object.fromEntries(names.map((name) => [name, outcome[name] ?? usually[name] ?? false]));
  const [first, ...others] = outcomes;
  const next = [...others, first];
  return [
    consistent({ ...first, ...choicesIn(next[0] ?? first) }),
    ...others.map((outcome, at) => consistent({ ...outcome, ...choicesIn(next[at + 1] ?? first) })),
  ];
};

/** What the outcomes of a chart are read from. */
interface Seen {
  readonly samples: readonly Sample[];
  /** The guards among which events choose, as they usually do. */
  readonly choices: Facts;
  /** The actions that differ by the event. */
  readonly byEvent: ReadonlySet<string>;
}

/** Returns the usual changes of each action, and those of the rare outcomes of its events. */
export const changesOf = (
  usually: Readonly<Record<string, Readonly<Record<string, Facts>>>>,
  { samples, choices, byEvent }: Seen,
): Readonly<Record<string, FactChanges>> => {
  const outcomes = (action: string, event: string, usual: Facts): Outcomes => [
    usual,
    ...rare
      .filter((one) => one.action === action && one.event === event)
      .map((one) => rareFacts(samples, one, usual))
      .filter((unusual) => Object.keys(unusual).length > 0)
      .map((unusual) => ({ ...usual, ...unusual })),
  ];
  const changeOf = (action: string, of: Readonly<Record<string, Facts>>): FactChanges => {
    if (byEvent.has(action))
      return {
        by: 'event',
        of: Object.fromEntries(
          Object.entries(of).map(([event, usual]) => [
            event,
            inTurn(outcomes(action, event, usual), choices),
          ]),
        ),
      };
    const events = rare.filter((one) => one.action === action).map(({ event }) => event);
    if (events.length === 0) return { by: 'params', of };
    const [usual = {}] = Object.values(of);
    const others = events.map((event): readonly [string, Outcomes] => [
      event,
      [outcomes(action, event, usual).at(-1) ?? usual],
    ]);
    return { by: 'event', of: { '': [usual], ...Object.fromEntries(others) } };
  };
  return Object.fromEntries(Object.entries(usually).map(([action, of]) => [action, changeOf(action, of)]));
};
