import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { Submission } from '../../../core/shell/submission.ts';
import { command, jsonFlag } from '../command.ts';
import { Consultation, type DriveResult } from '../drive.ts';
import { endAsJson, isSuccess, printEnd } from '../ends.ts';
import { absentHuman, readAnswers, terminalHuman, type Human } from '../human.ts';
import { loadModule, optionsIn } from '../modules.ts';
import { bar } from '../progress.ts';
import { usage } from '../stop.ts';
import { openStore } from '../stored.ts';
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
  if (as === undefined) throw usage('expected --as IDENTITY: each answer is recorded under a name');
  return terminalHuman(terminal, as);
};

export const run = command({
  name: 'run',
  description:
    'Begins the tasks of a module, resumes the open tasks of its store, and runs them until they settle.',
  details: [
    'The default export of MODULE is the options of createOrchestrator, or a function that returns them. It also exports',
    '`submissions`, a list of what orchestrator.submit takes. Add a `key` to one that must begin only once.',
    'Questions are asked on the terminal, or answered from --answers: {"by": NAME, "answers": {KIND: {"type", "content"}}}.',
    'Exit code 1 if a task did not succeed, or waits for an answer that no one gives.',
  ].join('\n'),
  args: { module: { description: 'the module' } },
  flags: {
    store: {
      description: 'keep the tasks in this file or postgres:// address; the next run resumes them',
      value: 'STORE',
    },
    answers: { description: 'a file of prepared answers', value: 'FILE' },
    as: { description: 'the person who answers at the terminal', value: 'IDENTITY' },
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
    const { createOrchestrator } = await import('../../../core/orchestrator.ts');
    const human = await humanFor(answering, terminal);
    await using orchestrator = createOrchestrator({
      ...options,
      ...(store !== undefined && { store: await openStore(store, terminal, { mayBegin: true }) }),
    });
    if (!json) printDocuments(orchestrator, terminal.out);
    const consultation = new Consultation(orchestrator, human, terminal);
    await orchestrator.recover();
    await consultation.open();
    const open = await orchestrator.list({ isSettled: false });
    const taskIds = new Set(open.map(({ taskId }) => taskId));
    for (const { submission, keyed } of given)
      taskIds.add((await orchestrator.submit(submission, keyed)).taskId);
    if (taskIds.size === 0) throw usage(`${file}: expected submissions, or a store with an open task`);
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
