import { createHash, hash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { stepper } from '../../../src/testing/chart.ts';

/**
 * Recorded sequences of facts, as a tree: an entry is the fact that follows the entry of another one. They were recorded
 * once, and stay the same while the chart changes, so that each version of it is told the same.
 */
export interface Sequences {
  readonly name: string;
  readonly input: unknown;
  /** Every fact that is stated, or refused. */
  readonly facts: readonly { readonly type: string }[];
  /** The number of the entry before, and the number of the fact; entry 0 is the beginning. */
  readonly entries: readonly (readonly [before: number, fact: number])[];
}

/** Where the corpus is kept: compressed, for it holds some 40,000 facts. */
export const corpusFile = new URL('../../fixtures/chart/corpus.json.gz', import.meta.url);

const Corpus = z.array(
  z.object({
    name: z.string(),
    input: z.unknown(),
    facts: z.array(z.looseObject({ type: z.string() })),
    entries: z.array(z.tuple([z.int(), z.int()])),
  }),
);

/** Returns the corpus that was recorded. */
export const readCorpus = (): readonly Sequences[] =>
  Corpus.parse(JSON.parse(gunzipSync(readFileSync(corpusFile)).toString()));

/** How many facts each state is offered besides the ones that were taken: a guard that opens takes one of them. */
const offered = 3;

/** Returns the text that a ledger would hash after a fact, and the facts that the chart takes there. */
const textOf = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot): string =>
  JSON.stringify(machine.getPersistedSnapshot(snapshot));

const isTaken = (snapshot: AnyMachineSnapshot, fact: { readonly type: string }): boolean =>
  snapshot.status === 'active' && snapshot.can(fact);

const tell = (machine: AnyStateMachine, { input, facts, entries }: Sequences, digest: Hash): void => {
  const { initial, step } = stepper(machine, input);
  const isParent = new Set(entries.map(([before]) => before));
  const snapshots = new Map<number, AnyMachineSnapshot>([[0, initial()]]);
  digest.update(textOf(machine, initial()));
  for (const [at, [before, number]] of entries.entries()) {
    const from = snapshots.get(before);
    const fact = facts[number];
    if (from === undefined || fact === undefined) throw new Error(`entry ${at + 1} follows none`);
    const to = step(from, fact);
    digest.update(to === from ? 'refused' : textOf(machine, to));
    if (!isParent.has(at + 1)) continue;
    snapshots.set(at + 1, to);
    for (let n = 1; n <= offered; n += 1) {
      const other = facts[(at * 7 + n * 13) % facts.length];
      if (other !== undefined) digest.update(isTaken(to, other) ? '1' : '0');
    }
  }
};

/** What of a chart's definition says what it does: all but where it comes from, and in which version. */
const definitionOf = (machine: AnyStateMachine): string =>
  JSON.stringify(machine.config, (key, value: unknown) => {
    if (key === 'version' || key === 'cites') return undefined;
    if (typeof value === 'function' && key !== 'context' && key !== 'output')
      throw new Error(`${key}: a guard or an action without a name cannot be compared`);
    return value;
  });

/** The behaviour of a chart: a digest of what it is, and of what it did under each set of sequences. */
export interface Behaviour {
  readonly version: string;
  readonly digests: Readonly<Record<string, string>>;
}

/** A version of the charts, as its folder exports it. */
export interface Charts {
  readonly chartVersion: string;
  readonly machines: readonly AnyStateMachine[];
  /** The schemas of what is recorded. */
  readonly schemas: readonly z.ZodType[];
}

/** Returns the behaviour of the charts under a corpus. */
export const behaviourOf = (
  { chartVersion, machines, schemas }: Charts,
  corpus: readonly Sequences[],
): Behaviour => {
  const schemaText = JSON.stringify(schemas.map((schema) => z.toJSONSchema(schema, { io: 'input' })));
  const digests = [
    ['the schemas of facts and contracts', hash('sha256', schemaText)],
    ...machines.map((machine) => [`the definition of ${machine.id}`, hash('sha256', definitionOf(machine))]),
    ...corpus.map((sequences) => {
      const digest = createHash('sha256');
      for (const machine of machines) tell(machine, sequences, digest);
      return [sequences.name, digest.digest('hex')];
    }),
  ];
  return { version: chartVersion, digests: Object.fromEntries(digests) as Behaviour['digests'] };
};

/** Returns the names of what differs. */
export const differences = (one: Behaviour, other: Behaviour): readonly string[] =>
  [...new Set([...Object.keys(one.digests), ...Object.keys(other.digests)])].filter(
    (name) => one.digests[name] !== other.digests[name],
  );

/** Returns why a chart must not be released beside the one that was released last; `null` if it may. */
export const objectionTo = (current: Behaviour, released: Behaviour): string | null => {
  const changed = differences(current, released);
  const hasRisen = current.version !== released.version;
  if (changed.length > 0 && !hasRisen)
    return [
      `The chart does not do what version ${released.version} does, which was released:`,
      ...changed.map((name) => `- ${name}`),
      'A recorded ledger could lead elsewhere. Undo the change, or raise chartVersion in machines/version.ts and say in',
      'CHANGELOG.md what differs. docs/releases.md has the rule.',
    ].join('\n');
  if (hasRisen && Number(current.version) !== Number(released.version) + 1)
    return `Version ${current.version} does not follow version ${released.version}, which was released: versions rise by one.`;
  if (hasRisen && changed.length === 0)
    return `Version ${current.version} does what version ${released.version} does: lower chartVersion in machines/version.ts again.`;
  return null;
};
