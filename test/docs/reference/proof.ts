import {
  adversarialProperties,
  charterProperties,
  coverageOf,
  edgeCover,
  hostileFactsIn,
  inWorld,
  outlineOf,
  sharpnessOf,
  explore,
  simplePaths,
  type Charter,
  type Property,
  type Verdict,
  type World,
} from 'agentcharter/testing';
import { taskMachine, type CharterSnapshot } from '../../../machines/index.ts';
import { factors, pairwise, product } from '../../machines/product.ts';
import { impossible, pairTable, type PairTable } from '../../machines/feature-pairs.ts';
import { pairName } from '../../machines/feature-worlds.ts';
import { features } from '../../machines/features.ts';
import { sharpWorlds } from '../../machines/sharp-worlds.ts';
import { asked, graphIn } from '../../machines/walks.ts';
import { worlds } from '../../machines/worlds.ts';
import { code, page, table } from './markdown.ts';

/** The operational state, and inside `submitted` the phase. */
const phaseOf = ({ value }: CharterSnapshot): string => {
  if (typeof value === 'string') return value;
  const [[outer, inner] = ['', '']] = Object.entries(value);
  if (outer !== 'submitted') return outer;
  return typeof inner === 'string' ? inner : (Object.keys(inner ?? {})[0] ?? '');
};

/** Every way through the phases that no state is visited twice on, over graphs seen from afar. */
const waysThrough = (graphs: readonly ReturnType<typeof graphIn>[]) => {
  const outline = outlineOf(graphs, (snapshot) => phaseOf(snapshot as CharterSnapshot));
  const graph = explore(outline, { events: outline.events.map((type) => ({ type })) });
  const ways = new Set<string>();
  for (const path of simplePaths(graph))
    ways.add(
      [0, ...path.steps.map(({ to }) => to)].map((state) => String(graph.at(state).value)).join(' → '),
    );
  return [...ways];
};

const callsIn = ({ plans }: World): number => plans.flat().length;
const smallFirst = sharpWorlds.toSorted((one, other) => callsIn(one) - callsIn(other));

/** What is asked of each mutant: the properties, small worlds first, and then, where no calls are made, that nothing hostile gets in. */
const trials = [
  ...smallFirst.map((world) => [world, charterProperties<Charter>(world)] as const),
  ...smallFirst
    .filter((world) => callsIn(world) === 0)
    .map((world) => [world, adversarialProperties<Charter>(world)] as const),
].map(([world, properties]) => ({ exploration: inWorld(world) as never, properties }));

/** Everything that is seen of a chart, in all worlds together. */
export const proofOf = (machine: Charter) => {
  const graphs = worlds.map((world) => graphIn(machine, world));
  const sum = (count: (graph: (typeof graphs)[number], at: number) => number): number =>
    graphs.reduce((total, graph, at) => total + count(graph, at), 0);
  const [first, ...rest] = graphs;
  if (first === undefined) throw new RangeError('there is no world');
  return {
    machine,
    states: sum(({ states }) => states.length),
    steps: sum(({ edges }) => edges.length),
    paths: sum((graph) => edgeCover(graph).length),
    refused: sum(({ states }, at) =>
      states.reduce((total, { context }) => total + hostileFactsIn(worlds[at]!, context).length, 0),
    ),
    coverage: coverageOf(first, ...rest),
    ways: waysThrough(graphs),
    verdicts: sharpnessOf(machine, trials),
  };
};
export type Proof = ReturnType<typeof proofOf>;

/** Where every two features of a run meet, over the worlds of this page and worlds of their own. */
export const pairsSeen = (): PairTable => pairTable(worlds.map((world) => graphIn(taskMachine, world)));

const markOf = ({ inWorlds, inOwnWorlds }: PairTable, name: string): string => {
  if (inWorlds.has(name)) return '●';
  if (inOwnWorlds.has(name)) return '○';
  return impossible.has(name) ? '–' : '?';
};

