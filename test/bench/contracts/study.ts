import { attackedRuns, attackers, honest, type Attacker } from './agents.ts';
import { arms, type Arm } from './arms.ts';
import type { Charter } from './charter.ts';
import { faults, faultyRuns, withLookups, type Fault } from './faults.ts';
import { judge, type Judged, type Replayed } from './judge.ts';
import { answererFor, chance, people, type Person } from './people.ts';
import { quarantined } from './quarantine.ts';
import { replay } from './replay.ts';
import type { Scenario } from './scenario.ts';
import type { Suite } from './suite.ts';

/** What is counted over the runs of one kind; the order is that of kept.json. */
export const columns = [
  'runs',
  'succeeded',
  'useful',
  'questions',
  'rightly',
  'due',
  'dueAsked',
  'leaks',
] as const;

/** What was counted over the runs of one kind. */
export type Tally = Readonly<Record<(typeof columns)[number], number>>;

/** Returns a tally with a number for each column. */
export const tallyWith = (count: (column: keyof Tally, at: number) => number): Tally =>
  Object.fromEntries(columns.map((column, at) => [column, count(column, at)])) as Tally; // of every column

/** A kind of run: honest, or with one of the attackers or faults. */
export type Kind = 'honest' | Attacker | Fault;

/** What the study found of a suite. */
export interface Findings {
  readonly suite: string;
  readonly digest: string;
  /** Tasks that are replayed, and all of the suite. */
  readonly tasks: number;
  readonly allTasks: number;
  /** One of so many attacked runs was replayed, chosen by the seed. */
  readonly every: number;
  readonly kinds: readonly Kind[];
  readonly tallies: Readonly<Partial<Record<string, Tally>>>;
}

const none = tallyWith(() => 0);

/** Returns the sum of tallies. */
export const summed = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((sum, one) => tallyWith((column) => sum[column] + one[column]), none);

const tallyOf = ({ hasSucceeded, isUseful, ...counted }: Judged): Tally => ({
  runs: 1,
  succeeded: hasSucceeded ? 1 : 0,
  useful: isUseful ? 1 : 0,
  ...counted,
});

const nameOf = (arm: Arm, kind: Kind, person: Person): string => `${arm}/${kind}/${person}`;

/** Returns what was counted over some kinds of runs. */
export const tallyIn = (
  { tallies }: Findings,
  arm: Arm,
  kinds: readonly Kind[],
  person: Person = 'attentive',
): Tally => summed(kinds.flatMap((kind) => tallies[nameOf(arm, kind, person)] ?? []));

/** The runs of a suite, by kind. */
interface Runs {
  readonly tasks: number;
  readonly byKind: readonly (readonly [Kind, readonly Scenario[]])[];
}

const runsOf = (suite: Suite, charter: Charter): Runs => {
  if (suite.injections !== null)
    return {
      tasks: suite.tasks.length,
      byKind: [
        ['honest', suite.tasks.map(honest)],
        ...attackers.map((kind) => [kind, attackedRuns(suite, charter, kind)] as const),
      ],
    };
  const complete = {
    ...suite,
    tasks: suite.tasks.flatMap((task) => withLookups(task, suite, charter) ?? []),
  };
  return {
    tasks: complete.tasks.length,
    byKind: [
      ['honest', complete.tasks.map(honest)],
      ...faults.map((kind) => [kind, faultyRuns(complete, charter, kind)] as const),
    ],
  };
};

/** Returns one of so many attacked runs of each kind, and every other run. */
const sampled = ({ tasks, byKind }: Runs, every: number): Runs => ({
  tasks,
  byKind: byKind.map(([kind, runs]) => [
    kind,
    kind === 'honest' ? runs : runs.filter(({ id }) => chance('sample', id) < 1 / every),
  ]),
});

const underArm = (scenario: Scenario, charter: Charter, arm: Arm, kind: Kind): Scenario =>
  arm === '+ quarantine' || arm === '+ refusing'
    ? quarantined(scenario, charter, kind === 'hijacked late')
    : scenario;

/** Returns whether a person answers as another did: then the run is the same. */
const answersAlike = ({ asked }: Replayed, one: Scenario, person: Person): boolean => {
  const [known, own] = [answererFor('attentive', one.user, one.id), answererFor(person, one.user, one.id)];
  return asked.every((call) => known(call, call.isEarly) === own(call, call.isEarly));
};

/** Replays a run with every person; one who answers as the attentive one does is not replayed again. */
const withPeople = async (
  scenario: Scenario,
  suite: Suite,
  charter: Charter,
  arm: Arm,
): Promise<readonly (readonly [Person, Tally])[]> => {
  const runWith = (person: Person): Promise<Replayed> =>
    replay(scenario, {
      suite,
      charter,
      arm,
      answers: answererFor(person, scenario.user, scenario.id),
    });
  const first = await runWith('attentive');
  const found: (readonly [Person, Tally])[] = [];
  for (const person of people) {
    const replayed = answersAlike(first, scenario, person) ? first : await runWith(person);
    found.push([person, tallyOf(judge(scenario, charter, replayed))]);
  }
  return found;
};

/** Replays every run of a suite under every arm. */
export const study = async (
  suite: Suite,
  charter: Charter,
  { progress, every = 1 }: { readonly progress: (text: string) => void; readonly every?: number },
): Promise<Findings> => {
  const { tasks, byKind } = sampled(runsOf(suite, charter), every);
  const tallies: Record<string, Tally> = {};
  for (const arm of arms)
    for (const [kind, scenarios] of byKind) {
      progress(`${suite.name}: ${arm}, ${kind}, ${scenarios.length} runs`);
      for (const scenario of scenarios)
        for (const [person, tally] of await withPeople(
          underArm(scenario, charter, arm, kind),
          suite,
          charter,
          arm,
        )) {
          const name = nameOf(arm, kind, person);
          tallies[name] = summed([tallies[name] ?? none, tally]);
        }
    }
  return {
    suite: suite.name,
    digest: suite.digest,
    tasks,
    allTasks: suite.tasks.length,
    every,
    kinds: byKind.map(([kind]) => kind),
    tallies,
  };
};
