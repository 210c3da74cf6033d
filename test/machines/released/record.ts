import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { explore, inWorld } from 'agentcharter/testing';
import { taskMachine } from '../../../machines/index.ts';
import { fixtureNames, ledgerLines } from '../../fixtures/chart-1/fixtures.ts';
import { worlds } from '../worlds.ts';
import { corpusFile, type Sequences } from './behaviour.ts';

type Fact = Sequences['facts'][number];

/** Numbers facts, each once. */
const numbering = () => {
  const numbers = new Map<string, number>();
  const facts: Fact[] = [];
  const numberOf = (fact: Fact): number => {
    const key = JSON.stringify(fact);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, facts.length);
    return facts.push(fact) - 1;
  };
  return { facts, numberOf };
};

/** Every step of a world: the shortest way to each of its states, and what is taken there. */
const recorded = (world: (typeof worlds)[number]): Sequences => {
  const { input, ...rest } = inWorld(world);
  const { states, edges, eventsIn } = explore(taskMachine, { input, ...rest, limit: 20_000 });
  const { facts, numberOf } = numbering();
  const entryOf = new Map([[0, 0]]); // of a state: the entry that reached it first
  const entries: [number, number][] = [];
  for (const { from, event, to } of edges) {
    const before = entryOf.get(from);
    if (before === undefined) throw new Error(`${world.name}: state ${from} is left before it is reached`);
    const entry = entries.push([before, numberOf(event)]);
    if (!entryOf.has(to)) entryOf.set(to, entry);
  }
  for (const state of states) for (const event of eventsIn(state)) numberOf(event);
  return { name: world.name, input, facts, entries };
};

/** The facts of a task that chart 1 recorded. */
const recordedThen = (name: (typeof fixtureNames)[number]): Sequences => {
  const records = ledgerLines(name) as readonly {
    kind: string;
    fact: Fact | null;
    request_id: string;
    brought: { contract?: unknown };
  }[];
  const { facts, numberOf } = numbering();
  const entries = records
    .flatMap(({ kind, fact }) => (kind === 'fact' && fact !== null ? [numberOf(fact)] : []))
    .map((fact, at) => [at, fact] as const);
  const [opening] = records;
  const input = { taskClass: opening?.brought.contract, request: opening?.request_id };
  return { name: `the task "${name}" of chart 1`, input, facts, entries };
};

const corpus = [...worlds.map(recorded), ...fixtureNames.map(recordedThen)];
writeFileSync(corpusFile, gzipSync(JSON.stringify(corpus), { level: 9 }));
console.log(
  `${corpus.length} sets of sequences, ${corpus.reduce((sum, { entries }) => sum + entries.length, 0)} facts`,
);
