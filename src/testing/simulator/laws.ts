import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../../machines/index.ts';
import type { RiskTier } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { Step, StoredTask } from '../../base/ports/store.ts';
import { replay } from '../../core/ledger/replay.ts';
import { verifyLedger } from '../../core/ledger/verify.ts';
import type { Settled } from '../../core/kernel/summary.ts';
import { valueText } from '../value-text.ts';
import { callKeyOf, type Effect, type Watch } from './effects.ts';

/** What happened in one order of events, once its task has settled. */
export interface SimulatedRun {
  readonly settled: Settled;
  /** The records of the task and of its children, in the order in which they were written. */
  readonly records: readonly LedgerRecord[];
  /** The writes and rollbacks that happened, in order. */
  readonly effects: readonly Effect[];
}

/** A sentence that must be true of every order of events. */
export interface Law {
  /** The sentence that a violation is reported with. */
  readonly name: string;
  readonly holds: (run: SimulatedRun) => boolean | Promise<boolean>;
}

/** A law that an order of events broke. */
export class Broken extends Error {
  readonly law: string;

  constructor(law: string, cause?: unknown) {
    super(law, { cause });
    this.law = law;
  }
}

export const must = (holds: boolean, law: string, cause?: unknown): void => {
  if (!holds) throw new Broken(law, cause);
};

const factsIn = (steps: readonly Step[]): readonly Fact[] =>
  steps.flatMap(({ record: { kind, fact } }) =>
    (kind === 'fact' || kind === 'orphan') && fact !== null ? [fact] : [],
  );

/** How often an effect may have been asked for by now: once for each intent, and for each time it is repeated. */
const intentsOf = (written: readonly Step[], { kind, key }: Pick<Effect, 'kind' | 'key'>): number => {
  const digest = callKeyOf(key);
  const started = kind === 'call' ? 'call.started' : 'rollback.started';
  const begun = factsIn(written).filter((fact) => fact.type === started && fact.digest === digest);
  const repeated = written.filter(
    ({ record: { brought } }) => brought.recovery?.key === key && brought.recovery.resolution === 'repeated',
  );
  return begun.length + repeated.length;
};

const isCleared = (written: readonly Step[], digest: string, tier: RiskTier): boolean => {
  let verdict = '';
  let isApproved = false;
  for (const fact of factsIn(written)) {
    if (fact.type === 'policy.decided' && fact.digest === digest) ({ verdict } = fact);
    if (fact.type === 'approval.granted') isApproved ||= fact.digest === digest;
    if (fact.type !== 'human.responded') continue;
    if (fact.question === `approval:${digest}`) isApproved = fact.feedback === 'approve';
    isApproved ||= fact.call?.digest === digest && fact.approves === true;
  }
  if (tier === 'read_only') return verdict !== 'deny';
  return verdict === 'allow'
    ? isApproved || tier === 'write_low_risk'
    : verdict === 'needs_review' && isApproved;
};

/** Returns a watch over the calls that reach a tool: each has an intent of its own on record, and is cleared. */
export const watchOf = (written: readonly Step[], broken: (law: string) => void): Watch => {
  const asked = new Map<string, number>();
  return ({ kind, key }, { tier }) => {
    const times = (asked.get(key) ?? 0) + 1;
    asked.set(key, times);
    if (intentsOf(written, { kind, key }) < times) broken('an effect has an earlier intent on record');
    else if (kind === 'call' && !isCleared(written, key, tier))
      broken('no write begins before it is cleared');
  };
};

/** Returns the keys of the writes that stand: what was undone may be made again, and what somebody was wrong about was. */
const standingAfter = (effects: readonly Effect[], mistaken: ReadonlySet<string>): ReadonlySet<string> => {
  const standing = new Set<string>();
  for (const { kind, key } of effects) {
    const isStanding = standing.delete(callKeyOf(key));
    if (kind === 'rollback') must(isStanding, 'only what stands is undone', effects);
    else must(!isStanding || mistaken.has(key), 'an effect happens once', effects);
    if (kind === 'call') standing.add(key);
  }
  return standing;
};

/** A ledger is what was written, in order, and replays to where it says. */
export const checkLedger = async (task: StoredTask, written: readonly Step[]): Promise<void> => {
  const { records, emissions, indexEntry } = task;
  const { intact, findings } = await verifyLedger(records, { emissions });
  must(intact, 'the ledger is intact', findings);
  const replayed = replay(records);
  must(
    replayed.same && replayed.records === records.length,
    'the chart goes where the ledger says',
    replayed,
  );
  const hashes = written
    .filter(({ taskId }) => taskId === indexEntry.taskId)
    .map(({ record }) => record.hash);
  const recorded = records.map(({ hash }) => hash);
  must(isDeepStrictEqual(recorded, hashes), 'what was written is on record, in order');
};

const checkRest = ({ indexEntry, intents, deadlines }: StoredTask): void => {
  must(!indexEntry.isOwed && indexEntry.asking === 0, 'no duty and no question remains after the end');
  must(intents.length === 0, 'every effect has an outcome', intents);
  must(deadlines.length === 0, 'no deadline runs after the end', deadlines);
};

/** An answer ends its question; a comment does not, nor does an approval before that of another person. */
const checkAnswers = (written: readonly Step[]): void => {
  const answered = written.flatMap(({ record: { kind, fact, brought } }) => {
    const isAnswer = kind === 'fact' && fact?.type === 'human.responded' && fact.feedback !== 'comment';
    const target = brought.feedback?.target;
    if (!isAnswer || target === undefined) return [];
    return [`${valueText(target)} ${fact.feedback === 'approve' ? fact.by : ''}`];
  });
  must(new Set(answered).size === answered.length, 'a question is answered once', answered);
};

/** Whoever reads how a task ended knows whether something may still stand. */
const checkEnd = (
  { outcome, reasons, message }: Settled,
  standing: ReadonlySet<string>,
  written: readonly Step[],
): void => {
  const own = written.filter(({ taskId }) => taskId === written[0]?.taskId); // and not those of children
  const delivered = own.some(({ record: { to } }) => /^(?:completed|followup)/.test(to));
  // writes may stay with an agent that stays away, or at a limit, and the message says which
  const areKept = isObject(message.payload) && 'kept' in message.payload;
  if (outcome !== 'failure' || delivered || areKept) return;
  const isSaid = reasons.some(({ code }) => code === 'ROLLBACK_REQUIRED' || code === 'EFFECT_IN_DOUBT');
  must(standing.size === 0 || isSaid, 'a task that failed leaves no write, or says so', [...standing]);
};

const judge = async ({ name, holds }: Law, run: SimulatedRun): Promise<void> => {
  let isKept: boolean;
  try {
    isKept = await holds(run);
  } catch (error) {
    throw new Broken(name, error);
  }
  must(isKept, name);
};

/** Throws the first law that is broken by a run whose task has settled. */
export const checkLaws = async (
  run: SimulatedRun,
  tasks: readonly StoredTask[],
  written: readonly Step[],
  laws: readonly Law[],
  mistaken: ReadonlySet<string>,
): Promise<void> => {
  const standing = standingAfter(run.effects, mistaken);
  checkAnswers(written);
  for (const task of tasks) {
    checkRest(task);
    await checkLedger(task, written);
  }
  checkEnd(run.settled, standing, written);
  for (const law of laws) await judge(law, run);
};
