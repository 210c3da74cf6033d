import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { told } from './life.ts';
import { checkLaws, undisturbed, type Undisturbed } from './laws.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { sound, Trial, type Parts, type Story } from './trial.ts';

/** How many trials: FC_RUNS as other suites read it, a few hundred where it is not set. */
export const trials = Number(process.env['FC_RUNS'] ?? 200);

/** How far into something: from 0 to less than 1, everywhere alike. */
export const part: fc.Arbitrary<number> = fc.noBias(fc.nat(99_999)).map((many) => many / 100_000);

/** A run that nobody disturbs: how it ends, and the moments that it comes by. What its tools say of doubt makes no difference. */
export interface Quiet {
  readonly scenario: Scenario;
  readonly base: Undisturbed;
  readonly moments: number;
}

const quietRun = async (scenario: Scenario): Promise<Quiet> => {
  const says = { call: 'unsafe', rollback: 'unsafe' } as const;
  const trial = new Trial({ scenario, says, crashes: [], isForgetful: false });
  await trial.run();
  const base = undisturbed(trial);
  await checkLaws(trial, base);
  return { scenario, base, moments: trial.lives[0]?.moments.length ?? 0 };
};

export const quietRuns = async (): Promise<readonly Quiet[]> => {
  const runs: Quiet[] = [];
  for (const scenario of scenarios) runs.push(await quietRun(scenario));
  return runs;
};

const tellStory = ({ scenario, says, crashes, isForgetful }: Story, { deaths }: Trial): string =>
  `${scenario.name}, calls ${says.call}, rollbacks ${says.rollback}, ${isForgetful ? 'nothing' : 'all'} kept in memory, ` +
  `crashes [${crashes.join(', ')}]: ${deaths.map(({ moment }) => told(moment)).join(', then ')}`;

/** Runs a trial, and throws the law that it breaks with all that replays it. */
export const tryOut = async (story: Story, base: Undisturbed, parts: Parts = sound): Promise<Trial> => {
  const trial = new Trial(story, parts);
  try {
    await trial.run();
    await checkLaws(trial, base);
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const why = cause === undefined ? '' : ` ${inspect(cause, { depth: 4, breakLength: Infinity })}`;
    throw new Error(`${message} (${tellStory(story, trial)})${why}`, { cause: error });
  }
  return trial;
};
