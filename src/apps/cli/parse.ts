import { parseArgs } from 'node:util';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { program, type Argument, type Command } from './command.ts';
import { usage } from './stop.ts';

/** A parsed command line. */
export type ParsedCommandLine =
  | { readonly help: Command | string | null }
  | { readonly version: true }
  | { readonly command: Command; readonly given: Parameters<Command['run']>[0] };

const groupsIn = (table: readonly Command[]): readonly string[] => [
  ...new Set(table.flatMap(({ name }) => (name.includes(' ') ? name.split(' ').slice(0, 1) : []))),
];

/** Commands by what else people call them: names of the API, and answers. */
const synonyms: Readonly<Record<string, string>> = {
  respond: 'decide',
  answer: 'decide',
  approve: 'decide',
  reject: 'decide',
  questions: 'inbox',
  verifyLedger: 'ledger verify',
};

/** Returns ` Did you mean "…"?` for an unknown command: what else it is called, the command of a group, or a near name. */
const nearestCommand = (word: string, table: readonly Command[], heads: readonly string[]): string => {
  const known = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined;
  const called = table.find(({ name }) => name === known || name.endsWith(` ${word}`));
  return called === undefined ? didYouMean(word, heads) : `. Did you mean ${JSON.stringify(called.name)}?`;
};

/** Returns the command or group that the words start with; a string is an error with a suggestion. */
export const findCommand = (words: readonly string[], table: readonly Command[]): Command | string => {
  const [first = '', second = ''] = words;
  const command =
    table.find(({ name }) => name === `${first} ${second}`) ?? table.find(({ name }) => name === first);
  if (command !== undefined) return command;
  const heads = [...new Set(table.map(({ name }) => name.split(' ')[0] ?? ''))];
  if (!groupsIn(table).includes(first))
    throw usage(
      `${program} has no command ${JSON.stringify(first)}${nearestCommand(first, table, heads)}\nSee: ${program} --help`,
    );
  if (second === '' || second.startsWith('-')) return first;
  const members = table.flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  );
  throw usage(
    `${program} ${first} has no command ${JSON.stringify(second)}${didYouMean(second, members)}\nSee: ${program} ${first} --help`,
  );
};

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;

/** Rejects unknown and duplicate flags. A misspelt flag must not be ignored. */
const checkFlags = ({ name }: Command, words: readonly string[], options: Options): void => {
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const known = Object.keys(options);
  const used = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!known.includes(token.name)) {
      const flags = known.map((flag) => `--${flag}`);
      throw usage(`${name} has no flag ${token.rawName}${didYouMean(token.rawName, flags)}`);
    }
    if (used.has(token.name)) throw usage(`${name}: ${token.rawName} is given twice`);
    used.add(token.name);
  }
};

const checkChoice = (
  where: string,
  value: string | undefined,
  choices: readonly string[] | undefined,
): void => {
  if (value === undefined || choices === undefined || choices.includes(value)) return;
  throw usage(`${where}: expected one of ${choices.join(', ')}${didYouMean(value, choices)}`);
};

const placeholders = (args: Readonly<Record<string, Argument>>): string =>
  Object.entries(args)
    .map(([name, { isOptional }]) => (isOptional ? `[${name.toUpperCase()}]` : name.toUpperCase()))
    .join(' ');

const readFlags = (command: Command, words: readonly string[]) => {
  const { name, flags } = command;
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const [flag, { value }] of Object.entries(flags))
    options[flag] = { type: value === undefined ? 'boolean' : 'string' };
  checkFlags(command, words, options);
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw usage(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
};

/** Parses the words after a command. Throws a `Stop` with code 2 before anything is done. */
const read = (command: Command, words: readonly string[]): ParsedCommandLine => {
  const { name, args, flags } = command;
  const { values, positionals } = readFlags(command, words);
  const known = Object.entries(args);
  const superfluous = positionals[known.length];
  if (superfluous !== undefined) {
    const expected = known.length === 0 ? 'no words after it' : placeholders(args);
    throw usage(`${name} does not take ${JSON.stringify(superfluous)}: expected ${expected}`);
  }
  const given: Record<string, string | undefined> = {};
  for (const [at, [argument, { choices, isOptional }]] of known.entries()) {
    const value = positionals[at];
    if (value === undefined && !isOptional) throw usage(`${name}: expected ${placeholders(args)}`);
    checkChoice(`${name} ${argument.toUpperCase()}`, value, choices);
    given[argument] = value;
  }
  const set: Record<string, string | boolean | undefined> = {};
  for (const [flag, { value, choices, default: byDefault, isRequired }] of Object.entries(flags)) {
    const given = values[flag] ?? byDefault;
    if (value === undefined) set[flag] = given === true;
    else {
      const text = typeof given === 'string' ? given : undefined;
      if (text === undefined && isRequired) throw usage(`${name}: expected --${flag} ${value}`);
      checkChoice(`--${flag}`, text, choices);
      set[flag] = text;
    }
  }
  return { command, given: { flags: set, args: given } };
};

/** Parses a command line. Throws a `Stop` with code 2. */
export const parse = (words: readonly string[], table: readonly Command[]): ParsedCommandLine => {
  const [first] = words;
  if (first === undefined || isHelp(first)) return { help: null };
  if (first === '--version') return { version: true };
  if (first === 'help') return { help: words.length === 1 ? null : findCommand(words.slice(1), table) };
  if (first.startsWith('-')) {
    throw usage(`${program} has no flag ${first}${didYouMean(first, ['--help', '--version'])}`);
  }
  const command = findCommand(words, table);
  const end = words.indexOf('--');
  const flags = end === -1 ? words : words.slice(0, end);
  if (flags.some(isHelp)) return { help: command };
  if (typeof command === 'string') {
    const members = table.flatMap(({ name }) =>
      name.startsWith(`${command} `) ? [name.slice(command.length + 1)] : [],
    );
    throw usage(`${program} ${command}: expected one of ${members.join(', ')}`);
  }
  return read(command, words.slice(command.name.split(' ').length));
};
