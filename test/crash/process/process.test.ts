import { afterAll, beforeAll, expect, it } from 'vitest';
import { courseNames, type CourseName } from './courses.ts';
import { figuresOf, inOneLine, rowsOf } from './figures.ts';
import { boundariesIn, checkOutcome, expectedVerdict, verdictOf } from './laws.ts';
import { buildProgram, type Program } from './program.ts';
import { atRandom, everyBoundary, randomOf, type Survey } from './stories.ts';
import { runTrial, type Outcome, type Story } from './trial.ts';

const amount = Number(process.env['CRASH_KILLS'] ?? 5);
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);

let program: Program;
let undisturbed: Readonly<Record<CourseName, Outcome>>;
let survey: Survey;

const inAll = async <Value>(value: (course: CourseName) => Promise<Value>) =>
  Object.fromEntries(
    await Promise.all(courseNames.map(async (course) => [course, await value(course)])),
  ) as Readonly<Record<CourseName, Value>>;

beforeAll(async () => {
  program = await buildProgram();
  undisturbed = await inAll((course) => runTrial(program, { course, ends: [], cut: 0 }));
  survey = await inAll(async (course) => {
    const [life] = undisturbed[course].lives;
    return { boundaries: life === undefined ? [] : boundariesIn(life), took: life?.took ?? 0 };
  });
});
afterAll(() => program.remove());

/** Runs a trial and holds it against every law; what breaks one names its story. */
const tried = async (story: Story): Promise<Outcome> => {
  const outcome = await runTrial(program, story);
  try {
    await checkOutcome(outcome, undisturbed[story.course]);
    return outcome;
  } catch (cause) {
    throw new Error(`${JSON.stringify(story)}, seed ${seed}: ${String(cause)}`, { cause });
  }
};

/** Where one kill was planned, what became of what had begun is known beforehand. */
const checkVerdict = ({ story: { ends }, ...outcome }: Outcome): void => {
  const [end, ...others] = ends;
  if (end === undefined || !('boundary' in end) || others.length > 0) return;
  const lines = outcome.lives[0]?.lines ?? [];
  const boundary = boundariesIn({ lines }).at(-1);
  expect({ boundary, verdict: verdictOf(outcome) }).toEqual({ boundary, verdict: expectedVerdict(lines) });
};

/** Two at a time; the first that throws is the last that is begun. */
const inTwo = async <Given>(
  all: IterableIterator<Given>,
  work: (one: Given) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = [];
  const one = async (): Promise<void> => {
    for (const given of all) {
      if (failures.length > 0) return;
      await work(given).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all([one(), one()]); // neither is left running
  for (const failure of failures) throw failure;
};

it('finds no violation in an uninterrupted run', async () => {
  for (const course of courseNames) await checkOutcome(undisturbed[course], undisturbed[course]);
});

it('has the same crash points of every kind on each run', () => {
  expect(rowsOf(undisturbed).map(({ boundaries }) => boundaries)).toMatchInlineSnapshot(`
    [
      25,
      25,
      27,
      27,
      25,
      1,
      1,
      1,
      19,
      19,
      21,
      21,
      19,
      2,
      2,
      2,
      21,
      21,
      23,
      23,
      21,
      3,
      3,
      3,
    ]
  `);
});

it('continues after each kill with the uninterrupted result', async () => {
  const outcomes: Outcome[] = [];
  const random = randomOf(seed);
  const attempt = async (story: Story): Promise<void> => {
    const outcome = await tried(story);
    checkVerdict(outcome);
    outcomes.push(outcome);
  };
  await inTwo(everyBoundary(survey).slice(0, amount).values(), attempt);
  const more = function* (): Generator<Story, void> {
    while (figuresOf(outcomes).kills < amount) yield atRandom(survey, random);
  };
  await inTwo(more(), attempt);
  const figures = figuresOf(outcomes);
  console.log(`seed ${seed}, ${inOneLine(figures)}`);
  expect(figures.kills).toBeGreaterThanOrEqual(amount);
  for (const figure of [figures.repeated, figures.known, figures.adopted, figures.asked])
    expect(figure).toBeGreaterThanOrEqual(1);
});

it('detects a tool that is declared idempotent and is not', async () => {
  const story = everyBoundary(survey).find(
    ({ course, ends: [end] }) =>
      course === 'reversal taken back' &&
      end !== undefined &&
      'boundary' in end &&
      survey[course].boundaries[end.boundary - 1]?.of === 'wire.reinstate',
  )!;
  const outcome = await runTrial(program, story, { forgets: 'wire.reinstate' });
  await expect(checkOutcome(outcome, undisturbed[story.course])).rejects.toThrow('each effect happens once');
});

it('detects a store that loses intents', async () => {
  const story = { course: 'reversal', ends: [], cut: 0 } as const;
  const outcome = await runTrial(program, story, { hidesIntents: true });
  await expect(checkOutcome(outcome, undisturbed.reversal)).rejects.toThrow(
    'an effect has an earlier intent of its own',
  );
});