const pairsSummary = (pairs: PairTable): readonly string[] => [
  '## Which features meet',
  `A run may show each of these ${features.length} features, and every two of them. ● is a pair that one run of a world of this page shows, ○ one that a run shows in a world made for the two (${pairs.worlds} worlds, ${pairs.states.toLocaleString('en')} states, ${pairs.steps.toLocaleString('en')} steps, in which the properties hold as well, but for the reach of a settled state), and – one that no run can show.`,
  table(
    ['', 'feature', ...features.slice(0, -1).map((_, at) => String(at + 1))],
    features.map(({ name }, row) => [
      String(row + 1),
      name,
      ...features
        .slice(0, -1)
        .map((other, column) => (column < row ? markOf(pairs, pairName(other.name, name)) : '')),
    ]),
  ),
  table(
    ['no run shows', 'because'],
    [...impossible].map(([name, because]) => [name, because]),
  ),
];

/** Mutants of the phases alone that are no mutants, each with the reason why it behaves as the chart does; the task has none. */
export const equivalent: Readonly<Record<string, string>> = {
  'isAnswered is always false':
    'In the phases alone nobody answers: the run fails where it asks, and its phase leads to `undoing.stop` at once.',
  'execution.execute.dispatching always[5] and execution.execute.dispatching always[6] go where the other went':
    'Nobody is there to ask: the question ends the run wherever it is opened, and with none open the other leaf returns to the hub, which owes the reads again.',
};

const caughtBy = (verdicts: readonly Verdict[], by: Verdict['caughtBy']): number =>
  verdicts.filter((verdict) => verdict.caughtBy === by).length;

const whole = ({ seen, unseen }: { readonly seen: number; readonly unseen: readonly string[] }): string =>
  `${seen} of ${seen + unseen.length}`;

const listed = (properties: readonly Property<Charter>[], ...kinds: readonly Property<Charter>['kind'][]) =>
  properties.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => `- ${name}`);

/** What one case of the alphabet stands for, and which cases it leaves out. */
const cases: readonly (readonly [string, string, string])[] = [
  [
    'confidence',
    'above the threshold; equal to it; no number from 0 to 1, which is refused',
    'every other number: tests of `operationalStateOf`',
  ],
  ['`canProceed`', 'true', 'false asks as low confidence does, under another code: tests of the gates'],
  [
    'a plan',
    'each list of calls that the world names, at most three calls',
    'more calls, and tools of one name',
  ],
  [
    'a digest, an identifier',
    'one for each thing that it names, and `forged`',
    'what a digest is computed from: tests of the canonical form',
  ],
  [
    'evidence',
    'one object a call, of one type; fresh or stale',
    'payloads, hashes and bindings: the attacks on evidence',
  ],
  [
    'a verifier',
    'one before a write, one before `deliver`; pass, fail, or fail with a code',
    'several verifiers at one gate; checks within a report',
  ],
  [
    'an approver',
    'one for each authority, or two or three by name',
    'tokens, keys and signatures: the attacks on approvals',
  ],
  [
    'a person',
    'every type of feedback to every open question, with and without what it must bring',
    'texts, and what a tool makes of an answer',
  ],
  [
    'time',
    'each deadline that is due, in any order',
    'durations: the orchestrator states deadlines in the order of time',
  ],
  ['a followup', 'two requests in turn', 'a third request: it begins as the second did'],
];

const parts = (properties: readonly Property<Charter>[]): readonly string[] => [
  '## What is asked',
  `${properties.length} properties, of both charts.`,
  '### In every state',
  listed(properties, 'state').join('\n'),
  '### Of every step',
  listed(properties, 'step').join('\n'),
  '### Of all of it together',
  listed(properties, 'reachable', 'ending').join('\n'),
];

