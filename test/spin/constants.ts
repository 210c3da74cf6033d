import { askedAt, evidenceConstants, joined } from './evidence.ts';
import { long } from './limits.ts';
import { authorities, confidences, place, type Order } from './order.ts';
import { any, define, each, every, inForce, isOneOf, places, table } from './printed.ts';

/** How many reasons a run may have; Spin would tell if one had more. */
const reasonsKept = 14;

/** A predicate said of every place in turn. */
const quantifiers = (kind: string, count: number): readonly string[] => {
  const conditions = places(count).map((at) => `P(${at})`);
  const conditionsOf = places(count).map((at) => `P(${at}, of)`);
  return [define(`ANY_${kind}(P)`, any(conditions)), define(`ANY_${kind}_OF(P, of)`, any(conditionsOf))];
};

/** Quantifiers over calls that stand inside one another: which call, for which write, and by which predicates. */
const nested = (count: number): readonly string[] => [
  define('ANY_CALL_FOR(P, of, write)', any(places(count).map((at) => `P(${at}, of, write)`))),
  define('EVERY_CALL_BY(P, of, B, W)', every(places(count).map((at) => `P(${at}, of, B, W)`))),
];

const search = (name: string, order: readonly number[]): string =>
  define(
    `${name}(P)`,
    order.reduceRight((rest, at) => `(P(${at}) -> ${at} : ${rest})`, 'NONE'),
  );

/** A condition, and a step, that counts from the beginning or once the stricter class is in force. */
const condition = (isBegun: boolean, said: string): string => (isBegun ? said : `(!isTight || ${said})`);
const step = (isBegun: boolean, said: string): string =>
  isBegun ? said : `if :: isTight -> ${said} :: else fi`;

/** What a task class asks for before a gate: as a condition on each, and as a step for each. */
const requirements = (order: Order, gate: 'beforeWrite' | 'beforeDeliver'): readonly string[] => {
  const name = gate === 'beforeWrite' ? 'BEFORE_WRITE' : 'BEFORE_DELIVER';
  const { taskClass, current, verifiers } = order;
  const ofEvidence = askedAt(order, gate).map(([one, isBegun]) => [isBegun, `P(${one})`] as const);
  const asked = joined(taskClass[gate].verifiers, current[gate].verifiers).map(
    ([verifier, isBegun]) => [isBegun, place(verifiers, verifier)] as const,
  );
  const ofVerifiers = asked.map(([isBegun, at]) => [isBegun, `P(${at}, of)`] as const);
  return [
    define(`EVERY_EVIDENCE_${name}(P)`, every(ofEvidence.map((one) => condition(...one)))),
    define(`EACH_EVIDENCE_${name}(P)`, each(ofEvidence.map((one) => step(...one)))),
    define(`EVERY_VERIFIER_${name}(P, of)`, every(ofVerifiers.map((one) => condition(...one)))),
    define(`EACH_VERIFIER_${name}(P, of)`, each(ofVerifiers.map((one) => step(...one)))),
    define(`HAS_VERIFIERS_${name}`, any(asked.map(([isBegun]) => inForce(isBegun, true)))),
    define(
      `IS_${name}(one)`,
      any(asked.map(([isBegun, at]) => `((one) == ${at} && ${inForce(isBegun, true)})`)),
    ),
  ];
};

const sizes = ({ calls, actions, verifiers, plans }: Order): readonly string[] => [
  define('NONE', 255),
  define('READ_ONLY', 0),
  define('WRITE_LOW_RISK', 1),
  define('WRITE_HIGH_RISK', 2),
  define('CALLS', calls.length),
  define('ACTIONS', actions.length),
  define('VERIFIERS', Math.max(verifiers.length, 1)),
  define('PLANS', plans.length),
  define('REASONS', reasonsKept),
];

const proposals = ({ calls, plans, further }: Order): readonly string[] => {
  const planned = plans.flatMap((plan, at) => plan.map((_, one) => `((plan) == ${at} && (one) == ${one})`));
  const added = further.map((call) => calls.indexOf(call));
  return [
    define('IS_PLANNED(plan, one)', any(planned)),
    define('IS_FURTHER(one)', isOneOf(added)),
    define('ANY_FURTHER', any(added.map((call) => `status[${call}] != ABSENT`))),
  ];
};

