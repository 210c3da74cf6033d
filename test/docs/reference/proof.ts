import {
  adversarialProperties,
  charterProperties,
  coverageOf,
  edgeCover,
  hostileFactsIn,
  inWorld,
  sharpnessOf,
  type Charter,
  type Property,
  type Verdict,
  type World,
} from 'agentcharter/testing';
import { taskMachine } from '../../../machines/index.ts';
import { factors, pairwise, product } from '../../machines/product.ts';
import { impossible, pairTable, type PairTable } from '../../machines/feature-pairs.ts';
import { features } from '../../machines/features.ts';
import { sharpWorlds } from '../../machines/sharp-worlds.ts';
import { asked, graphIn } from '../../machines/walks.ts';
import { worlds } from '../../machines/worlds.ts';
import { transitionsOf } from '../../../src/testing/coverage.ts';
import { ofBareChart } from '../../src/core/shell/paths/bare.ts';
import { figures } from '../../bench/table.ts';
import { page, table } from './markdown.ts';

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
    verdicts: sharpnessOf(machine, trials),
  };
};
export type Proof = ReturnType<typeof proofOf>;

/** Where every two features of a run meet, over the worlds of this page and worlds of their own. */
export const pairsSeen = (): PairTable => pairTable(worlds.map((world) => graphIn(taskMachine, world)));

const pairsSummary = ({ inWorlds, inOwnWorlds, worlds, states, steps }: PairTable): readonly string[] => [
  '## Combinations',
  `Every two of the ${features.length} [features of a run](../../test/machines/features.ts) meet in one run, if they can: ${inWorlds.size} pairs in the worlds of this page, ${inOwnWorlds.size} in ${worlds} of their own (${states.toLocaleString('en')} states, ${steps.toLocaleString('en')} steps). The properties hold there too, but for the reach of a settled state. ${impossible.size} pairs cannot meet.`,
];

const returns = 'Both leaves ask, or return to the hub.';

/** Mutants that are no mutants, by chart, each with the reason why it behaves as the chart does. */
export const equivalent: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  task: {
    'task.submitted.execute.dispatching always[6] and task.submitted.execute.dispatching always[7] go where the other went':
      returns,
    'task.submitted.execute.assessing always[0] and task.submitted.execute.assessing always[1] go where the other went':
      returns,
  },
  execution: {
    'isAnswered is always false':
      'Without people the run fails where it asks, and its phase leads to `undoing.stop` at once.',
    'execution.execute.dispatching always[6] and execution.execute.dispatching always[7] go where the other went':
      'Without people any question ends the run. With none open, the other leaf returns to the hub.',
    'execution.execute.assessing always[0] and execution.execute.assessing always[1] go where the other went':
      'Without people any question ends the run, from the hub as from the leaf. With none open, the leaf returns to the hub.',
  },
};

/** What is run of the paths that `@xstate/graph` finds. */
const shortestSummary = (proofs: readonly Proof[]): string => {
  const counts = proofs.map(({ machine, states }) => `${states.toLocaleString('en')} of \`${machine.id}\``);
  const all = transitionsOf(taskMachine).size;
  const taken = all - Object.keys(ofBareChart).length;
  return `Live actors also take the shortest paths that \`@xstate/graph\` finds: one to each of these states (${counts.join(', ')}), and one through each transition from each state of the chart that it leaves. A real orchestrator takes those through ${taken} of the ${all} transitions of \`task\`, and to each of its states. [A list](../../test/src/core/shell/paths/bare.ts) says why it cannot take the others.`;
};

const caughtBy = (verdicts: readonly Verdict[], by: Verdict['caughtBy']): number =>
  verdicts.filter((verdict) => verdict.caughtBy === by).length;

const whole = ({ seen, unseen }: { readonly seen: number; readonly unseen: readonly string[] }): string =>
  `${seen} of ${seen + unseen.length}`;

