import { isCharterError } from 'agentcharter';
import { type LedgerRecord, replay, verifyLedger } from 'agentcharter/ledger';
import type { Fact } from 'agentcharter/machines';
import { actionOf, type Race } from './race.ts';

/** Throws for a broken law; `expect` would take longer than the race. */
const must = (holds: boolean, law: string, cause?: unknown): void => {
  if (!holds) throw new Error(law, { cause });
};

const times = (of: readonly string[], one: string): number => of.filter((other) => other === one).length;

const factsIn = (records: readonly LedgerRecord[]): readonly Fact[] =>
  records.flatMap(({ kind, fact }) => (kind === 'fact' && fact !== null ? [fact] : []));

/** Checks that an unsettled task waits for an answer or a deadline (CHART 2). */
export const checkWaiting = async ({ orchestrator, clock }: Race): Promise<void> => {
  const isSettled = (await orchestrator.list()).every((task) => task.isSettled);
  must(isSettled || clock.sleeping() > 0, 'a task that waits has a deadline');
};

/** Checks that the ledger is complete, without repetition, and replays to the same states. */
export const checkLedger = async ({ store, taskId, story }: Race): Promise<void> => {
  const stored = await store.load(taskId);
  const records = stored?.records ?? [];
  must(
    records.every(({ seq, from }, at) => seq === at && from === (records[at - 1]?.to ?? from)),
    'the ledger has no gap, and nothing twice',
  );
  if (!story.isAudited) return;
  const verified = await verifyLedger(records, { emissions: stored?.emissions ?? [] });
  must(verified.intact, 'the ledger is intact', verified);
  const replayed = replay(records);
  must(
    replayed.same && replayed.records === records.length,
    'the chart goes where the ledger says',
    replayed,
  );
};

/** Tells whether a fact revokes the approvals of an action: its call was refused, or another plan is in force. */
const lifts = (records: readonly LedgerRecord[], fact: Fact, digest: string): boolean =>
  fact.type === 'plan.proposed' || (fact.type === 'call.refused' && actionOf(records, fact.call) === digest);

/** Tells whether the records before a write cleared it. */
const isCleared = (records: readonly LedgerRecord[], digest: string): boolean => {
  let isAllowed = false;
  let isApproved = false;
  for (const fact of factsIn(records)) {
    if (fact.type === 'policy.decided' && fact.digest === digest) isAllowed = fact.verdict === 'allow';
    if (fact.type === 'approval.granted' && fact.digest === digest) isApproved = true;
    if (fact.type === 'human.responded' && fact.question === `approval:${digest}`)
      isApproved = fact.feedback === 'approve';
    if (fact.type === 'human.responded' && fact.call?.digest === digest)
      isApproved ||= fact.approves === true;
    if (lifts(records, fact, digest)) isApproved = false;
  }
  return isAllowed && isApproved;
};

/** Counts how often a person said that a write in doubt had not happened; each leads to another call under the same key. */
const absences = (records: readonly LedgerRecord[], key: string): number =>
  records.filter(({ kind, fact }, at) => {
    if (kind !== 'fact' || fact?.type !== 'human.responded' || fact.effect !== 'absent') return false;
    return actionOf(records.slice(0, at), fact.question.slice('doubt:'.length)) === key;
  }).length;

/** Checks that each write follows its clearance and its intent, happens once and is rolled back at most once. */
export const checkEffects = ({ records, seen: { invoked, landed, undone } }: Race): void => {
  const made: string[] = [];
  for (const { key, after } of invoked) {
    made.push(key);
    const before = records.slice(0, after);
    const intents = factsIn(before).filter((fact) => fact.type === 'call.started' && fact.digest === key);
    must(intents.length >= times(made, key), 'a call comes after an intent of its own');
    must(isCleared(before, key), 'a write is cleared before it is made');
  }
  for (const key of new Set([...landed, ...undone])) {
    must(times(landed, key) <= 1 + absences(records, key), 'an effect happens once');
    must(times(undone, key) <= times(landed, key), 'an effect is undone once');
  }
};

