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

const flagRow = ([name, { value, says, choices, default: byDefault }]: [string, Flag]): string => {
  const details = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(byDefault === undefined ? [] : [`by default ${byDefault}`]),
  ];
  const label = value === undefined ? `--${name}` : `--${name} ${value}`;
  return row(label, details.length === 0 ? says : `${says}: ${details.join('; ')}`);
};

const argumentRow = ([name, { says, choices }]: [string, Argument]): string =>
  row(name.toUpperCase(), choices === undefined ? says : `${says}: ${choices.join(', ')}`);

const wordOf = ([name, { isOptional }]: [string, Argument]): string =>
  isOptional ? ` [${name.toUpperCase()}]` : ` ${name.toUpperCase()}`;

const required = ([name, { value, isRequired }]: [string, Flag]): string =>
  isRequired ? ` --${name} ${value ?? ''}` : '';

/** Returns the help of a command. */
export const helpOf = ({ name, says, more, args, flags, example }: Command): string => {
  const words = Object.entries(args);
  const options = Object.entries(flags);
  return [
    `Usage: ${program} ${name}${words.map(wordOf).join('')}${options.map(required).join('')} [flags]`,
    '',
    says,
    ...(more === undefined ? [] : ['', more]),
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

const commandRow = ({ name, says }: Command): string => row(name, says);

/** Returns an overview of all commands, or of one group. */
export const overview = (table: readonly Command[], group?: string): string => {
  const commands = table.filter(({ name }) => group === undefined || name.startsWith(`${group} `));
  return [
    `Usage: ${program} ${group === undefined ? '' : `${group} `}COMMAND [flags]`,
    '',
    ...commands.map(commandRow),
    '',
    row('--help', 'print this text, or with a command what it takes'),
    ...(group === undefined ? [row('--version', 'print the version')] : []),
    '',
    'It ends with 0 where all is well, 1 where the answer is no (a finding, a refusal, a task that failed), and 2 where',
    'it could not be asked (a mistake in the call, a file or a package that is not there).',
    '',
  ].join('\n');
};
