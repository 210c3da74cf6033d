import type { AnyStateMachine } from 'xstate';
import type { Json, Written } from './config.ts';
import { guardText, type GuardText } from './guard-text.ts';
import type { Facts, Simulation } from './simulation.ts';

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

const remark = '// To be looked at and clicked through. What is invoked never ends.';

const withFacts = [
  '// The context has a fact for each guard; a guard that is put together from others reads theirs. An event may',
  "// bring facts, which its guards read first and its actions keep: { type: 'go', facts: { isOpen: false } }.",
];

const plainly = ['// Without them, an event passes its guards, and a decision without an event does not.'];

const simplified = [
  '// Simplified: the real chart reads its facts from the documents of a run. Here each event and action changes them',
  '// as it most often did in sampled runs. Facts that contradict each other can lead to an endless decision.',
];

const isPlainName = (name: string): boolean => /^[a-z_$][\w$]*$/i.test(name) && name !== '__proto__';

const contextFact = (fact: string): string =>
  isPlainName(fact) ? `context.${fact}` : `context[${JSON.stringify(fact)}]`;

const eventFact = (fact: string): string =>
  `(event.facts?.${isPlainName(fact) ? fact : `[${JSON.stringify(fact)}]`} ?? ${contextFact(fact)})`;

/** Returns the facts of a file: those of the simulation, else events pass and decisions do not. */
const factsOf = (
  { asked }: Written,
  guards: ReadonlyMap<string, GuardText>,
  simulation: Simulation | undefined,
): Facts => {
  const decided = new Set([...asked.decisions].flatMap((name) => guards.get(name)?.facts ?? []));
  const names = new Set([...guards.values()].flatMap(({ facts }) => facts));
  return Object.fromEntries(
    [...names].toSorted().map((name) => [name, simulation?.facts[name] ?? !decided.has(name)]),
  );
};

const guardStub = ({ text }: GuardText, isDecision: boolean): string =>
  isDecision ? `({ context }) => ${text(contextFact)}` : `({ context, event }) => ${text(eventFact)}`;

const withoutParams = 'null';

/** Returns an action that takes any parameters: XState would infer none. */
const assignText = (change: string): string => `Object(setup({}).assign(${change}))`;

/** Returns an action that changes facts. A change by events keeps the facts of the event too. */
const actionStub = (name: string, simulation: Simulation | undefined): string => {
  const changes = simulation?.changes[name];
  if (simulation !== undefined && changes === undefined) return '() => {}';
  if (changes === undefined) return assignText('({ event }) => ({ ...event.facts })');
  const [[key, always] = ['', {}], ...others] = Object.entries(changes.of);
  if (changes.by === 'params' && key === withoutParams && others.length === 0)
    return assignText(textOf(always, '    '));
  const inner = '      ';
  const table = list(
    '{',
    Object.entries(changes.of)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([of, facts]) => `${nameText(of)}: ${textOf(facts, `${inner}  `)}`),
    '}',
    inner,
  );
  const found = `...new Map(Object.entries(${table}))`;
  return assignText(
    changes.by === 'event'
      ? `({ event }) => ({\n${inner}${found}.get(event.type),\n${inner}...event.facts,\n    })`
      : `(_, params) => ({\n${inner}${found}.get(JSON.stringify(params ?? null)),\n    })`,
  );
};

/**
 * Returns a machine as a file that needs only XState, with guards over facts.
 *
 * Without a simulation, a guard of an event is true and a guard of a decision is false, which could loop. An actor
 * never ends. A named delay is one second.
 */
export const sourceOf = (machine: AnyStateMachine, written: Written, simulation?: Simulation): string => {
  const { guards, decisions, actions, actors, delays } = written.asked;
  const texts = new Map([...written.guards].map(([name, guard]) => [name, guardText(machine, guard)]));
  const facts = factsOf(written, texts, simulation);
  const hasFacts = Object.keys(facts).length > 0;
  const stubOf = (name: string): string => {
    const text = texts.get(name);
    return text === undefined ? '() => true' : guardStub(text, decisions.has(name));
  };
  const implementations = Object.entries({
    guards: stubs(new Set([...guards, ...decisions]), stubOf),
    actions: stubs(actions, (name) => (hasFacts ? actionStub(name, simulation) : '() => {}')),
    actors: stubs(actors, () => 'setup({}).createMachine({})'),
    delays: stubs(delays, () => '1000'),
  })
    .filter(([, text]) => text !== '{}')
    .map(([name, text]) => `  ${name}: ${text},\n`)
    .join('');
  const given = implementations === '' ? '{}' : `{\n${implementations}}`;
  const config: Json = hasFacts ? { context: facts, ...(written.config as object) } : written.config;
  return [
    "import { setup } from 'xstate';",
    '',
    remark,
    ...(hasFacts ? [...withFacts, ...(simulation === undefined ? plainly : simplified)] : []),
    `export const machine = setup(${given}).createMachine(${textOf(config)});`,
    '',
  ].join('\n');
};
