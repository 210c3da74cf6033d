import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { Answer, Human, Question } from './human.ts';

interface Input extends Readable {
  readonly isTTY?: boolean;
}

/** External text on one line, without characters that control a terminal. */
const plain = (text: string): string => text.replace(/\p{C}+/gu, ' ');

/** The accepted input, as shown. */
const hintOf = ({ accepts, choices }: Question): string =>
  [
    ...(choices && accepts.includes('rank') ? ['numbers, best first'] : []),
    ...accepts.filter((type) => type === 'approve' || type === 'reject'),
    ...accepts.filter((type) => type === 'instruction' || type === 'comment').map((type) => `${type} TEXT`),
    'Enter to skip',
  ].join(' | ');

/** The answer on a typed line; undefined if it is no answer to this question. */
function readLine(
  line: string,
  { accepts, choices = [], fields = {} }: Question,
): Omit<Answer, 'by'> | undefined {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  const type = word.toLowerCase();
  if (accepts.includes(type)) {
    if (type === 'approve' || type === 'reject') return { type, content: rest || null };
    if ((type === 'instruction' || type === 'comment') && rest) return { type, content: rest };
  }
  if (accepts.includes('rank')) {
    const chosen = line
      .split(/[\s,]+/)
      .map(
        (token) => choices.find(({ id }) => id === token) ?? choices.find((_, at) => `${at + 1}` === token),
      );
    const ids = chosen.flatMap((choice) => choice?.id ?? []);
    if (new Set(ids).size === chosen.length) return { type: 'rank', content: ids };
  }
  const [first] = Object.keys(fields);
  return accepts.includes('edit') && first !== undefined
    ? { type: 'edit', content: { [first]: line } }
    : undefined;
}

/** The person at a terminal, asked one question at a time. Without a terminal no one answers. */
export function terminalHuman(input: Input, output: Writable, by: string = userInfo().username): Human {
  const ask = async (question: Question, signal: AbortSignal): Promise<Answer | undefined> => {
    const closed = new AbortController();
    const stop = AbortSignal.any([signal, closed.signal]);
    const lines = createInterface({ input, output })
      .on('close', () => closed.abort())
      .on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const read = async (prompt: string) => (await lines.question(prompt, { signal: stop })).trim();
    const { text, ends, choices = [], fields = {}, accepts } = question;
    const [first, ...others] = accepts.includes('edit') ? Object.keys(fields) : [];
    try {
      output.write(`\n${plain(text)}\n`);
      for (const [at, { label }] of choices.entries()) output.write(`  ${at + 1}. ${plain(label)}\n`);
      for (const [name, meaning] of Object.entries(fields))
        output.write(`  ${plain(`${name}: ${meaning}`)}\n`);
      if (ends !== undefined) output.write(`${ends}\n`);
      output.write(`[${hintOf(question)}]\n`);
      for (;;) {
        const line = await read(first === undefined ? '> ' : `${plain(first)}: `);
        if (line === '') return undefined;
        const said = readLine(line, question);
        if (said?.type === 'edit') {
          const rest: [string, string][] = [];
          for (const name of others) rest.push([name, await read(`${plain(name)}: `)]);
          return { ...said, content: { ...(said.content as object), ...Object.fromEntries(rest) }, by };
        }
        if (said) return { ...said, by };
        output.write(`This is not a valid answer: [${hintOf(question)}]\n`);
      }
    } catch (error) {
      if (!stop.aborted) throw error;
      output.write('\n');
      return undefined;
    } finally {
      lines.close();
    }
  };

  let turn: Promise<unknown> = Promise.resolve();
  return {
    answer(question, signal) {
      const answer = turn.then(() => (input.isTTY && !signal.aborted ? ask(question, signal) : undefined));
      turn = answer.catch(() => undefined);
      return answer;
    },
  };
}
