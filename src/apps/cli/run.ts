import { causeOf, isCharterError, type ErrorCode } from '../../base/errors.ts';
import type { Command } from './command.ts';
import { helpOf, overview } from './help.ts';
import { ownManifest } from './own-manifest.ts';
import { parse } from './parse.ts';
import { bad } from './printer.ts';
import { Stop, type ExitCode } from './stop.ts';
import { table } from './table.ts';
import { terminalOf, type CliEnvironment, type Terminal } from './terminal.ts';

/** Errors with exit code 1: the check was made and failed. All others exit with 2. */
const answers: readonly ErrorCode[] = [
  'feedback_refused',
  'feedback_inapplicable',
  'identity_refused',
  'fact_refused',
  'message_refused',
  'task_corrupted',
  'chart_unknown',
  'chart_unbounded',
  'chart_unreadable',
  'chart_broken',
  'chart_refuses',
];

const codeOf = (error: unknown): ExitCode => {
  if (error instanceof Stop) return error.code;
  return answers.some((code) => isCharterError(error, code)) ? 1 : 2;
};

const messageOf = (error: unknown): string => {
  if (error instanceof Stop || isCharterError(error)) return error.message;
  return causeOf(error);
};

const carryOut = async (
  words: readonly string[],
  terminal: Terminal,
  commands: readonly Command[],
): Promise<ExitCode> => {
  const asked = parse(words, commands);
  if ('version' in asked) {
    await terminal.out.line(ownManifest().version);
    return 0;
  }
  if ('command' in asked) return asked.command.run(asked.given, terminal);
  const { help } = asked;
  const text =
    help === null || typeof help === 'string' ? overview(commands, ownManifest(), help) : helpOf(help);
  await terminal.out.lines(text);
  return 0;
};

/** Runs a command line. Never throws. Results go to `stdout`, everything else to `stderr`. */
export const run = async (
  words: readonly string[],
  environment: CliEnvironment,
  commands: readonly Command[] = table,
): Promise<ExitCode> => {
  const terminal = terminalOf(environment, words);
  const printError = async (error: unknown): Promise<ExitCode> => {
    const [first = '', ...rest] = messageOf(error).split('\n');
    await terminal.err.line(bad('agentcharter: '), first);
    for (const line of rest) await terminal.err.line(line);
    return codeOf(error);
  };
  try {
    const code = await carryOut(words, terminal, commands);
    const { failure } = terminal.out;
    return failure === null ? code : await printError(failure);
  } catch (error) {
    return printError(error);
  }
};
