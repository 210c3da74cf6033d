import * as z from 'zod';

const Place = z.object({ line: z.int().positive(), column: z.int().positive() });

const Mutant = z.object({
  status: z.enum([
    'Killed',
    'Timeout',
    'Survived',
    'NoCoverage',
    'CompileError',
    'RuntimeError',
    'Ignored',
    'Pending',
  ]),
  replacement: z.string(),
  testsCompleted: z.int().optional(),
  location: z.object({ start: Place, end: Place }),
});
type Mutant = z.infer<typeof Mutant>;

/** What is read of Stryker's report (mutation-testing-report-schema 2). */
export const Report = z.object({
  files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(Mutant) })),
});
export type Report = z.infer<typeof Report>;

/** A mutant as the list of survivors names it: by its text, for lines move. */
export const Change = z.strictObject({
  file: z.string(),
  /** The line on which it begins. */
  line: z.string(),
  code: z.string(),
  replacement: z.string(),
});
export type Change = z.infer<typeof Change>;

/** Mutants that no test need notice, and why. */
export const Survivors = z.array(Change.extend({ reason: z.string().min(20) }));
export type Survivors = z.infer<typeof Survivors>;

/** How many mutants met which end. */
export interface Tally {
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  /** No test ran to its end with them: that says nothing of the tests, and is not what is called surviving. */
  readonly untested: number;
}

/** What a report comes to: a run passes if nothing is said against it. */
export interface Verdict {
  readonly tally: Tally;
  /** Killed or timed out, of all: a fraction. */
  readonly score: number;
  readonly complaints: readonly string[];
}

/** The least score of an area, of all its mutants: the ones that are listed count against it too. */
export const leastScore = 0.95;

const endOf = ({ status, testsCompleted = 0 }: Mutant): keyof Tally => {
  if (status === 'Killed') return 'killed';
  if (status === 'Timeout') return 'timedOut';
  return status === 'Survived' && testsCompleted > 0 ? 'survived' : 'untested';
};

/** A text as the list of survivors holds it. */
export const onOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

const changeOf = (
  file: string,
  source: string,
  { location: { start, end }, replacement }: Mutant,
): Change => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const first = lines[0] ?? '';
  const last = lines.pop() ?? '';
  const code = [...lines, last.slice(0, end.column - 1)].join('\n').slice(start.column - 1);
  return { file, line: onOneLine(first), code: onOneLine(code), replacement: onOneLine(replacement) };
};

const nameOf = ({ file, line, code, replacement }: Change): string =>
  `${file}: in \`${line}\`, \`${code}\` made \`${replacement}\``;

/** The names of `some` that are not among `others`; of equal ones, as many as there are too many. */
const without = (some: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others];
  return some.filter((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
};

/** Judges a report by the survivors that are listed for its files. */
export const judge = (report: Report, listed: readonly Change[]): Verdict => {
  const ends = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ end: endOf(mutant), name: nameOf(changeOf(file, source, mutant)) })),
  );
  const named = (end: keyof Tally) => ends.filter((one) => one.end === end).map(({ name }) => name);
  const [survived, untested] = [named('survived'), named('untested')];
  const expected = listed.filter(({ file }) => file in report.files).map(nameOf);
  const tally = {
    killed: named('killed').length,
    timedOut: named('timedOut').length,
    survived: survived.length,
    untested: untested.length,
  };
  const score = ends.length === 0 ? 0 : (tally.killed + tally.timedOut) / ends.length;
  const low = `${(100 * score).toFixed(1)} % of ${ends.length} mutants were noticed: too few`;
  return {
    tally,
    score,
    complaints: [
      ...untested.map((name) => `no test ran: ${name}`),
      ...without(survived, expected).map((name) => `survived, and is not listed: ${name}`),
      ...without(expected, survived).map((name) => `listed, and did not survive: ${name}`),
      ...(score < leastScore ? [low] : []),
    ],
  };
};
