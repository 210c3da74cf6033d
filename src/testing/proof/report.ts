import type { ProofSubject, WriteCase } from './subject.ts';

/** A world that was explored. */
export interface ProvedWorld {
  readonly name: string;
  readonly states: number;
}

/** What was proved of a task class. */
export interface Proof {
  /** The promises of the author and of the task class, as sentences. */
  readonly promises: readonly string[];
  /** The rules that hold for every task class, as sentences. */
  readonly rules: readonly string[];
  readonly worlds: readonly ProvedWorld[];
  readonly states: number;
  readonly steps: number;
  readonly milliseconds: number;
  /** What was not proved, as sentences. */
  readonly uncovered: readonly string[];
  /** All of this, in plain words. */
  readonly report: string;
}

/** The parts of a proof before they are put into words. */
interface ProofParts extends Omit<Proof, 'report' | 'uncovered'> {
  /** The worlds that were not explored. */
  readonly tooLarge: readonly string[];
  /** What these worlds could show. */
  readonly undecided: readonly string[];
  readonly limit: number;
}

const count = (of: number): string => of.toLocaleString('en-US');

const bulleted = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** The counts that a world tries at most, by the limit. */
const tried = {
  repairs: 1,
  rounds: 2,
  revisions: 1,
  corrections: 1,
  refreshes: 1,
  pauses: 2,
  clearances: 1,
  recoveries: 1,
} as const;

const heldReadCases = ([call, ...others]: ProofSubject['heldReads']): readonly WriteCase[] =>
  call === undefined ? [] : [{ call, represents: others.map(({ tool }) => tool) }];

/** Returns what a proof does not cover. */
const uncoveredOf = (
  { contract: { limits }, writes, holding, heldReads }: ProofSubject,
  parts: ProofParts,
): readonly string[] => {
  const beyond = Object.entries(tried).flatMap(([name, most]) => {
    const limit = limits[name as keyof typeof tried]; // a key of that constant
    return limit > most ? [`${name} ${most} of ${limit}`] : [];
  });
  return [
    'the code of policies, tools and verifiers: each gives any answer that it may give (test them by scenarios)',
    'the content of arguments, results and answers: one case for each that a rule distinguishes',
    'a plan with more than two writes',
    ...(holding.size === 0
      ? []
      : [
          `which calls of ${[...holding].join(', ')} are held: origins are computed outside of the chart (test them by scenarios)`,
        ]),
    ...(beyond.length === 0 ? [] : [`counts above these: ${beyond.join(', ')}`]),
    ...[...writes, ...heldReadCases(heldReads)].flatMap(({ call, represents }) =>
      represents.length === 0
        ? []
        : [`${represents.join(', ')}: only ${call.tool} was explored; they have the same rules`],
    ),
    ...parts.undecided.map((sentence) => `whether ${sentence}`),
    ...parts.tooLarge.map(
      (name) => `${name}: it has more than ${count(parts.limit)} states (raise \`limit\`)`,
    ),
  ];
};

/** Returns a proof with its report. */
export const reportOf = (subject: ProofSubject, parts: ProofParts): Proof => {
  const { tooLarge: _tooLarge, undecided: _undecided, limit: _limit, ...proof } = parts;
  const { promises, rules, worlds, states, milliseconds } = proof;
  const uncovered = uncoveredOf(subject, parts);
  const seconds = (milliseconds / 1_000).toFixed(1);
  const report = [
    `Task class ${subject.id} keeps what it promises, in ${count(states)} states of ${worlds.length} worlds (${seconds} s).`,
    `Proved:\n${bulleted([...promises, `${rules.length} rules of every task class`])}`,
    `In these worlds:\n${bulleted(worlds.map((world) => `${world.name} (${count(world.states)} states)`))}`,
    `Not covered:\n${bulleted(uncovered)}`,
  ].join('\n\n');
  return { ...proof, uncovered, report };
};