const listed = (properties: readonly Property<Charter>[], ...kinds: readonly Property<Charter>['kind'][]) =>
  properties.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => `- ${name}`);

/** What one case of the alphabet stands for, and which cases it omits. */
const cases: readonly (readonly [string, string, string])[] = [
  [
    'confidence',
    'above the threshold; equal to it; no number from 0 to 1, which is refused',
    'every other number: tests of `operationalStateOf`',
  ],
  ['`canProceed`', 'true', 'false, which asks like low confidence: tests of the gates'],
  ['a plan', 'each list of calls of the world, at most three calls', 'more calls, and tools of one name'],
  [
    'a digest, an identifier',
    'one for each subject, and `forged`',
    'how it is computed: tests of the canonical form',
  ],
  [
    'evidence',
    'one object a call, of one type; fresh or stale',
    'payloads, hashes and bindings: the attacks on evidence',
  ],
  [
    'a held call',
    'each reason, and both; on a call of each tier',
    'which values and tools are held, which is computed outside of the charts: tests and attacks on origins',
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
    'every type of feedback to every open question, with and without its content',
    'texts, and what a tool makes of an answer',
  ],
  [
    'time',
    'each deadline that is due, in any order',
    'durations: the orchestrator sends deadlines in the order of time',
  ],
  ['a followup', 'two requests in turn', 'a third request'],
];

const parts = (properties: readonly Property<Charter>[]): readonly string[] => [
  '## The properties',
  `${properties.length} properties hold of both charts.`,
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
    'See which properties of the charts are proved, and what the proof does not cover. The proof enumerates every state and every step in small worlds. A world is a task class with everything that model, tools, verifiers, policies, people and the clock may say, one case for each class that a guard can tell apart. Live actors took a path to each step, and were saved and restored after each.',
    figures([
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
      ...proofs.map(({ machine, states, steps, paths, refused, coverage }) => [
        machine.id,
        String(worlds.length),
        ...[states, steps, paths, refused].map((count) => count.toLocaleString('en')),
        whole(coverage.transitions),
        whole(coverage.states),
        whole(coverage.guards),
      ]),
    ]),
    shortestSummary(proofs),
    ...parts(asked(worlds[0]!)),
    '## Mutation testing',
    'A mutant is a chart with one fault: a guard forced open or shut, two neighbouring transitions swapped, or the last branch removed. Each is caught in one of three ways, or is equivalent: it behaves like the chart.',
    figures([
      ['chart', 'mutants', 'break a property', 'throw, or do not end', 'reach another state', 'equivalent'],
      ...proofs.map(({ machine, verdicts }) => [
        machine.id,
        String(verdicts.length),
        ...(['property', 'error', 'path', null] as const).map((by) => String(caughtBy(verdicts, by))),
      ]),
    ]),
    table(
      ['chart', 'equivalent mutant', 'why'],
      proofs.flatMap(({ machine: { id }, verdicts }) =>
        verdicts
          .filter(({ caughtBy }) => caughtBy === null)
          .map(({ mutant }) => [id, mutant, equivalent[id]?.[mutant] ?? 'unknown']),
      ),
    ),
    ...pairsSummary(pairs),
    `Every two values of every two factors (${Object.keys(factors).join(', ')}) meet in ${pairwise().length} configurations, which \`npm run test:proof\` explores. \`npm run test:nightly\` explores all ${product().length.toLocaleString('en')}.`,
    '## What each case represents',
    table(['input', 'cases', 'not distinguished'], cases),
    '## Not covered',
    '- Combinations beyond the bounds of the worlds, such as four calls or three open questions.\n- Whether the orchestrator sends the right facts: its own tests check that, and replay the paths on it.\n- The code of policies, tools and verifiers: only their possible answers appear.',
    'Independent checks cover less. Spin checks `execution` only, in small worlds. A model written from the specifications is compared with `task` only: on generated runs, and on every ledger that the tests write.',
  );
