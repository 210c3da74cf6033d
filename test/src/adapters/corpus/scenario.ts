import { answerOf, toolName, turnsOf, type Arguments, type Call, type Earlier, type Entry } from './entry.ts';

/** A call of an entry, by the name of its tool. */
export interface NamedCall extends Call {
  readonly of: Entry;
  readonly name: string;
}

/** What one agent does: one entry, or several that need no conversation of their own, side by side. */
export interface Scenario {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly turns: readonly (readonly NamedCall[])[];
  readonly earlier: readonly Earlier[];
  readonly answer: Arguments;
}

/** How many entries one agent has: more would be faster, and what one does to another harder to see. */
const most = 8;

const standsAlone = ({ kind, turns, earlier, answer }: Entry): boolean =>
  kind === 'id' || turns !== undefined || earlier !== undefined || answer !== undefined;

const named = (of: Entry, call: Call): NamedCall => ({ ...call, of, name: toolName(of, call.tool) });

const alone = (entry: Entry): Scenario => ({
  id: entry.id,
  entries: [entry],
  turns: turnsOf(entry).map((calls) => calls.map((call) => named(entry, call))),
  earlier: entry.earlier ?? [],
  answer: answerOf(entry),
});

/** All of them read in the first turn, and write in the second. */
const together = (entries: readonly Entry[]): Scenario => ({
  id: entries.map(({ id }) => id).join(' '),
  entries,
  turns: [0, 1].map((turn) =>
    entries.flatMap((entry, at) =>
      (turnsOf(entry)[turn] ?? []).map((call) => named(entry, { ...call, id: `${call.id}-${at}` })),
    ),
  ),
  earlier: [],
  answer: { said: 'done' },
});

export const scenariosOf = (entries: readonly Entry[]): readonly Scenario[] => {
  const others = entries.filter((entry) => !standsAlone(entry));
  const count = Math.ceil(others.length / most);
  // each group has some of every kind, and so a write that waits
  const groups = Array.from({ length: count }, (_, group) =>
    others.filter((_one, at) => at % count === group),
  );
  return [...groups.map(together), ...entries.filter(standsAlone).map(alone)];
};
