import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Charter } from './contracts/charter.ts';
import { keepFindings } from './contracts/kept.ts';
import { breakdown } from './contracts/page.ts';
import { study, type Findings } from './contracts/study.ts';
import { needed, suitesIn } from './contracts/suite.ts';
import { progress } from './settings.ts';

// Replays recorded suites of agents' tasks without a model, under every arm, and prints docs/reference/study.md. The suites
// are no part of the project. Each is replayed by a process of its own.

const own = fileURLToPath(new URL('contracts/charters', import.meta.url));
const self = fileURLToPath(import.meta.url);

const {
  values: { data, charters = own, part, every = '1' },
} = parseArgs({
  options: {
    data: { type: 'string' },
    charters: { type: 'string' },
    part: { type: 'string' },
    every: { type: 'string' },
  },
});

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const Module = z.object({ charter: z.custom<Charter>(isObject) });
const Found = z.custom<Findings>(isObject);

const charterFile = (suite: string): string => resolve(charters, `${suite}.ts`);

/** Replays one suite, and tells the process that asked for it. */
const replayPart = async (name: string): Promise<void> => {
  const suite = suitesIn(data ?? '').find((one) => one.name === name);
  if (suite === undefined) throw new Error(`no suite ${name} in ${data}`);
  const { charter } = Module.parse(await import(pathToFileURL(charterFile(name)).href));
  process.send?.(
    await study(suite, charter, { progress, every: z.coerce.number().int().positive().parse(every) }),
  );
};

const inProcess = (suite: string): Promise<Findings> =>
  new Promise((found, failed) => {
    const child = fork(self, [
      '--data',
      data ?? '',
      '--charters',
      charters,
      '--part',
      suite,
      '--every',
      every,
    ]);
    child.once('message', (message) => found(Found.parse(message)));
    child.once('exit', (code) => failed(new Error(`${suite} ended with ${code} and no findings`)));
  });

const replayAll = async (): Promise<void> => {
  const suites = data === undefined ? [] : suitesIn(data);
  if (suites.length === 0) {
    console.log(`The study needs recorded suites, which are no part of the project: --data DIR, ${needed}.`);
    return;
  }
  const names = suites.map(({ name }) => name);
  const lacking = names.filter((name) => !existsSync(charterFile(name)));
  const findings = await Promise.all(names.filter((name) => !lacking.includes(name)).map(inProcess));
  console.log(breakdown(findings));
  for (const name of lacking) console.log(`No charter: ${name}. It was not replayed.`);
  if (charters !== own || lacking.length > 0)
    return console.log('Not kept: only a study of every suite with the charters of the project is.');
  await keepFindings(findings);
  console.log(
    'Kept. Print the page: npx vitest run --config test/vitest.config.ts test/docs/reference/study.test.ts -u',
  );
};

await (part === undefined ? replayAll() : replayPart(part));
