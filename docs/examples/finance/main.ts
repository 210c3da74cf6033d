import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import type { Entry } from './records.ts';
import { inWords } from './report.ts';
import { isExpected, isRun, perform, runs, type Run } from './runs.ts';

const usage = `Usage: tsx docs/examples/finance/main.ts [${runs.join('|')}|all] [--json]

  --json  print each run as one JSON object a line, with every document that it emitted
`;

interface Options {
  readonly named: readonly Run[];
  readonly json: boolean;
}

/** The runs that a command line names; throws for one that names none. */
const readOptions = (args: string[]): Options => {
  const options = { json: { type: 'boolean', default: false } } as const;
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
  const [name = 'all', ...others] = positionals;
  if (others.length > 0) throw new Error('Name one run, or all.');
  if (name === 'all') return { named: runs, ...values };
  if (!isRun(name)) throw new Error(`There is no run ${JSON.stringify(name)}.`);
  return { named: [name], ...values };
};

/** Makes the runs and prints them; the exit code is 0 only when each ended as it must. */
const main = async ({ named, json }: Options): Promise<number> => {
  const directory = mkdtempSync(join(tmpdir(), 'finance-'));
  let code = 0;
  for (const run of named) {
    const file = join(directory, `${run}.jsonl`);
    const keep = (entry: Entry): void => appendFileSync(file, `${JSON.stringify(entry)}\n`);
    const report = await perform(run, { keep, store: sqliteStore(join(directory, `${run}.db`)) });
    const asExpected = isExpected(run, report);
    if (!asExpected) code = 1;
    if (json) console.log(JSON.stringify({ run, asExpected, ...report }));
    else console.log(`${run}: ${asExpected ? 'as expected' : 'NOT AS EXPECTED'}\n${inWords(report)}\n`);
  }
  if (!json) console.log(`The journals of the bank, and the tasks, are in ${directory}`);
  return code;
};

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
}
process.exitCode = options === undefined ? 2 : await main(options);
