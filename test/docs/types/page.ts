import { page } from '../reference/markdown.ts';
import type { WrongProgram } from './wrong.ts';

/** A wrong program, and what the compiler says of it. */
export interface Judged extends WrongProgram {
  readonly said: string;
}

/** Returns the errors of each file; of each, the last line, which says what is wrong. */
export const errorsIn = (printed: string): ReadonlyMap<string, readonly string[]> => {
  const errors = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of printed.split('\n')) {
    const [, file, message] = /^(\S+)\(\d+,\d+\): (error .*)$/.exec(line) ?? [];
    if (file !== undefined && message !== undefined) {
      current = errors.get(file) ?? [];
      current.push(message);
      errors.set(file, current);
    } else if (line.startsWith(' ')) current.splice(-1, 1, line.trim());
  }
  return errors;
};

const code = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

const partOf = ({ mistake, program, said }: Judged): string =>
  [`## ${mistake}`, code('ts', program), code('text', said)].join('\n\n');

/** The page of what the compiler says. */
export const compilerPage = (judged: readonly Judged[]): string =>
  page(
    'What the compiler finds',
    `See which mistakes the compiler finds before you run anything. TypeScript knows the names of your tools and task classes, the arguments of each tool, and the
payload of each task class. Names known only at run time, such as those of MCP tools, are checked then. The last line of each error is below its program. Each program
continues [this one](compiler/parts.ts).`,
    ...judged.filter(({ isLikeAnother }) => isLikeAnother === undefined).map(partOf),
    '## More mistakes of these kinds',
    judged
      .filter(({ isLikeAnother }) => isLikeAnother)
      .map(({ mistake }) => `- ${mistake}`)
      .join('\n'),
  );
