import { program, type Argument, type Command, type Flag } from './command.ts';

const column = 22;
const width = 100;

/** Returns the text in lines of the maximum width. */
const wrapped = (text: string): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width - column) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

const row = (label: string, description: string): string => {
  const [first = '', ...rest] = wrapped(description);
  const indented = rest.map((line) => `\n  ${' '.repeat(column)}${line}`).join('');
  const gap = label.length < column ? ' '.repeat(column - label.length) : `\n  ${' '.repeat(column)}`;
  return `  ${label}${gap}${first}${indented}`;
};

const flagRow = ([name, { value, description, choices, default: byDefault }]: [string, Flag]): string => {
  const details = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(byDefault === undefined ? [] : [`by default ${byDefault}`]),
  ];
  const label = value === undefined ? `--${name}` : `--${name} ${value}`;
  return row(label, details.length === 0 ? description : `${description}: ${details.join('; ')}`);
};

const argumentRow = ([name, { description, choices }]: [string, Argument]): string =>
  row(name.toUpperCase(), choices === undefined ? description : `${description}: ${choices.join(', ')}`);

const wordOf = ([name, { isOptional }]: [string, Argument]): string =>
  isOptional ? ` [${name.toUpperCase()}]` : ` ${name.toUpperCase()}`;

const required = ([name, { value, isRequired }]: [string, Flag]): string =>
  isRequired ? ` --${name} ${value ?? ''}` : '';

/** Returns the help of a command. */
export const helpOf = ({ name, description, details, args, flags, example }: Command): string => {
  const words = Object.entries(args);
  const options = Object.entries(flags);
  return [
    `Usage: ${program} ${name}${words.map(wordOf).join('')}${options.map(required).join('')} [flags]`,
    '',
    description,
    ...(details === undefined ? [] : ['', details]),
    ...(words.length === 0 ? [] : ['', ...words.map(argumentRow)]),
    '',
    ...options.map(flagRow),
    row('--help', 'print this text'),
    '',
    'Example:',
    `  ${program} ${example}`,
    '',
  ].join('\n');
};

const commandRow = ({ name, description }: Command): string => row(name, description);

/** Returns an overview of all commands, or of one group; with the address of the documentation, if there is one. */
export const overview = (
  table: readonly Command[],
  { homepage }: { readonly homepage?: string | undefined },
  group: string | null,
): string => {
  const commands = table.filter(({ name }) => group === null || name.startsWith(`${group} `));
  return [
    `Usage: ${program} ${group === null ? '' : `${group} `}COMMAND [flags]`,
    '',
    ...commands.map(commandRow),
    '',
    row('--help', 'print this text, or after a command its help'),
    ...(group === null ? [row('--version', 'print the version')] : []),
    '',
    'Exit codes: 0 success, 1 check failed (a finding, a refused answer, a failed task), 2 usage or environment error (a',
    'wrong argument, a missing file or package).',
    ...(homepage === undefined ? [] : ['', `Documentation: ${homepage}`]),
    '',
  ].join('\n');
};
