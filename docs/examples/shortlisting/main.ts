import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import freelancers from './freelancers.json' with { type: 'json' };
import { readAnswers, scriptedHuman } from './human.ts';
import { createMailer } from './mail.ts';
import { readOptions, type Options } from './options.ts';
import { printDocuments, printResult, printThread } from './report.ts';
import { openSearch } from './search.ts';
import { shortlist, type Result } from './shortlist.ts';
import { openMailServer } from './smtp.ts';
import { terminalHuman } from './terminal.ts';

const exitCodes: Record<Result['end'], number> = { delivered: 0, failed: 1, paused: 3 };
const second = 1_000;

/** Runs the workflow from the command line; the exit code is 0 only when it delivered. */
const main = async ({ json, answers, mail, store }: Options): Promise<number> => {
  const { stdin, stdout, stderr } = process;
  const prepared =
    answers ?? (stdin.isTTY ? undefined : fileURLToPath(new URL('answers.json', import.meta.url)));
  if (prepared !== undefined && answers === undefined)
    stderr.write(`There is no terminal: the answers are those of ${prepared}.\n\n`);
  const human =
    prepared === undefined ? terminalHuman(stdin, stderr) : scriptedHuman(await readAnswers(prepared));
  const server = await openMailServer(mail ?? (await mkdtemp(join(tmpdir(), 'shortlisting-'))));
  const mailer = createMailer(server.url);
  try {
    const result = await shortlist({
      search: openSearch(freelancers),
      mailer,
      human,
      store: sqliteStore(store),
      patience: (prepared === undefined ? 60 : 1) * second,
      watch: (orchestrator) => (json ? printDocuments : printThread)(orchestrator, stdout),
    });
    if (!json) {
      printResult(result, stdout);
      const stored = 'messages' in server ? await server.messages() : [];
      if (stored.length > 0)
        stdout.write(`The mail is in ${'directory' in server ? server.directory : ''}:\n`);
      for (const file of stored) stdout.write(`  ${file}\n`);
    } else if (result.end === 'paused')
      stderr.write('Paused at needsHumanDecision: run it again to go on.\n');
    return exitCodes[result.end];
  } finally {
    mailer.close();
    await server.close();
  }
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(); // whoever read has read enough
});

const options = readOptions(process.argv.slice(2), process);
try {
  process.exitCode = typeof options === 'number' ? options : await main(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