const tables = ({ calls, edited, actions }: Order): readonly string[] => {
  const kinds = [...calls, ...edited];
  const tiers = kinds.map(({ tier }) => tier.toUpperCase());
  const rollbacks = kinds.map(({ rollback }) => String(rollback));
  const digests = kinds.map(({ digest }) => actions.indexOf(digest));
  return [
    define('AS(call)', edited.length > 0 ? '(edited[call] -> EDITED : (call))' : '(call)'),
    table('TIER_OF', tiers),
    table('ROLLBACK_OF', rollbacks),
    table('ACTION_OF', digests),
  ];
};

/** What the task class allows: which confidences, whose word, and which tools. */
const allowances = ({ taskClass, current, calls, edited }: Order): readonly string[] => {
  const isEnough = (one: (typeof confidences)[number], { unstated, threshold }: typeof taskClass): boolean =>
    one === 'unstated' ? unstated === 'proceed' : one > threshold;
  const mayCall = ({ tools }: typeof taskClass, tool: string): boolean => tools?.includes(tool) ?? true;
  const both = (said: (of: typeof taskClass) => boolean): string =>
    inForce(said(taskClass), said(taskClass) && said(current));
  return [
    table(
      'IS_ENOUGH',
      confidences.map((one) => both((of) => isEnough(one, of))),
      'false',
    ),
    define(
      'IS_AUTHORITY(one)',
      any(
        authorities.map((one, at) => `((one) == ${at + 1} && ${both((of) => of.authorities.includes(one))})`),
      ),
    ),
    table(
      'HAS_TOOL_OF',
      [...calls, ...edited].map(({ tool }) => both((of) => mayCall(of, tool))),
      'false',
    ),
  ];
};

/** What silence means: which questions have a default. */
const silence = ({ taskClass, current }: Order): readonly string[] =>
  (['information', 'approval', 'tool'] as const).map((kind) => {
    const begun = taskClass.defaults.includes(kind);
    return define(`DEFAULTS_${kind.toUpperCase()}`, inForce(begun, begun && current.defaults.includes(kind)));
  });

/** The constants and the quantifiers that the hand-written part rests on. */
export const constantsOf = (order: Order): string => {
  const { taskClass, calls, actions, verifiers, counted } = order;
  const effects = places(actions.length);
  const reports = places((actions.length + 1) * verifiers.length);
  return [
    ...sizes(order),
    ...tables(order),
    define(
      'APPROVALS_ASKED',
      `(${['0', ...effects.map((at) => `question[Q_APPROVAL(${at})]`)].join(' + ')})`,
    ),
    ...quantifiers('CALL', calls.length),
    ...quantifiers('EFFECT', actions.length),
    ...quantifiers('SUBJECT', actions.length + 1),
    ...nested(calls.length),
    search('FIRST_CALL', places(calls.length)),
    search('FIRST_EFFECT', effects),
    search('LAST_EFFECT', effects.toReversed()),
    define('ANY_REASON_OF(P, of)', any(places(reasonsKept).map((at) => `P(${at}, of)`))),
    define('ANY_REASON(one)', any(places(reasonsKept).map((at) => `reasons[${at}] == (one)`))),
    define('ANY_REPORT_FAILS', any(reports.map((at) => `report[${at}] == FAIL`))),
    ...evidenceConstants(order),
    ...requirements(order, 'beforeWrite'),
    ...requirements(order, 'beforeDeliver'),
    ...allowances(order),
    ...proposals(order),
    ...silence(order),
    define('FOLLOWUP', String(taskClass.followup)),
    define('SURE', confidences.indexOf(0.9)),
    define('PERSON', authorities.indexOf('human') + 1),
    define('REPAIR_TO_PLAN', String(taskClass.repairTo === 'plan')),
    define('HAS_HOST', String(taskClass.host)),
    ...Object.entries(taskClass.limits).map(([name, most = 0]) => define(`MAX_${name.toUpperCase()}`, most)),
    ...long.map((name) => define(`COUNTED_${name.toUpperCase()}`, Number(counted.includes(name)))),
  ].join('\n');
};
