import { authorities, place, type Order } from './numbers.ts';

/** Stands where any tool's evidence will do. */
const anyTool = 15;
/** How many reasons a run may have; Spin would tell if one had more. */
const reasonsKept = 14;

const define = (name: string, body: string | number): string => `#define ${name} ${body}`;

const any = (conditions: readonly string[]): string => `(${['false', ...conditions].join(' || ')})`;
const every = (conditions: readonly string[]): string => `(${['true', ...conditions].join(' && ')})`;
const each = (steps: readonly string[]): string => ['skip', ...steps].join('; ');
const isOneOf = (numbers: readonly number[]): string => any(numbers.map((number) => `(one) == ${number}`));

/** A constant of each call, by the call's place. */
const table = (name: string, values: readonly (string | number)[]): string =>
  define(
    `${name}(at)`,
    values
      .slice(0, -1)
      .reduceRight<string>(
        (rest, value, at) => `((at) == ${at} -> ${value} : ${rest})`,
        String(values.at(-1)),
      ),
  );

const places = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** A predicate said of every place in turn. */
const quantifiers = (kind: string, count: number): readonly string[] => {
  const conditions = places(count).map((at) => `P(${at})`);
  const conditionsOf = places(count).map((at) => `P(${at}, of)`);
  return [define(`ANY_${kind}(P)`, any(conditions)), define(`ANY_${kind}_OF(P, of)`, any(conditionsOf))];
};

const search = (name: string, order: readonly number[]): string =>
  define(
    `${name}(P)`,
    order.reduceRight((rest, at) => `(P(${at}) -> ${at} : ${rest})`, 'NONE'),
  );

/** What a task class asks for before a gate: as a condition on each, and as a step for each. */
const requirements = (order: Order, gate: 'beforeWrite' | 'beforeDeliver'): readonly string[] => {
  const name = gate === 'beforeWrite' ? 'BEFORE_WRITE' : 'BEFORE_DELIVER';
  const { evidence, verifiers } = order.taskClass[gate];
  const known = order.calls.map(({ tool }) => tool);
  const tools = evidence.map(({ tool }) => (tool === undefined ? anyTool : place(known, tool)));
  const asked = verifiers.map((verifier) => place(order.verifiers, verifier));
  const ofTools = tools.map((tool) => `P(${tool})`);
  const ofVerifiers = asked.map((verifier) => `P(${verifier}, of)`);
  return [
    define(`EVERY_EVIDENCE_${name}(P)`, every(ofTools)),
    define(`EACH_EVIDENCE_${name}(P)`, each(ofTools)),
    define(`EVERY_VERIFIER_${name}(P, of)`, every(ofVerifiers)),
    define(`EACH_VERIFIER_${name}(P, of)`, each(ofVerifiers)),
    define(`IS_${name}(one)`, isOneOf(asked)),
  ];
};

const sizes = ({ calls, actions, verifiers, plans }: Order): readonly string[] => [
  define('NONE', 255),
  define('ANY_TOOL', anyTool),
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

const tables = ({ calls, actions }: Order): readonly string[] => {
  const tiers = calls.map(({ tier }) => tier.toUpperCase());
  const rollbacks = calls.map(({ rollback }) => String(rollback));
  const digests = calls.map(({ digest }) => actions.indexOf(digest));
  return [table('TIER', tiers), table('ROLLBACK', rollbacks), table('ACTION', digests)];
};

/** The constants and the quantifiers that the hand-written part rests on. */
export const constantsOf = (order: Order): string => {
  const { taskClass, calls, actions, verifiers } = order;
  const effects = places(actions.length);
  const reports = places((actions.length + 1) * verifiers.length);
  return [
    ...sizes(order),
    ...tables(order),
    ...quantifiers('CALL', calls.length),
    ...quantifiers('EFFECT', actions.length),
    ...quantifiers('SUBJECT', actions.length + 1),
    search('FIRST_CALL', places(calls.length)),
    search('FIRST_EFFECT', effects),
    search('LAST_EFFECT', effects.toReversed()),
    define('ANY_REASON(one)', any(places(reasonsKept).map((at) => `reasons[${at}] == (one)`))),
    define('ANY_REPORT_FAILS', any(reports.map((at) => `report[${at}] == FAIL`))),
    ...requirements(order, 'beforeWrite'),
    ...requirements(order, 'beforeDeliver'),
    define('IS_AUTHORITY(one)', isOneOf(taskClass.authorities.map((one) => place(authorities, one) + 1))),
    ...proposals(order),
    define('REPAIR_TO_PLAN', String(taskClass.repairTo === 'plan')),
    ...Object.entries(taskClass.limits).map(([name, most]) => define(`MAX_${name.toUpperCase()}`, most)),
  ].join('\n');
};
