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
  '// as it most often did in sampled runs. An event with a list of outcomes has them in turn, one at each click.',
  '// Facts that contradict each other can lead to an endless decision.',
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

/** The member of the context that has the next outcome of each event. */
const turns = 'turns';

const hasTurns = (of: Readonly<Record<string, readonly Facts[]>>): boolean =>
  Object.values(of).some(({ length }) => length > 1);

/** Returns an action that takes any parameters: XState would infer none. */
const assignText = (change: string): string => `Object(setup({}).assign(${change}))`;

/** Returns a lookup in a table of facts, as source text. */
const lookup = (of: Readonly<Record<string, Json>>, key: string): string => {
  const indent = '      ';
  const members = Object.entries(of)
    .filter(([name]) => name !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, facts]) => `${nameText(name)}: ${textOf(facts, `${indent}  `)}`);
  return `new Map(Object.entries(${list('{', members, '}', indent)})).get(${key})`;
};

const byParams = (of: Readonly<Record<string, Facts>>): string => {
  const [[key, always] = ['', {}], ...others] = Object.entries(of);
  if (key === withoutParams && others.length === 0) return textOf(always, '    ');
  return `(_, params) => ({\n      ...${lookup(of, 'JSON.stringify(params ?? null)')},\n    })`;
};

/** Returns a change by events. It keeps the facts of the event too. */
const byEvent = (of: Readonly<Record<string, readonly [Facts, ...Facts[]]>>): string => {
  const [usual] = of[''] ?? [];
  const usually = Object.entries(usual ?? {}).map(([name, fact]) => `${nameText(name)}: ${fact},`);
  const told = Object.fromEntries(
    Object.entries(of).map(([event, [first, ...others]]): [string, Json] => [
      event,
      others.length === 0 ? first : [first, ...others],
    ]),
  );
  const found = lookup(told, 'event.type');
  const lines = hasTurns(of)
    ? [
        '({ context, event }) => {',
        `  const outcomes = [${found} ?? {}].flat();`,
        `  const turn = event.facts ? 0 : (context.${turns}[event.type] ?? 0);`,
        `  const next = { ...context.${turns}, [event.type]: (turn + 1) % outcomes.length };`,
        `  return { ${[...usually, '...outcomes[turn],'].join(' ')} ...event.facts, ...(outcomes.length > 1 && { ${turns}: next }) };`,
        '}',
      ]
    : [
        '({ event }) => ({',
        ...[...usually, `...${found},`, '...event.facts,'].map((line) => `  ${line}`),
        '})',
      ];
  return lines.join('\n    ');
};

/** Returns an action that changes facts. */
const actionStub = (name: string, simulation: Simulation | undefined): string => {
  if (simulation === undefined) return assignText('({ event }) => ({ ...event.facts })');
  const changes = simulation.changes[name];
  if (changes === undefined) return '() => {}';
  return assignText(changes.by === 'params' ? byParams(changes.of) : byEvent(changes.of));
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
  const isInTurn = Object.values(simulation?.changes ?? {}).some(
    ({ by, of }) => by === 'event' && hasTurns(of),
  );
  const context = { ...facts, ...(isInTurn && { [turns]: {} }) };
  const config: Json = hasFacts ? { context, ...(written.config as object) } : written.config;
  return [
    "import { setup } from 'xstate';",
    '',
    remark,
    ...(hasFacts ? [...withFacts, ...(simulation === undefined ? plainly : simplified)] : []),
    `export const machine = setup(${given}).createMachine(${textOf(config)});`,
    '',
  ].join('\n');
};
