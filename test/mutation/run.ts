import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { areas, type Area } from './areas.ts';
import { judge, Report, Survivors, type Verdict } from './verdict.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reportFile = `${root}coverage/mutation.json`;
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const listed = Survivors.parse(read(`${root}test/mutation/survivors.json`));

const run = (command: string, given: readonly string[], area: string): void => {
  // One seed, so that a random test notices the same mutants each time.
  const env = { FC_SEED: '1', ...process.env, MUTATED_AREA: area };
  const { status, error } = spawnSync(command, given, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}`, { cause: error });
};

const verdictOn = ({ name, code }: Area): Verdict => {
  const mutated = code.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)).join();
  rmSync(reportFile, { force: true }); // no run is judged by the report of another
  run(
    'test/mutation/node_modules/.bin/stryker',
    ['run', 'test/mutation/stryker.config.json', '--mutate', mutated],
    name,
  );
  return judge(Report.parse(read(reportFile)), listed);
};

const rowOf = (name: string, { tally, score }: Verdict): string =>
  [
    name.padEnd(14),
    ...[tally.killed, tally.timedOut, tally.survived, tally.untested].map((count) =>
      String(count).padStart(10),
    ),
    `${(100 * score).toFixed(1)} %`.padStart(9),
  ].join('');

const wanted = process.argv.slice(2);
const chosen = areas.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0) throw new Error(`expected some of: ${areas.map(({ name }) => name).join(', ')}`);

run('npm', ['ci', '--prefix', 'test/mutation', '--no-audit', '--no-fund'], '');
const verdicts = chosen.map((area) => ({ name: area.name, verdict: verdictOn(area) }));

console.log(`${'area'.padEnd(14)}    killed timed out  survived  untested    score`);
for (const { name, verdict } of verdicts) console.log(rowOf(name, verdict));
const complaints = verdicts.flatMap(({ verdict }) => verdict.complaints);
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;
