import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { momentText, type Moment } from './life.ts';
import { checkLaws, undisturbed, type Undisturbed } from './laws.ts';
import type { Scenario } from './scenarios.ts';
import { sound, Trial, type Parts, type Story } from './trial.ts';
import { share } from '../share.ts';

/** How many trials: FC_RUNS as other suites read it, a share where it is not set. */
export const trials = Number(process.env['FC_RUNS'] ?? share(160, 64));

/** How far into something: from 0 to less than 1, everywhere alike. */
export const part: fc.Arbitrary<number> = fc.noBias(fc.nat(99_999)).map((many) => many / 100_000);

/** A run that nobody disturbs: how it ends, and the moments that it comes by. */
export interface Quiet {
  readonly base: Undisturbed;
  readonly moments: readonly Moment[];
}

const known = new Map<string, Promise<Quiet>>();

const quietRun = async (scenario: Scenario, says: Story['says']): Promise<Quiet> => {
  const trial = new Trial({ scenario, says, crashes: [], isForgetful: false });
  await trial.run();
  const base = undisturbed(trial);
  await checkLaws(trial, base);
  return { base, moments: trial.lives[0]?.moments ?? [] };
};

/** What its tools say of doubt makes a difference only where something is in doubt though nothing crashed. */
export const quiet = (scenario: Scenario, says: Story['says']): Promise<Quiet> => {
  const given = scenario.isDoubtful === true ? says : ({ call: 'unsafe', rollback: 'unsafe' } as const);
  const key = `${scenario.name} ${given.call} ${given.rollback}`;
  const run = known.get(key) ?? quietRun(scenario, given);
  known.set(key, run);
  return run;
};

const describeStory = ({ scenario, says, crashes, isForgetful }: Story, { deaths }: Trial): string =>
  `${scenario.name}, calls ${says.call}, rollbacks ${says.rollback}, ${isForgetful ? 'nothing' : 'all'} kept in memory, ` +
  `crashes [${crashes.join(', ')}]: ${deaths.map(({ moment }) => momentText(moment)).join(', then ')}`;

/** Runs a trial, and throws the law that it breaks with all that replays it. */
export const tryOut = async (story: Story, parts: Parts = sound): Promise<Trial> => {
  const { base } = await quiet(story.scenario, story.says);
  const trial = new Trial(story, parts);
  try {
    await trial.run();
    await checkLaws(trial, base);
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const why = cause === undefined ? '' : ` ${inspect(cause, { depth: 4, breakLength: Infinity })}`;
    throw new Error(`${message} (${describeStory(story, trial)})${why}`, { cause: error });
  }
  return trial;
};
