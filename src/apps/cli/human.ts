import { createInterface } from 'node:readline/promises';
import * as z from 'zod';
import { FeedbackContent, FeedbackType } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';
import { jsonOf } from './files.ts';
import { choicesOf, fieldsOf, printQuestion } from './question.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import type { Terminal } from './terminal.ts';

/** An answer to a question. */
export interface Answer {
  readonly type: FeedbackType;
  readonly content?: FeedbackContent;
}

/** A person who answers questions under a name; `answer` returns `undefined` to skip one. */
export interface Human {
  readonly by: string;
  readonly answer: (entry: InboxEntry, signal: AbortSignal) => Promise<Answer | undefined>;
}

const PreparedAnswer = z.strictObject({ type: FeedbackType, content: FeedbackContent.optional() });

/** Prepared answers: the person's name, and one answer for each kind of question. */
export const PreparedAnswers = z.strictObject({
  by: z.string().min(1),
  answers: z.record(z.string(), PreparedAnswer),
});

const answerOf = ({ type, content }: z.output<typeof PreparedAnswer>): Answer => ({
  type,
  ...(content !== undefined && { content }),
});

/** Returns a human that gives the prepared answer once a question, and skips other kinds. */
export const preparedHuman = ({ by, answers }: z.output<typeof PreparedAnswers>): Human => {
  const answered = new Set<string>();
  return {
    by,
    answer: async ({ question: { kind }, message: { messageId } }) => {
      const answer = Object.hasOwn(answers, kind) ? answers[kind] : undefined;
      if (answer === undefined || answered.has(messageId)) return undefined;
      answered.add(messageId);
      return answerOf(answer);
    },
  };
};

/** A human that skips every question. */
export const absentHuman: Human = { by: 'nobody', answer: async () => undefined };

export const readAnswers = async (file: string, terminal: Terminal): Promise<Human> =>
  preparedHuman(parseDocument(file, PreparedAnswers, await jsonOf(file, terminal)));

type Ask = (prompt: string) => Promise<string>;

const ranked = (text: string, entry: InboxEntry): Answer | undefined => {
  const choices = choicesOf(entry);
  const content = text.split(/[\s,]+/).map((word) => choices[Number(word) - 1]?.id ?? word);
  return choices.length === 0 || content.every((id) => choices.some((choice) => choice.id === id))
    ? { type: 'rank', content }
    : undefined;
};

const edited = async (file: string, entry: InboxEntry, terminal: Terminal, ask: Ask): Promise<Answer> => {
  if (file !== '') return { type: 'edit', content: { value: z.json().parse(await jsonOf(file, terminal)) } };
  const value: [string, string][] = [];
  for (const [path, meaning] of fieldsOf(entry)) value.push([path, await ask(`${path} (${meaning}): `)]);
  return { type: 'edit', content: { value: Object.fromEntries(value) } };
};

/** Returns the answer on a typed line; `undefined` if the line is not valid for the question. */
const readLine = async (
  line: string,
  entry: InboxEntry,
  terminal: Terminal,
  ask: Ask,
): Promise<Answer | undefined> => {
  const [, word = '', text = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  const type = entry.question.accepts.find((accepted) => accepted === word.toLowerCase());
  switch (type) {
    case 'approve':
    case 'reject':
      return { type, ...(text !== '' && { content: text }) };
    case 'comment':
    case 'instruction':
      return text === '' ? undefined : { type, content: text };
    case 'rank':
      return text === '' ? undefined : ranked(text, entry);
    case 'edit':
      return text === '' && fieldsOf(entry).length === 0 ? undefined : edited(text, entry, terminal, ask);
    case undefined:
      return undefined;
  }
};

const hintOf = (entry: InboxEntry): string => {
  const ways: Record<FeedbackType, string> = {
    approve: 'approve',
    reject: 'reject',
    comment: 'comment TEXT',
    instruction: 'instruction TEXT',
    rank: 'rank A,B,C',
    edit: fieldsOf(entry).length > 0 ? 'edit' : 'edit FILE',
  };
  return [...entry.question.accepts.map((type) => ways[type]), 'Enter to skip'].join(' | ');
};

/** Reads lines of a person, one question at a time, until the signal aborts or the input ends. */
const conversing = async <Result>(
  { stdin, prompts }: Terminal,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result | undefined> => {
  const closed = new AbortController();
  const stop = AbortSignal.any([signal, closed.signal]);
  const lines = createInterface({ input: stdin, output: prompts })
    .on('close', () => closed.abort())
    .on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await work(async (prompt) => (await lines.question(oneLine(prompt), { signal: stop })).trim());
  } catch (error) {
    if (!stop.aborted) throw error;
    prompts.write('\n');
    return undefined;
  } finally {
    lines.close();
  }
};

/** Returns the person at the terminal. Each answer is confirmed after its consequence was shown. */
export const terminalHuman = (terminal: Terminal, by: string): Human => {
  let turn: Promise<unknown> = Promise.resolve();
  const answer = (entry: InboxEntry, signal: AbortSignal): Promise<Answer | undefined> =>
    conversing(terminal, signal, async (ask) => {
      await printQuestion(entry, terminal.err);
      for (;;) {
        await terminal.err.line(`[${hintOf(entry)}]`);
        const line = await ask('> ');
        if (line === '') return undefined;
        const answer = await readLine(line, entry, terminal, ask);
        if (answer !== undefined) return answer;
        await terminal.err.line('This is not a valid answer.');
      }
    });
  return {
    by,
    answer: (entry, signal) => {
      const next = turn.then(() => (signal.aborted ? undefined : answer(entry, signal)));
      turn = next.catch(() => undefined);
      return next;
    },
  };
};

/** Asks the person at the terminal for confirmation. */
export const confirmed = async (question: string, terminal: Terminal): Promise<boolean> => {
  const never = new AbortController();
  const reply = await conversing(terminal, never.signal, (ask) => ask(`${question} (yes/no) `));
  return reply === 'yes' || reply === 'y';
};
