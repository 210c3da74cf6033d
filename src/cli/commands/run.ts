import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import { Submission } from '../../orchestrator/submission.ts';
import { command, jsonFlag } from '../command.ts';
import { Consultation, type DriveResult } from '../drive.ts';
import { endAsJson, isSuccess, printEnd } from '../ends.ts';
import { absentHuman, readAnswers, terminalHuman, type Human } from '../human.ts';
import { loadModule, optionsIn } from '../modules.ts';
import { bar } from '../progress.ts';
import { usage } from '../stop.ts';
import type { Terminal } from '../terminal.ts';
import { printDocuments } from '../watch.ts';

const Submissions = z.array(z.looseObject({ key: z.string().min(1).optional() })).default([]);

interface Answering {
  readonly answers: string | undefined;
  readonly as: string | undefined;
}

const humanFor = async ({ answers, as }: Answering, terminal: Terminal): Promise<Human> => {
  if (answers !== undefined) return readAnswers(answers, terminal);
  if (!terminal.isInteractive) return absentHuman;
  if (as === undefined) throw usage('expected --as IDENTITY: an answer has a named author');
  return terminalHuman(terminal, as);
};

export const run = command({
  name: 'run',
  says: 'Begins the tasks of a module, takes up those of its store, and drives them to their end.',
  more: [
    'MODULE exports by default the options of createOrchestrator, or a function that gives them, and as `submissions`',
    'what is submitted: what orchestrator.submit takes, and a `key` beside it where it is to begin only once.',
    'Questions are asked on the terminal, or answered from --answers: {"by": NAME, "answers": {KIND: {"type", "content"}}}.',
    'It ends with 1 where a task did not succeed, or waits for a person who is not there.',
  ].join('\n'),
  args: { module: { says: 'the module' } },
  flags: {
    store: { says: 'keep the tasks in this file: run again, they go on', value: 'FILE' },
    answers: { says: 'a file of prepared answers', value: 'FILE' },
    as: { says: 'who answers at the terminal', value: 'IDENTITY' },
    json: jsonFlag,
  },
  example: 'run charter.js --answers answers.json',
  run: async ({ flags: { store, json, ...answering }, args: { module: file } }, terminal) => {
    const module = await loadModule(file, terminal);
    const given = parseDocument(`${file} submissions`, Submissions, module['submissions']).map(
      ({ key, ...submission }) => ({
        submission: parseDocument(`${file} submission`, Submission, submission),
        keyed: key === undefined ? {} : { key },
      }),
    );
    const options = await optionsIn(module, file);
    const { createOrchestrator } = await import('../../orchestrator/orchestrator.ts');
    const { sqliteStore } = await import('../../stores/sqlite.ts');
    const human = await humanFor(answering, terminal);
    await using orchestrator = createOrchestrator({
      ...options,
      ...(store !== undefined && { store: sqliteStore(terminal.path(store)) }),
    });
    if (!json) printDocuments(orchestrator, terminal.out);
    const consultation = new Consultation(orchestrator, human, terminal);
    await orchestrator.recover();
    await consultation.open();
    const taskIds = new Set(
      (await orchestrator.list()).filter((one) => !one.isSettled).map((one) => one.taskId),
    );
    for (const { submission, keyed } of given)
      taskIds.add((await orchestrator.submit(submission, keyed)).taskId);
    if (taskIds.size === 0) throw usage(`${file}: nothing is submitted, and no task is under way`);
    const ends: DriveResult[] = [];
    const isAsked = terminal.isInteractive && answering.answers === undefined;
    const progress = terminal.progress(json && !isAsked);
    try {
      for (const taskId of taskIds) {
        progress.print(`${bar(ends.length, taskIds.size)} tasks have ended`);
        ends.push(await consultation.drive(taskId));
      }
    } finally {
      progress.end();
    }
    if (json) await terminal.out.json({ tasks: ends.map(endAsJson) });
    else for (const end of ends) await printEnd(end, terminal.out);
    return ends.every(isSuccess) ? 0 : 1;
  },
});
