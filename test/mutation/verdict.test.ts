import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { areas } from './areas.ts';
import { judge, leastScore, onOneLine, Report, Survivors, type Change, type Verdict } from './verdict.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const file = 'src/a.ts';
const source = 'const a = one && two;\nconst list = [\n  one,\n  two,\n];\n';
const place = (line: number, column: number) => ({ line, column });

type Planted = Readonly<Record<string, unknown>>;
const killed: Planted = {
  status: 'Killed',
  testsCompleted: 3,
  replacement: 'true',
  location: { start: place(1, 11), end: place(1, 14) },
};
/** `one && two` made `one || two`, and no test noticed. */
const survivor: Planted = {
  status: 'Survived',
  testsCompleted: 3,
  replacement: 'one || two',
  location: { start: place(1, 11), end: place(1, 21) },
};
const change: Change = {
  file,
  line: 'const a = one && two;',
  code: 'one && two',
  replacement: 'one || two',
};
const inWords = 'src/a.ts: in `const a = one && two;`, `one && two` made `one || two`';

const reportOf = (...mutants: readonly Planted[]): Report =>
  Report.parse({ schemaVersion: '1', files: { [file]: { language: 'typescript', source, mutants } } });
const times = <One>(count: number, one: One): readonly One[] => Array.from({ length: count }, () => one);

/** Beside as many killed mutants as keep the score up. */
const complaintsOn = (mutants: readonly Planted[], listed: readonly Change[] = []): readonly string[] =>
  judge(reportOf(...mutants, ...times(100, killed)), listed).complaints;

const verdictOf = (noticed: number, listed: number): Verdict =>
  judge(reportOf(...times(noticed, killed), ...times(listed, survivor)), times(listed, change));

describe('A mutation run', () => {
  test('passes where every mutant was noticed', () => {
    expect(judge(reportOf(killed, { ...killed, status: 'Timeout' }), [])).toEqual({
      tally: { killed: 1, timedOut: 1, survived: 0, untested: 0 },
      score: 1,
      complaints: [],
    });
  });

  test('fails by a survivor that is not listed, and names it', () => {
    expect(complaintsOn([survivor])).toEqual([`survived, and is not listed: ${inWords}`]);
  });

  test('passes with a survivor that is listed, wherever its line stands now', () => {
    expect(complaintsOn([survivor], [change])).toEqual([]);
    expect(complaintsOn([survivor], [{ ...change, file: 'src/b.ts' }])).toHaveLength(1);
  });

  test.each<[string, Partial<Change>]>([
    ['another replacement', { replacement: 'true' }],
    ['another part of the line', { code: 'one' }],
    ['another line', { line: 'const b = one && two;' }],
  ])('takes %s for another change', (_, other) => {
    expect(complaintsOn([survivor], [{ ...change, ...other }])).toEqual([
      `survived, and is not listed: ${inWords}`,
      expect.stringMatching(/^listed, and did not survive: /),
    ]);
  });

  test('fails by a listed survivor that is killed now: the list is stale', () => {
    expect(complaintsOn([], [change])).toEqual([`listed, and did not survive: ${inWords}`]);
    expect(complaintsOn([], [{ ...change, file: 'src/b.ts' }])).toEqual([]);
  });

  test('needs one entry for each of two equal survivors', () => {
    expect(complaintsOn([survivor, survivor], [change])).toHaveLength(1);
    expect(complaintsOn([survivor, survivor], [change, change])).toEqual([]);
    expect(complaintsOn([survivor], [change, change])).toHaveLength(1);
  });

  test.each<[string, Planted]>([
    ['that nothing covers', { status: 'NoCoverage', testsCompleted: undefined }],
    ['that survived no test', { testsCompleted: 0 }],
    ['that survived an unknown number of tests', { testsCompleted: undefined }],
    ['that broke the run', { status: 'RuntimeError' }],
    ['that does not compile', { status: 'CompileError' }],
    ['that was ignored', { status: 'Ignored' }],
    ['that was not reached', { status: 'Pending' }],
  ])('counts a mutant %s as not tested, and fails, also where it is listed', (_, changed) => {
    const mutant = { ...survivor, ...changed };
    expect(judge(reportOf(mutant), []).tally).toEqual({ killed: 0, timedOut: 0, survived: 0, untested: 1 });
    expect(complaintsOn([mutant])).toEqual([`no test ran: ${inWords}`]);
    expect(complaintsOn([mutant], [change])).toHaveLength(2);
  });

  test('names code of several lines on one', () => {
    const location = { start: place(2, 14), end: place(5, 2) };
    expect(complaintsOn([{ ...survivor, replacement: '[\n]', location }])).toEqual([
      'survived, and is not listed: src/a.ts: in `const list = [`, `[ one, two, ]` made `[ ]`',
    ]);
  });

  test('fails below 95 %, of all mutants: listed ones and untested ones count against it', () => {
    expect(leastScore).toBe(0.95);
    expect(verdictOf(95, 5)).toMatchObject({ score: 0.95, complaints: [] });
    expect(verdictOf(94, 6).complaints).toEqual(['94.0 % of 100 mutants were noticed: too few']);
    expect(judge(Report.parse({ files: {} }), []).complaints).toEqual([
      '0.0 % of 0 mutants were noticed: too few',
    ]);
  });

  test('is not judged by a report that cannot be read', () => {
    expect(() => reportOf({ ...killed, status: 'Forgotten' })).toThrow();
    expect(() => Report.parse({})).toThrow();
  });
});

describe('The list of survivors', () => {
  const listed = Survivors.parse(JSON.parse(read('test/mutation/survivors.json')));

  test.for(listed)('names code that is there: $file, $code', ({ file, line, code }) => {
    expect(areas.some(({ code }) => code.some((path) => file.startsWith(path)))).toBe(true);
    expect(read(file).split('\n').map(onOneLine)).toContain(line);
    expect(onOneLine(read(file))).toContain(code);
  });

  test('gives a reason for each', () => {
    expect(listed.length).toBeGreaterThan(0);
    expect(Survivors.safeParse([{ ...change, reason: 'so' }]).success).toBe(false);
    expect(Survivors.safeParse([change]).success).toBe(false);
  });
});
