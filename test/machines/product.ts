import { callOf, type World } from 'agentcharter/testing';
import type { ProposedCall } from '../../machines/index.ts';

/** What the worlds of the cover differ in. */
export const factors = {
  tier: ['read_only', 'write_low_risk', 'write_high_risk'],
  calls: [1, 2, 3],
  repairs: [0, 1, 2, 3],
  repairTo: ['plan', 'execute'],
  questions: [1, 2],
  followup: [false, true],
  alphabet: ['honest', 'adversarial'],
  aside: ['nothing', 'the model', 'the tools', 'doubt', 'approvers', 'the clock', 'people'],
} as const;

export type Factors = { readonly [Name in keyof typeof factors]: (typeof factors)[Name][number] };

const lastOf: Readonly<Record<Factors['tier'], ProposedCall>> = {
  read_only: callOf.read('r'),
  write_low_risk: callOf.undoable('u'),
  write_high_risk: callOf.send('w'),
};

type Aside = NonNullable<World['never']>[number];

/** What happens beside the straight course of a run, and who makes it happen. */
const asides: Readonly<Record<Factors['aside'], readonly Aside[]>> = {
  nothing: [],
  'the model': [
    'information.requested',
    'help.requested',
    'output.rejected',
    'capability.exceeded',
    'unsure',
  ],
  'the tools': ['question.raised', 'dependency.awaited'],
  doubt: ['call.doubted', 'call'],
  approvers: ['approval.granted', 'needs_review', 'call.refused', 'approval'],
  'the clock': [
    'accept',
    'model',
    'policy',
    'verifier',
    'rollback',
    'question',
    'offer',
    'followup',
    'evidence',
    'start',
  ],
  people: ['edit', 'rank', 'instruction', 'comment', 'unsure'],
};
const others: readonly Aside[] = [
  'run.failed',
  'evidence.changed',
  'output.changed',
  'request.refused',
  'dependency',
];

/** A world of the cover: everything that its factors say, and of the asides that one. */
export const worldOf = (of: Factors): World => {
  const { tier, calls, repairs, repairTo, questions, followup, alphabet, aside } = of;
  const heard = new Set<Aside>(asides[aside]);
  return {
    name: Object.entries(of)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
    taskClass: {
      beforeWrite: { verifiers: calls === 1 ? ['check'] : [] },
      beforeDeliver: {
        verifiers: ['facts'],
        evidence: tier === 'read_only' ? [{ type: 'tool_result' }] : [],
      },
      authorities: ['approval', 'human'],
      repairTo,
      followup,
      limits: {
        corrections: 1,
        repairs,
        rounds: 1,
        revisions: 1,
        refreshes: 1,
        pauses: questions,
        clearances: heard.has('call.refused') ? 1 : 0,
        recoveries: heard.has('recovery.started') ? 1 : 0,
      },
    },
    plans: [[...[callOf.read('a'), callOf.undoable('b')].slice(0, calls - 1), lastOf[tier]]],
    careless: alphabet === 'adversarial',
    never: [...Object.values(asides).flat(), ...others].filter((name) => !heard.has(name)),
  };
};

/** Every configuration that there is. */
export const product = (): readonly Factors[] =>
  Object.entries(factors).reduce<readonly object[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  ) as readonly Factors[];

/** The pairs of values that meet in a configuration. */
export const pairsOf = (row: Factors): readonly string[] => {
  const named = Object.entries(row).map(([name, value]) => `${name} ${String(value)}`);
  return named.flatMap((one, at) => named.slice(at + 1).map((other) => `${one}, ${other}`));
};

/** Configurations in which every two values of every two factors meet: again and again the one with most pairs that are new. */
export const pairwise = (): readonly Factors[] => {
  const all = product().map((row) => ({ row, pairs: pairsOf(row) }));
  const unmet = new Set(all.flatMap(({ pairs }) => pairs));
  const fresh = ({ pairs }: (typeof all)[number]): number => pairs.filter((pair) => unmet.has(pair)).length;
  const rows: Factors[] = [];
  while (unmet.size > 0) {
    const next = all.reduce((best, one) => (fresh(one) > fresh(best) ? one : best));
    for (const pair of next.pairs) unmet.delete(pair);
    rows.push(next.row);
  }
  return rows;
};
