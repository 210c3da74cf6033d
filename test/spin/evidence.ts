import { isDeepStrictEqual } from 'node:util';
import type { EvidenceClause, EvidenceRequirement } from '../../machines/index.ts';
import { place, type Order } from './order.ts';
import { any, define, isOneOf, pairs, table } from './printed.ts';

/** Stands where any tool's evidence will do. */
export const anyTool = 15;

type Gate = 'beforeWrite' | 'beforeDeliver';

/** What one version of a task class asks for, and what the other adds to it. */
export const joined = <One>(
  begun: readonly One[],
  current: readonly One[],
): readonly (readonly [One, boolean])[] => [
  ...begun.map((one) => [one, true] as const),
  ...current
    .filter((one) => !begun.some((known) => isDeepStrictEqual(known, one)))
    .map((one) => [one, false] as const),
];

const evidenceAt = ({ taskClass, current }: Order, gate: Gate) =>
  joined(taskClass[gate].evidence, current[gate].evidence);

const clausesOf = (requirement: EvidenceRequirement): readonly EvidenceClause[] =>
  'anyOf' in requirement ? requirement.anyOf : [requirement];

const nameOf = (requirement: EvidenceRequirement): string =>
  [...new Set(clausesOf(requirement).map(({ type, tool }) => `${type} ${tool ?? ''}`))].join(' or ');

const requirementsOf = (order: Order): readonly EvidenceRequirement[] =>
  [...evidenceAt(order, 'beforeWrite'), ...evidenceAt(order, 'beforeDeliver')].map(([one]) => one);

const numberOf = (order: Order, requirement: EvidenceRequirement): number =>
  requirementsOf(order).findIndex((one) => isDeepStrictEqual(one, requirement));

/** What is asked for at a gate: the number of each requirement, and whether the run began with it. */
export const askedAt = (order: Order, gate: Gate): readonly (readonly [number, boolean])[] =>
  evidenceAt(order, gate).map(([one, isBegun]) => [numberOf(order, one), isBegun]);

const toolsOf = ({ calls, edited }: Order): readonly string[] => [
  ...new Set([...calls, ...edited].map(({ tool }) => tool)),
];

/** The checks that anything in a world is named by. */
const checksOf = (order: Order): readonly string[] => [
  ...new Set([
    ...requirementsOf(order).flatMap((one) => clausesOf(one).flatMap(({ check }) => check ?? [])),
    ...order.brings.flatMap(({ meets = [], subjects = {} }) => [...meets, ...Object.keys(subjects)]),
    ...[...order.calls, ...order.edited].flatMap(({ subjects = {} }) => Object.keys(subjects)),
  ]),
];

/** A clause as a predicate C takes it: whether a tool's result will do, or a person's word, of which tool, empty too, checked, about the write. */
const clause = (
  order: Order,
  { type, tool, allowEmpty, byPerson, check, ofAction }: EvidenceClause,
): string => {
  const which = tool === undefined ? anyTool : place(toolsOf(order), tool);
  const checked = check === undefined ? 'NONE' : place(checksOf(order), check);
  const isOfPerson = type === 'custom' && byPerson === true;
  const given = [type === 'tool_result', isOfPerson, which, allowEmpty === true, checked, ofAction === true];
  return `C(call, write, ${given.join(', ')})`;
};

const subjectRows = (
  order: Order,
  all: readonly { readonly subjects?: Readonly<Record<string, string>> | undefined }[],
) => {
  const subjects = [...order.brings, ...order.calls, ...order.edited].flatMap(({ subjects: said = {} }) =>
    Object.values(said),
  );
  return all.map(({ subjects: said = {} }) =>
    checksOf(order).map((check) => {
      const subject = said[check];
      return subject === undefined ? 0 : place(subjects, subject) + 1;
    }),
  );
};

/** What evidence may say of itself, and what is asked of it. */
export const evidenceConstants = (order: Order): readonly string[] => {
  const { calls, edited, brings } = order;
  const kinds = [...calls, ...edited];
  const requirements = requirementsOf(order);
  const names = requirements.map(nameOf);
  const answers = requirements.map(
    (one, at) => `((requirement) == ${at} && ${any(clausesOf(one).map((part) => clause(order, part)))})`,
  );
  const passed = brings.map(({ meets = [] }) =>
    checksOf(order).map((check) => Number(meets.includes(check))),
  );
  const silent = brings.flatMap(({ empty }, at) => (empty === true ? [at] : []));
  return [
    define('ANY_TOOL', anyTool),
    define('WORD', brings.length),
    define('BROUGHT', brings.length + 1),
    define('ANSWERS(C, requirement, call, write)', any(answers)),
    table(
      'EVIDENCE_NAME',
      names.map((name) => names.indexOf(name)),
    ),
    table(
      'TOOL_OF',
      kinds.map(({ tool }) => place(toolsOf(order), tool)),
    ),
    define('SAYS_NOTHING(one)', isOneOf(silent)),
    pairs('PASSED_CHECK', passed),
    pairs('SUBJECT_OF', subjectRows(order, kinds)),
    pairs('SUBJECT_BROUGHT', subjectRows(order, brings)),
  ];
};
