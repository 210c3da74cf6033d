import { isDeepStrictEqual } from 'node:util';
import { taskClass, type FactOf, type ProposedCall, type TaskClass } from '../../machines/index.ts';
import type { World } from './exploration.ts';
import { inputIn } from '../../src/testing/charter/world.ts';
import { long, type LongLimit } from './limits.ts';

export const authorities = ['approval', 'human', 'system'] as const;
export const deadlines = [
  'accept',
  'model',
  'policy',
  'call',
  'verifier',
  'dependency',
  'approval',
  'evidence',
  'rollback',
  'host',
  'start',
  'question',
  'offer',
  'followup',
] as const;
/** The confidences that a world tells of: the number of one is its place. */
export const confidences: readonly FactOf<'plan.proposed'>['confidence'][] = ['unstated', 0.5, 0.9];
export const verdicts = ['allow', 'deny', 'needs_review'] as const;
export const statuses = ['pass', 'fail'] as const;
/** What a person may answer. */
export const feedback = ['approve', 'edit', 'rank', 'instruction', 'reject', 'comment'] as const;
export const known = ['done', 'absent'] as const;
export const recoverable = ['call', 'rollback'] as const;
/** A clearance that lapsed, and a tool that is another one now. */
export const refusals: readonly FactOf<'call.refused'>['code'][] = ['APPROVAL_EXPIRED', 'TOOL_CHANGED'];

/** What the evidence of a call says of itself. */
export type RecordPayload = Pick<FactOf<'call.succeeded'>['evidence'], 'empty' | 'meets' | 'subjects'>;

/** What a world tells of, in a fixed order: the places are its numbers. */
export interface Order {
  readonly taskClass: TaskClass;
  /** The version that may come into force on the way; the same where none does. */
  readonly current: TaskClass;
  readonly calls: readonly ProposedCall[];
  /** What a person replaces a call with; none or one. */
  readonly edited: readonly ProposedCall[];
  readonly actions: readonly string[];
  readonly verifiers: readonly string[];
  readonly plans: readonly (readonly ProposedCall[])[];
  readonly further: readonly ProposedCall[];
  readonly brings: readonly RecordPayload[];
  /** The long limits that this world counts. */
  readonly counted: readonly LongLimit[];
}

/** The number of a thing is its place. */
export const place = <T>(all: readonly T[], one: T): number => {
  const at = all.indexOf(one);
  if (at < 0) throw new Error(`${String(one)} has no number`);
  return at;
};

/** The bounded context knows a call by its place in the plan: each keeps its place in every plan. */
export const orderOf = (world: World): Order => {
  const { taskClass: given, plans, further = [], ...rest } = world;
  const { tightened = given, evidenceCases = [{}], edited: replacement } = rest;
  const unknown = (['approvers', 'careless', 'children', 'faulty'] as const).filter((key) => key in rest);
  if (unknown.length > 0) throw new Error(`no Promela for ${unknown.join(', ')}`);
  if ([given, tightened].some(({ approvers = 1 }) => approvers > 1))
    throw new Error('no Promela for several approvers');
  const longest = plans.reduce((one, other) => (other.length > one.length ? other : one));
  const calls = [...longest, ...further];
  const isInPlace = plans.every((plan) => plan.every((call, at) => isDeepStrictEqual(calls[at], call)));
  if (!isInPlace || calls.length === 0) throw new Error('a call changes its place');
  const edited = replacement === undefined ? [] : [replacement];
  if (further.some(({ digest }) => [...longest, ...edited].some((call) => call.digest === digest)))
    throw new Error('a further call is the twin of another one');
  if (edited.some(({ tier, digest }) => tier === 'read_only' || calls.some((call) => call.digest === digest)))
    throw new Error('an edit makes no write of its own');
  const begun = taskClass(inputIn(world).taskClass);
  const current = taskClass({ id: 'class', ...tightened });
  const gates = [begun, current].flatMap(({ beforeWrite, beforeDeliver }) => [beforeWrite, beforeDeliver]);
  return {
    taskClass: begun,
    current,
    calls,
    edited,
    actions: [...new Set([...calls, ...edited].map(({ digest }) => digest))],
    verifiers: [...new Set(gates.flatMap(({ verifiers }) => verifiers))],
    plans,
    further,
    brings: evidenceCases,
    counted: long.filter((name) => given.limits?.[name] !== undefined),
  };
};
