import * as z from 'zod';
import { Uuid } from '../../../../schema/index.ts';
import type { InboxEntry } from '../../../core/kernel/summary.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { command, configFlag, jsonFlag, storeFlag } from '../command.ts';
import { jsonOf, textOf } from '../files.ts';
import { confirmed, terminalHuman, type Answer } from '../human.ts';
import { good, type Printer } from '../printer.ts';
import { printQuestion } from '../question.ts';
import { asGuest } from '../stored.ts';
import { usage, type ExitCode } from '../stop.ts';
import type { Terminal } from '../terminal.ts';

const flags = {
  as: { description: 'the person who answers', value: 'IDENTITY', isRequired: true },
  config: { ...configFlag, isRequired: true },
  store: storeFlag,
  approve: { description: 'approve it unchanged' },
  reject: { description: 'reject it' },
  edit: {
    description: 'replace it with the JSON value in this file; for an effect in doubt, "done" or "absent"',
    value: 'FILE',
  },
  rank: { description: 'rank the choices, best first', value: 'A,B,C' },
  comment: {
    description: 'say why, with --approve or --reject; alone, the question stays open',
    value: 'TEXT',
  },
  instruct: { description: 'request a new attempt with this instruction', value: 'TEXT' },
  approval: { description: 'a signed approval; - reads it from standard input', value: 'TOKEN' },
  yes: { description: 'do not ask for confirmation; without a terminal, none is asked' },
  json: jsonFlag,
} as const;

type AnswerFlags = Readonly<
  Record<'edit' | 'rank' | 'comment' | 'instruct', string | undefined> & Record<'approve' | 'reject', boolean>
>;

const ways = ['approve', 'reject', 'edit', 'rank', 'comment', 'instruct'] as const;

/** Returns the answer of the flags; `undefined` if the terminal must ask. */
const answerIn = async (flags: AnswerFlags, terminal: Terminal): Promise<Answer | undefined> => {
  const given = ways.filter((way) => flags[way] !== undefined && flags[way] !== false);
  const isVerdict = flags.approve || flags.reject;
  const chosen = isVerdict ? given.filter((way) => way !== 'comment') : given; // it says why
  const [way] = chosen;
  const { edit = '', rank = '', comment = '', instruct = '' } = flags;
  if (chosen.length > 1)
    throw usage(`expected one answer, not ${chosen.map((one) => `--${one}`).join(' and ')}`);
  if (way === undefined) {
    if (terminal.isInteractive) return undefined;
    throw usage(`expected an answer, one of ${ways.map((one) => `--${one}`).join(', ')}`);
  }
  switch (way) {
    case 'approve':
    case 'reject':
      return { type: way, ...(flags.comment !== undefined && { content: comment }) };
    case 'edit':
      return { type: 'edit', content: { value: z.json().parse(await jsonOf(edit, terminal)) } };
    case 'rank':
      return { type: 'rank', content: rank.split(',').map((id) => id.trim()) };
    case 'comment':
      return { type: 'comment', content: comment };
    case 'instruct':
      return { type: 'instruction', content: instruct };
  }
};

/** Returns the open question with this message id, or the only one with this question id. */
const entryFor = async (guest: Orchestrator, asked: string): Promise<InboxEntry | undefined> => {
  const task = (await guest.questionPath(asked))?.at(-1);
  const open = await guest.inbox(task);
  const byMessage = open.find(({ message }) => message.messageId === asked);
  if (byMessage !== undefined) return byMessage;
  const named = open.filter(({ question }) => question.id === asked);
  if (named.length < 2) return named[0];
  throw usage(
    `several tasks ask ${asked}: expected a message id, one of ${named.map(({ message }) => message.messageId).join(', ')}`,
  );
};

const printConsequence = async ({ type }: Answer, { question }: InboxEntry, out: Printer): Promise<void> => {
  const stays = 'It is recorded; the question stays open.';
  if (question.accepts.includes(type)) await out.line(`${type}: ${question.consequences[type] ?? stays}`);
};

/** Prints the question and the consequence of the answer, and asks for confirmation. */
const isConfirmed = async (answer: Answer, entry: InboxEntry, terminal: Terminal): Promise<boolean> => {
  await printQuestion(entry, terminal.err);
  await printConsequence(answer, entry, terminal.err);
  return confirmed('Submit this answer?', terminal);
};

const unknown = (message: string) => usage(`no open question has the id ${message}: \`inbox\` lists them`);

export const decide = command({
  name: 'decide',
  description: 'Answers an open question. The process that owns the store then continues the task.',
  details: [
    'Without an answer flag, it asks on the terminal. It needs --config, because the task classes, tools and policies there',
    'decide what an answer means. It records the answer and makes no call itself. Exit code 1 if the answer is refused; the',
    'question then stays open.',
  ].join('\n'),
  args: { message: { description: 'the id of the message that asks, or of its question' } },
  flags,
  example:
    'decide 01936d5e-0000-7000-8000-000000000007 --approve --as dana --config charter.js --store tasks.db',
  run: ({ flags: { as, config, store, approval, yes, json, ...answerFlags }, args: { message } }, terminal) =>
    asGuest({ config, store }, terminal, async (guest): Promise<ExitCode> => {
      const prepared = await answerIn(answerFlags, terminal);
      const entry = await entryFor(guest, message);
      if (entry === undefined && (prepared === undefined || !Uuid.safeParse(message).success))
        throw unknown(message);
      const never = new AbortController();
      const answer = prepared ?? (entry && (await terminalHuman(terminal, as).answer(entry, never.signal)));
      if (answer === undefined) throw usage('expected an answer; nothing was submitted');
      const unseen = prepared && entry; // the terminal showed no question yet
      const asks = terminal.isInteractive && !yes;
      if (unseen !== undefined && asks && !(await isConfirmed(answer, unseen, terminal)))
        throw usage('not confirmed; nothing was submitted');
      const token = approval === '-' ? await textOf('-', terminal) : approval;
      const target = entry?.message.messageId ?? message;
      await guest.respond({ ...answer, target }, { by: as, ...(token !== undefined && { approval: token }) });
      if (unseen !== undefined && !asks) await printConsequence(answer, unseen, terminal.err); // once it counts
      const done = { taskId: entry?.taskId ?? null, messageId: target, answer: answer.type, by: as };
      if (json) await terminal.out.json(done);
      else await terminal.out.line(good('taken'), `: ${answer.type} of ${target} by ${as}`);
      return 0;
    }),
});