/** The page of what is proved of both charts, in numbers. */
export const proofPage = (proofs: readonly Proof[], pairs: PairTable): string =>
  page(
    'What is proved',
    'Every state that a chart can come to, and every step between two of them, is enumerated in small worlds: a task class, and what the model, tools, verifiers, policies, people and the clock may say under it, one case for each class that a guard can tell apart. Each property holds in all of them; each step is the end of a path that live actors took, and that was saved and restored after every single step.',
    table(
      [
        'chart',
        'worlds',
        'states',
        'steps',
        'paths',
        'hostile facts refused',
        'transitions',
        'states of the chart',
        'verdicts of guards',
      ],
      proofs.map(({ machine, states, steps, paths, refused, coverage }) => [
        code(machine.id),
        String(worlds.length),
        ...[states, steps, paths, refused].map((count) => count.toLocaleString('en')),
        whole(coverage.transitions),
        whole(coverage.states),
        whole(coverage.guards),
      ]),
    ),
    ...parts(asked(worlds[0]!)),
    '## How sharp the properties are',
    'A mutant is a chart with one thing wrong: a guard forced open or shut, two neighbouring transitions that go where the other went, a last branch without a guard removed. It is caught by a property that it breaks, by throwing or having no end, or by a path of the sound chart on which it shows another state.',
    table(
      [
        'chart',
        'mutants',
        'break a property',
        'throw, or have no end',
        'show another state',
        'are no mutants',
      ],
      proofs.map(({ machine, verdicts }) => [
        code(machine.id),
        String(verdicts.length),
        ...(['property', 'error', 'path', null] as const).map((by) => String(caughtBy(verdicts, by))),
      ]),
    ),
    table(
      ['what is no mutant', 'because'],
      proofs.flatMap(({ verdicts }) =>
        verdicts
          .filter(({ caughtBy }) => caughtBy === null)
          .map(({ mutant }) => [mutant, equivalent[mutant] ?? 'nobody knows']),
      ),
    ),
    ...pairsSummary(pairs),
    '## In every configuration',
    `Every two values of every two factors meet in ${pairwise().length} configurations, which \`npm run test:ci\` walks to their ends; \`npm run test:nightly\` walks all ${product().length.toLocaleString('en')}.`,
    table(
      ['factor', 'values'],
      Object.entries(factors).map(([name, values]) => [name, values.join(', ')]),
    ),
    '## What one case stands for',
    table(['what is said', 'one case for', 'not told apart here'], cases),
    'Not covered by any of this: two of these things at once where both are beyond a bound of the worlds (four calls, three open questions), and whatever is not a fact: that the orchestrator states the facts as they are is the business of its own tests, and of the paths that are replayed on it. A policy, a tool and a verifier appear only by the answers that they may give: their code is not proved.',
    'Second opinions are narrower than this page. Spin checks `execution` alone, in small worlds of its own. The model that is written from the specifications is compared with `task` alone: on generated runs, and on every ledger that the tests write.',
    '## Ways through the phases',
    'Seen from afar, by operational state and phase, these are all the ways on which no state is visited twice.',
    ...proofs.flatMap(({ machine, ways }) => [
      `### ${code(machine.id)}`,
      table(['ends in', 'ways', 'the shortest of them'], endsOf(ways)),
    ]),
  );

/** Where a run can settle, or rest for good. */
const lasts = new Set(['completed', 'followup', 'failed', 'cancelled', 'deliver', 'fail_safe']);

const endOf = (way: string): string => way.split(' → ').at(-1) ?? '';

const endsOf = (ways: readonly string[]): readonly (readonly string[])[] =>
  [...new Set(ways.map(endOf))]
    .filter((end) => lasts.has(end))
    .map((end) => {
      const there = ways.filter((way) => endOf(way) === end).toSorted((a, b) => a.length - b.length);
      const more = there.length > 6 ? `<br>and ${there.length - 6} more` : '';
      return [code(end), String(there.length), there.slice(0, 6).join('<br>').concat(more)];
    });
