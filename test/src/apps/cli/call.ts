import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from '../../../../src/apps/cli/command.ts';
import { run } from '../../../../src/apps/cli/run.ts';
import { table } from '../../../../src/apps/cli/table.ts';

/** How a command line is called; what is left out is a pipe, an empty input, and a folder that is not there. */
export interface Calling {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Everything is a terminal; `input` is what the person types, a line whenever they are asked. */
  readonly isTerminal?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  /** Interrupts it once it has written this many characters to stdout. */
  readonly interruptAfter?: number;
  readonly commands?: readonly Command[];
}

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const collected = (isTTY: boolean, columns: number | undefined, seen: (text: string) => void) => {
  let text = '';
  const stream = Object.assign(new PassThrough(), { isTTY, ...(columns !== undefined && { columns }) });
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    seen(text);
  });
  return { stream, text: () => text };
};

/** The words of a command line, as a shell without quotes would part them. */
export const wordsOf = (line: string): readonly string[] => line.split(' ').filter((word) => word !== '');

const nowhere = join(tmpdir(), 'agentcharter-nowhere');

/** Runs a command line in this process. */
export const call = async (line: string | readonly string[], calling: Calling = {}): Promise<Called> => {
  const { cwd = nowhere, input = '', env = {}, isTerminal = false, columns, commands = table } = calling;
  const leave = new AbortController();
  const out = collected(isTerminal, columns, (text) => {
    if (text.length >= (calling.interruptAfter ?? Infinity)) leave.abort();
  });
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const typed = input.split(/(?<=\n)/);
  const type = (): void => {
    const line = typed.shift();
    if (line === undefined || line === '') stdin.end();
    else setImmediate(() => stdin.write(line));
  };
  const err = collected(isTerminal, columns, (text) => {
    if (isTerminal && /(> |: |\) )$/.test(text)) type();
  });
  if (!isTerminal) stdin.end(input);
  const words = typeof line === 'string' ? wordsOf(line) : line;
  const surroundings = { stdin, stdout: out.stream, stderr: err.stream, env, cwd };
  const code = await run(words, { ...surroundings, interrupted: () => leave.signal }, commands);
  return { code, stdout: out.text(), stderr: err.text() };
};
