import type { Json, Written } from './config.ts';

const width = 100;

const nameText = (name: string): string => {
  if (name === '__proto__') return '["__proto__"]'; // the literal form would set the prototype
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
};

const list = (open: string, members: readonly string[], close: string, indent: string): string => {
  if (members.length === 0) return open + close;
  const pad = open === '{' ? ' ' : '';
  const flat = `${open}${pad}${members.join(', ')}${pad}${close}`;
  if (indent.length + flat.length <= width && !flat.includes('\n')) return flat;
  return `${open}\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}${close}`;
};

/** Returns a value as source text, on one line if it fits. */
const textOf = (value: Json, indent = ''): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return list(
      '[',
      value.map((one: Json) => textOf(one, inner)),
      ']',
      indent,
    );
  const members = Object.entries(value).map(([name, one]) => `${nameText(name)}: ${textOf(one, inner)}`);
  return list('{', members, '}', indent);
};

const stubs = (names: Iterable<string>, stubOf: (name: string) => string): string =>
  list(
    '{',
    [...names].toSorted().map((name) => `${nameText(name)}: ${stubOf(name)}`),
    '}',
    '  ',
  );

const remark = [
  '// To be looked at and clicked through: an event passes its guard; what decides without an event does not,',
  '// so that nothing runs by itself; actions do nothing; what is invoked never ends.',
];

/**
 * Returns a machine as a file that needs only XState, with placeholder implementations.
 *
 * A guard returns true, unless a transition without an event uses it, which could loop. An actor never ends.
 * A named delay is one second.
 */
export const sourceOf = ({ config, asked }: Written): string => {
  const { guards, decisions, actions, actors, delays } = asked;
  const implementations = Object.entries({
    guards: stubs(new Set([...guards, ...decisions]), (name) => `() => ${!decisions.has(name)}`),
    actions: stubs(actions, () => '() => {}'),
    actors: stubs(actors, () => 'setup({}).createMachine({})'),
    delays: stubs(delays, () => '1000'),
  })
    .filter(([, text]) => text !== '{}')
    .map(([name, text]) => `  ${name}: ${text},\n`)
    .join('');
  const given = implementations === '' ? '{}' : `{\n${implementations}}`;
  return [
    "import { setup } from 'xstate';",
    '',
    ...remark,
    `export const machine = setup(${given}).createMachine(${textOf(config)});`,
    '',
  ].join('\n');
};
