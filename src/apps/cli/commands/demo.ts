import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Settled } from '../../../core/kernel/summary.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import type { Mail } from '../demo/charter.ts';
import { command, jsonFlag } from '../command.ts';
import { Consultation, type DriveResult } from '../drive.ts';
import { endAsJson, isSuccess, printEnd } from '../ends.ts';
import { preparedHuman, terminalHuman } from '../human.ts';
import { faint } from '../printer.ts';
import { openStore } from '../stored.ts';
import { printDocuments } from '../watch.ts';

const identity = {
  agent_id: 'recommender',
  owner_id: 'acme-recruiting',
  user_id: 'hiring-desk',
  control_class: 'human-supervised' as const,
};
const role = 'TypeScript engineer';

const prepared = {
  by: 'dana@example.org',
  answers: {
    information: { type: 'edit' as const, content: { value: { location: 'Lisbon' } } },
    followup: { type: 'rank' as const, content: ['f-05', 'f-01'] },
  },
};

const Choice = z.union([
  z.array(z.string()),
  z.looseObject({ chosen: z.array(z.string()) }).transform(({ chosen }) => chosen),
]);
const chosenOf = ({ followup }: Settled): readonly string[] => Choice.safeParse(followup?.value).data ?? [];

/** Runs the two tasks of the workflow in one thread: the selection, and the invitation. */
const workflow = async (
  orchestrator: Orchestrator,
  consultation: Consultation,
): Promise<readonly DriveResult[]> => {
  const { taskId, threadId } = await orchestrator.submit({
    taskClass: 'recommendation',
    payload: { role, skills: ['TypeScript', 'Node.js', 'PostgreSQL'] },
    explanation: `Recommend freelancers for the role ${role}.`,
    identity,
  });
  const first = await consultation.drive(taskId);
  if (!('settled' in first) || !isSuccess(first)) return [first];
  const chosen = chosenOf(first.settled);
  if (chosen.length === 0) return [first];
  const invitation = await orchestrator.submit({
    taskClass: 'invitation',
    payload: { role, chosen: [...chosen] },
    explanation: `Invite ${chosen.length} candidates.`,
    identity: { ...identity, agent_id: 'inviter' },
    threadId,
    parentMessageId: (await orchestrator.thread(threadId)).at(-1)?.messageId,
  });
  return [first, await consultation.drive(invitation.taskId)];
};

const written = ({ to, subject, text }: Mail): string =>
  `To: ${to.join(', ')}\nSubject: ${subject}\n\n${text}`;

export const demo = command({
  name: 'demo',
  description: 'Runs the hiring workflow of the UpFormat paper with scripted agents: no key, no network.',
  details: 'On a terminal it asks you. Elsewhere, and with --scripted, it uses prepared answers.',
  args: {},
  flags: {
    scripted: { description: 'use the prepared answers on a terminal too' },
    as: { description: 'the person who answers at the terminal', value: 'IDENTITY', default: prepared.by },
    store: {
      description: 'keep the tasks in this file (needs libsql) or postgres:// address (needs pg)',
      value: 'STORE',
    },
    out: { description: 'write the mail and the ledgers to this folder', value: 'DIR' },
    json: jsonFlag,
  },
  example: 'demo --scripted',
  run: async ({ flags: { scripted, as, store, out: folder, json } }, terminal) => {
    const { createOrchestrator } = await import('../../../core/orchestrator.ts');
    const { toJsonLines } = await import('../../../core/ledger/json-lines.ts');
    const { hiring } = await import('../demo/charter.ts');
    const { out, err } = terminal;
    const place = folder === undefined ? undefined : terminal.path(folder);
    const isAsked = terminal.isInteractive && !scripted;
    if (!isAsked) await err.line(faint('Using the prepared answers.'));
    const sent: Mail[] = [];
    await using orchestrator = createOrchestrator({
      ...hiring(async (mail) => void sent.push(mail)),
      ...(store !== undefined && { store: await openStore(store, terminal, { mayBegin: true }) }),
    });
    if (!json) printDocuments(orchestrator, out);
    const human = isAsked ? terminalHuman(terminal, as) : preparedHuman(prepared);
    const ends = await workflow(orchestrator, new Consultation(orchestrator, human, terminal));
    if (json) await out.json({ tasks: ends.map(endAsJson), mail: sent });
    else for (const end of ends) await printEnd(end, out);
    if (folder === undefined || place === undefined) {
      if (!json) for (const mail of sent) await out.lines(`\n${written(mail)}`);
      return ends.every(isSuccess) ? 0 : 1;
    }
    const files: [string, string][] = sent.map((mail, at) => [`mail-${at + 1}.txt`, written(mail)]);
    for (const { taskId, taskClass } of await orchestrator.list())
      files.push([`${taskClass}.jsonl`, toJsonLines(await orchestrator.ledger(taskId))]);
    await mkdir(place, { recursive: true });
    for (const [name, text] of files) {
      await writeFile(join(place, name), text);
      await err.line(faint(`wrote ${join(folder, name)}`));
    }
    return ends.every(isSuccess) ? 0 : 1;
  },
});
