import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Orchestrator } from 'agentcharter';
import { createConsole, type TaskConsole } from 'agentcharter/console';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import freelancers from './freelancers.json' with { type: 'json' };
import { elsewhere, readAnswers, scriptedHuman, type Human } from './human.ts';
import { languageModel } from './language-model.ts';
import { createMailer } from './mail.ts';
import { readOptions, type Options } from './options.ts';
import { printDocuments, printResult, printThread } from './report.ts';
import { openSearch } from './search.ts';
import { shortlist, type Result } from './shortlist.ts';
import { openMailServer } from './smtp.ts';
import { terminalHuman } from './terminal.ts';

const exitCodes: Record<Result['end'], number> = { delivered: 0, failed: 1, paused: 3 };
const second = 1_000;

interface Asking {
  readonly human: Human;
  /** Milliseconds that the offer waits for a choice. */
  readonly patience: number;
  /** Whether the questions are shown where they are answered, and not in the thread. */
  readonly isAsked?: boolean;
}

/** Returns who answers, and how long the offer waits. */
const humanFor = async ({ console, answers }: Options): Promise<Asking> => {
  const { stdin, stderr } = process;
  if (console) return { human: elsewhere, patience: 3_600 * second };
  if (answers === undefined && stdin.isTTY) {
    stderr.write('Answer here; or in a browser: npm start -- --console\n\n');
    return { human: terminalHuman(stdin, stderr), patience: 3_600 * second, isAsked: true };
  }
  const prepared = answers ?? fileURLToPath(new URL('answers.json', import.meta.url));
  if (answers === undefined) stderr.write(`There is no terminal: the answers are those of ${prepared}.\n\n`);
  return { human: scriptedHuman(await readAnswers(prepared)), patience: second };
};

/** Serves the console. Its answers are in the name of the user who runs this. */
const openConsole = (orchestrator: Orchestrator): TaskConsole => {
  const room = createConsole(orchestrator, { identity: () => userInfo().username });
  void room.listen().then((url) => process.stderr.write(`Answer at ${url}\n\n`));
  return room;
};

/** Keeps the console open. */
const stayed = async (): Promise<void> => {
  process.stderr.write('\nIt is over. The console stays open: Ctrl-C ends it.\n');
  await once(process, 'SIGINT');
};

/** Runs the workflow from the command line; the exit code is 0 only when it delivered. */
const main = async (options: Options): Promise<number> => {
  const { json, mail, store } = options;
  const model = options.model && languageModel(options.model, process.env['OPENAI_API_KEY'] || undefined);
  const { stdout, stderr } = process;
  const { human, patience, isAsked = false } = await humanFor(options);
  const server = await openMailServer(mail ?? (await mkdtemp(join(tmpdir(), 'shortlisting-'))));
  const mailer = createMailer(server.url);
  let room: TaskConsole | undefined;
  try {
    const result = await shortlist({
      search: openSearch(freelancers),
      ...(model && { model }),
      mailer,
      human,
      store: sqliteStore(store),
      patience,
      watch: (orchestrator) => {
        if (json) printDocuments(orchestrator, stdout);
        else printThread(orchestrator, stdout, isAsked);
        if (options.console) room = openConsole(orchestrator);
      },
      ...(options.console && { linger: stayed }),
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
    await room?.close();
    mailer.close();
    await server.close();
  }
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(); // the reader has left
});

const options = readOptions(process.argv.slice(2), process);
try {
  process.exitCode = typeof options === 'number' ? options : await main(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