/** Returns the writes of the last request of a task; earlier deliveries stay. */
const intendedLast = (records: readonly LedgerRecord[]): ReadonlySet<string> => {
  const facts = factsIn(records);
  const begun = facts.findLastIndex(({ type }) => type === 'changes.requested');
  return new Set(
    facts.slice(begun + 1).flatMap((fact) => (fact.type === 'call.started' ? [fact.digest] : [])),
  );
};

/**
 * Returns the writes whose result came after a person had said that they did not happen, when no call waited for it:
 * the outcome cannot be known, and the ledger records that.
 */
const doubtedLate = (records: readonly LedgerRecord[]): ReadonlySet<string | undefined> =>
  new Set(
    records.flatMap(({ kind, fact }) =>
      kind === 'orphan' && fact?.type === 'call.doubted' ? [actionOf(records, fact.call)] : [],
    ),
  );

/** Checks that a task settles once, and that undelivered writes are rolled back or reported. */
export const checkEnd = async ({ orchestrator, taskId, clock, open, seen, records }: Race): Promise<void> => {
  const task = (await orchestrator.list()).find((one) => one.taskId === taskId);
  must(task?.isSettled === true && seen.settled.length === 1, 'a task settles, once', task);
  must(clock.sleeping() === 0 && open === 0, 'nothing is left of a task that has settled');
  must(seen.errors.length === 0, 'nothing is wrong', seen.errors[0]);
  const intended = intendedLast(records);
  const unknown = doubtedLate(records);
  const indexEntry = seen.landed.filter(
    (key) => intended.has(key) && !seen.undone.includes(key) && !unknown.has(key),
  );
  const codes = task?.reasons.map(({ code }) => code) ?? [];
  const isTold = codes.includes('ROLLBACK_REQUIRED') || codes.includes('EFFECT_IN_DOUBT');
  must(
    task?.outcome === 'success' || isTold || indexEntry.length === 0,
    'what is not delivered is rolled back or reported',
    indexEntry,
  );
};

const refusals = { answer: 'feedback_refused', cancel: 'fact_refused', resolve: 'fact_refused' } as const;

const winning: ReadonlySet<string> = new Set([
  'human.responded',
  'approval.granted',
  'changes.requested',
  'task.cancelled',
  'dependency.met',
] satisfies Fact['type'][]);

/** Checks that one of several answers wins and that every loser gets a typed error. Returns how many won and lost. */
export const checkWinners = ({ records, seen: { attempts } }: Race): { won: number; lost: number } => {
  const lost = attempts.filter(({ error }) => error !== null);
  for (const { what, error } of lost)
    must(isCharterError(error, refusals[what]), 'a loser gets a typed error', error);
  const won = attempts.filter(({ error }) => error === null).map(({ about }) => about);
  must(won.length === new Set(won).size, 'one answer wins');
  must(
    won.length === factsIn(records).filter(({ type }) => winning.has(type)).length,
    'each winner is on record',
  );
  return { won: won.length, lost: lost.length };
};

/** Returns the tokens that back an action at an intent. */
const tokensBehind = (records: readonly LedgerRecord[], digest: string): readonly string[] =>
  records.reduce<readonly string[]>((held, { kind, fact, brought: { approval } }) => {
    if (kind !== 'fact' || fact === null) return held;
    if (lifts(records, fact, digest)) return [];
    const isBehind = fact.type === 'approval.granted' && fact.digest === digest && approval !== undefined;
    return isBehind ? [...held, approval.token] : held;
  }, []);

/** Checks that one token serves one action. */
export const checkSpending = ({ records }: Race): void => {
  const used = new Map<string, string>();
  for (const [at, { kind, fact }] of records.entries()) {
    if (kind !== 'fact' || fact?.type !== 'call.started') continue;
    for (const token of tokensBehind(records.slice(0, at), fact.digest)) {
      must((used.get(token) ?? fact.digest) === fact.digest, 'a token serves one action');
      used.set(token, fact.digest);
    }
  }
};
