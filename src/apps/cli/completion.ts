import { program, type Argument, type Command, type Flag } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const groupsIn = (table: readonly Command[]): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, string[]>();
  for (const { name } of table) {
    const [group = '', member] = name.split(' ');
    if (member !== undefined) groups.set(group, [...(groups.get(group) ?? []), member]);
  }
  return groups;
};

const headsOf = (table: readonly Command[]): readonly string[] => [
  ...new Set([...table.map(({ name }) => name.split(' ')[0] ?? ''), 'help']),
];

const flagsOf = ({ flags }: Command): readonly [string, Flag][] => Object.entries(flags);
const wordsOf = ({ flags }: Command): string =>
  [...Object.keys(flags), 'help'].map((flag) => `--${flag}`).join(' ');
const choicesOf = ({ args }: Command): string =>
  Object.values<Argument>(args)
    .flatMap(({ choices = [] }) => choices)
    .join(' ');

const bash = (table: readonly Command[]): string => {
  const groups = [...groupsIn(table)];
  const chosen = new Map(
    table.flatMap((one) =>
      flagsOf(one).flatMap(([flag, { choices }]) => (choices ? [[flag, choices.join(' ')] as const] : [])),
    ),
  );
  const valued = new Set(
    table.flatMap((one) => flagsOf(one).flatMap(([flag, { value }]) => (value ? [flag] : []))),
  );
  return [
    `_${program}() {`,
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} name=${COMP_WORDS[1]} flags= choices=',
    '  COMPREPLY=()',
    '  case $prev in',
    ...[...chosen].map(
      ([flag, words]) => `    --${flag}) COMPREPLY=($(compgen -W "${words}" -- "$cur")); return;;`,
    ),
    `    ${[...valued]
      .filter((flag) => !chosen.has(flag))
      .map((flag) => `--${flag}`)
      .join('|')}) return;;`,
    '  esac',
    `  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W "${headsOf(table).join(' ')} --help --version" -- "$cur")); return; fi`,
    '  case $name in',
    ...groups.map(
      ([group, members]) =>
        `    ${group}) if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W "${members.join(' ')}" -- "$cur")); return; fi; name="$name \${COMP_WORDS[2]}";;`,
    ),
    '  esac',
    '  case $name in',
    ...table.map((one) => `    '${one.name}') flags='${wordsOf(one)}' choices='${choicesOf(one)}';;`),
    '  esac',
    '  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur"))',
    '  elif [[ -n $choices ]]; then COMPREPLY=($(compgen -W "$choices" -- "$cur")); fi',
    '}',
    // otherwise, file names
    `complete -o default -F _${program} ${program}`,
    '',
  ].join('\n');
};

const zsh = (table: readonly Command[]): string =>
  ['autoload -U +X bashcompinit && bashcompinit', bash(table)].join('\n');

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const fresh = quoted('__fish_use_subcommand');
/** Returns a shell test for the words of a command. A single word may also be a subcommand of a group. */
const within = (name: string, groups: Iterable<string>): string => {
  const words = name.split(' ');
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const alone = words.length > 1 ? [] : [`not __fish_seen_subcommand_from ${[...groups].join(' ')}`];
  return [...seen, ...alone].join('; and ');
};
const line = (...parts: readonly string[]): string => [`complete -c ${program}`, ...parts].join(' ');

const fish = (table: readonly Command[]): string => {
  const groups = groupsIn(table);
  return [
    ...headsOf(table).map((head) => {
      const description =
        table.find(({ name }) => name === head)?.description ?? (groups.get(head) ?? []).join(', ');
      return line('-f', '-n', fresh, '-a', head, '-d', quoted(description));
    }),
    ...[...groups].flatMap(([group, members]) =>
      members.map((member) => {
        const description = table.find(({ name }) => name === `${group} ${member}`)?.description ?? '';
        const open = `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${members.join(' ')}`;
        return line('-f', '-n', quoted(open), '-a', member, '-d', quoted(description));
      }),
    ),
    ...table.flatMap((one) => [
      ...flagsOf(one).map(([flag, { description, value, choices }]) =>
        line(
          '-n',
          quoted(within(one.name, groups.keys())),
          '-l',
          flag,
          ...(choices ? ['-x', '-a', quoted(choices.join(' '))] : value ? ['-r'] : []),
          '-d',
          quoted(description),
        ),
      ),
      ...(choicesOf(one) === ''
        ? []
        : [line('-n', quoted(within(one.name, groups.keys())), '-a', quoted(choicesOf(one)))]),
    ]),
    '',
  ].join('\n');
};

const scripts: Record<Shell, (table: readonly Command[]) => string> = { bash, zsh, fish };

/** Returns the completion script of a shell for these commands. */
export const scriptOf = (shell: Shell, table: readonly Command[]): string => scripts[shell](table);
