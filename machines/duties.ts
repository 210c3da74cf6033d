import type { SnapshotFrom } from 'xstate';
import { policyNext, reportsNext } from './beside.ts';
import type { Context } from './context.ts';
import type { DeadlineOf } from './facts/fields.ts';
import type { executionMachine } from './execution.ts';
import { nextCalls } from './gates.ts';
import { isApprovalUnused, modelTurnId, reportKey, runOf, turnDeadline } from './owed.ts';
import { stateName } from './state-name.ts';
import type { DutyKind, Meta } from './vocabulary.ts';
import type { taskMachine } from './task.ts';

/** A snapshot of either machine. */
export type CharterSnapshot = SnapshotFrom<typeof taskMachine> | SnapshotFrom<typeof executionMachine>;

/** An action that the chart asks you to perform now. You report the result as a fact. */
export type Duty =
  | { readonly kind: 'accept' }
  | { readonly kind: 'propose' }
  | { readonly kind: 'conclude' }
  | { readonly kind: 'offer' }
  | { readonly kind: 'refine' }
  | { readonly kind: 'correct'; readonly output: 'plan' | 'draft' }
  | { readonly kind: 'decide'; readonly call: string }
  | { readonly kind: 'call'; readonly call: string }
  | { readonly kind: 'observe'; readonly call: string }
  | {
      readonly kind: 'verify';
      readonly verifier: string;
      /** The digest of the draft or action that the report is about. */
      readonly of: string;
      /** The number of evidence objects collected so far. */
      readonly evidence: number;
    }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'await'; readonly dependency: string; readonly call: string }
  | { readonly kind: 'undo'; readonly digest: string }
  | { readonly kind: 'wake'; readonly of: DeadlineOf; readonly id: string };

/** A duty that is not a deadline. */
type Work = Exclude<Duty, { readonly kind: 'wake' }>;

type Expansion = (c: Context) => readonly Work[];

const verifiable: Expansion = (c) =>
  reportsNext(c).map((owed) => ({ kind: 'verify', ...owed, evidence: c.collected }));

const expansions: Record<Exclude<DutyKind, 'wake'>, Expansion> = {
  accept: () => [{ kind: 'accept' }],
  propose: () => [{ kind: 'propose' }],
  correct: (c) => [{ kind: 'correct', output: c.plan === null ? 'plan' : 'draft' }],
  conclude: () => [{ kind: 'conclude' }],
  offer: () => [{ kind: 'offer' }],
  refine: () => [{ kind: 'refine' }],
  decide: (c) => policyNext(c).map(({ id }) => ({ kind: 'decide', call: id })),
  call: (c) => nextCalls(c).map(({ id }) => ({ kind: 'call', call: id })),
  observe: (c) =>
    runOf(c)
      .outstanding.filter(({ status }) => status === 'started')
      .map(({ id }) => ({ kind: 'observe', call: id })),
  verify: verifiable,
  ask: (c) => Object.keys(c.questions).map((question) => ({ kind: 'ask', question })),
  await: (c) =>
    Object.entries(c.dependencies).flatMap(([dependency, calls]) =>
      calls.map((call) => ({ kind: 'await' as const, dependency, call })),
    ),
  undo: (c) =>
    runOf(c)
      .undoOwed.slice(0, 1)
      .map(({ digest }) => ({ kind: 'undo', digest })),
};

const wake = (of: DeadlineOf, id: string): Duty => ({ kind: 'wake', of, id });

/** Returns the deadline of a duty. */
const deadlineOf = (c: Context, duty: Work): Duty => {
  switch (duty.kind) {
    case 'accept':
      return wake('accept', c.request);
    case 'propose':
    case 'correct':
    case 'conclude':
      return wake(turnDeadline(c), modelTurnId(c));
    case 'decide':
      return wake('policy', duty.call);
    case 'observe':
      return wake('call', duty.call);
    case 'verify':
      return wake('verifier', reportKey(duty.verifier, duty.of));
    case 'ask':
      return wake('question', duty.question);
    case 'await':
      return wake('dependency', duty.dependency);
    case 'undo':
      return wake('rollback', duty.digest);
    case 'offer':
      return wake('offer', c.request);
    case 'refine':
      return wake('followup', c.request);
    case 'call':
      return wake('start', duty.call);
  }
};

/** Returns the deadlines of approvals that are not yet used, and of fresh evidence. */
const ageing = (c: Context): readonly Duty[] => {
  const approved = runOf(c).calls.filter(isApprovalUnused);
  const fresh = [...runOf(c).calls, ...c.effects].flatMap(({ evidence }) =>
    evidence?.stale === false ? [evidence.id] : [],
  );
  return [
    ...approved.map(({ digest }) => wake('approval', digest)),
    ...[...new Set(fresh)].map((id) => wake('evidence', id)),
  ];
};

/** The kinds of duties of each state, cached by machine and state name. They are the same in every run. */
const owed = new WeakMap<CharterSnapshot['machine'], Map<string, readonly DutyKind[]>>();

const owedBy = (snapshot: CharterSnapshot): readonly DutyKind[] => {
  const known = owed.get(snapshot.machine) ?? new Map<string, readonly DutyKind[]>();
  owed.set(snapshot.machine, known);
  const state = stateName(snapshot.value);
  const metas = (): readonly (Meta | undefined)[] => Object.values(snapshot.getMeta());
  const owes = known.get(state) ?? metas().flatMap((meta) => meta?.owes ?? []);
  known.set(state, owes);
  return owes;
};

/**
 * Returns the duties of a snapshot: the actions to perform next.
 *
 * This is a pure function. After a crash, read the duties of the restored snapshot again.
 */
export const dutiesOf = (snapshot: CharterSnapshot): readonly Duty[] => {
  const { context } = snapshot;
  const owes = owedBy(snapshot);
  const duties = owes.flatMap((kind) => (kind === 'wake' ? [] : expansions[kind](context)));
  if (!owes.includes('wake')) return duties;
  const ages = context.outcome === null ? ageing(context) : [];
  return [...duties, ...duties.map((duty) => deadlineOf(context, duty)), ...ages];
};
