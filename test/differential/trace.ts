import type { Deadline } from '../../src/base/ports/store.ts';
import { chartVersion } from '../../machines/version.ts';
import { follow, type Said, type Told } from './model.ts';
import { lateWrites } from './late-writes.ts';
import { lateIn, type TracedStep } from './hours.ts';
import type { Fact, Phase } from './vocabulary.ts';

/** A ledger as it lies in a store. */
export interface StoredLedger {
  readonly records: readonly TracedStep['record'][];
  /** All that run after the last record. */
  readonly deadlines?: readonly Deadline[];
}

const phases: Readonly<Record<string, Phase>> = {
  completed: 'deliver',
  followup: 'deliver',
  failed: 'fail_safe',
  cancelled: 'fail_safe',
};
const outcomes: Readonly<Record<string, Said['outcome']>> = {
  completed: 'delivered',
  followup: 'delivered',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** The phase that the name of a state tells; a task that is parked does not tell it. */
const phaseIn = (state: string, below: readonly string[]): Said['phase'] | undefined => {
  if (state !== 'submitted') return phases[state];
  return below.includes('undoing') ? 'undoing' : (below[0] as Phase);
};

/** What the name of a state says of its run, in the model's words. */
const shownBy = (to: string): Partial<Said> => {
  const [state = '', ...below] = to.split('.');
  const phase = phaseIn(state, below);
  return {
    state: state as Said['state'],
    ...(phase !== undefined && { phase }),
    settled: ['completed.settled', 'failed', 'cancelled'].includes(to),
    outcome: outcomes[state] ?? null,
  };
};

/** Deadlines that may have no end: by a tool, a verifier, an approval or a task class that names none. */
const endless: readonly string[] = ['evidence', 'approval', 'rollback', 'call', 'verifier'];

const nameOf = ({ of, id }: Deadline): string => `${of} ${id}`;

/** What is wrong with the deadlines that are stored, where the model knows which ones run. */
const faultOfDeadlines = (stored: readonly Deadline[], said: readonly string[]): string | null => {
  const names = stored.map(nameOf);
  const idle = names.find((name) => !said.includes(name));
  if (idle !== undefined) return `the deadline "${idle}" runs, and nothing waits for it`;
  const lost = said.find(
    (name) => !names.includes(name) && !endless.includes(name.slice(0, name.indexOf(' '))),
  );
  return lost === undefined ? null : `the deadline "${lost}" does not run`;
};

type Traced = TracedStep['record'];

const begins = (fact: Traced['fact'], call: string): boolean =>
  fact?.type === 'call.started' && fact.call === call;

/** Evidence that another call brought under this name. */
const isKnown = (fact: Traced['fact'], id: string, call: string): boolean =>
  fact?.type === 'call.succeeded' && fact.evidence.id === id && fact.call !== call;

/**
 * Whether a fact came from the first try of a call that was made again, or hands over what another call handed over: its
 * name does not tell, so that only the orchestrator can know that it counts no more.
 */
const isMisnamed = ({ fact }: Traced, earlier: readonly Traced[]): boolean => {
  if (fact === null || !('call' in fact) || typeof fact.call !== 'string') return false;
  const { call } = fact;
  if (earlier.filter((record) => begins(record.fact, call)).length > 1) return true;
  return (
    fact.type === 'call.succeeded' && earlier.some((record) => isKnown(record.fact, fact.evidence.id, call))
  );
};

/** Facts that the model is told: those that were let in, and those that came too late to count. */
const tellsFact = (record: Traced, at: number, records: readonly Traced[]): boolean => {
  if (record.fact === null) return false;
  return record.kind === 'fact' || (record.kind === 'orphan' && !isMisnamed(record, records.slice(0, at)));
};

const faultOfStep = (
  { record, deadlines }: TracedStep,
  said: Said | undefined,
  isTold: boolean,
): string | null => {
  if (record.kind !== 'fact' && record.to !== record.from)
    return `a record of kind "${record.kind}" changed the state`;
  if (said === undefined) return null;
  const shown = { ...shownBy(record.to), ...(isTold && { taken: record.kind === 'fact' }) };
  for (const [key, value] of Object.entries(shown))
    if (said[key as keyof Said] !== value)
      return `${key} is ${JSON.stringify(value)}, and the model says ${JSON.stringify(said[key as keyof Said])}`;
  return deadlines === null ? null : faultOfDeadlines(deadlines, said.deadlines);
};

const listed = (steps: readonly TracedStep[]): string =>
  steps.map(({ record: { kind, fact, to } }) => `  ${kind} ${JSON.stringify(fact)} -> ${to}`).join('\n');

/**
 * Returns where a ledger and the model part, with the records up to there; `null` if they agree.
 *
 * The model is told the facts of the ledger and nothing else. It says which of them are taken, the operational state and the
 * phase after each, how the run ends, and which deadlines run. Late writes are followed beside it. A ledger of another
 * chart, in part or whole, or whose contract was erased, is not read.
 */
export const partingOf = (steps: readonly TracedStep[]): string | null => {
  const records = steps.map(({ record }) => record);
  const [opening] = records;
  const { contract, chart } = opening?.brought ?? {};
  if (opening?.seq !== 0 || contract === undefined || chart !== chartVersion) return null;
  if (records.some(({ kind }) => kind === 'upgrade')) return null;
  const told = records.map(tellsFact);
  const facts = records.filter((_, at) => told[at]).map(({ fact }) => fact as Fact);
  const saying = follow(contract, opening.request_id, facts);
  const broken = (at: number, why: string): string => `${why}\n${listed(steps.slice(0, at + 1))}`;
  const faultOfLateWrite = lateWrites();
  let last: Told | undefined;
  for (const [at, step] of steps.entries()) {
    const isTold = told[at] === true;
    if (isTold) last = saying.next().value ?? undefined;
    const fault =
      faultOfStep(step, last?.said, isTold) ?? (last && faultOfLateWrite(step.record, last.known)) ?? null;
    if (fault !== null) return broken(at, fault);
  }
  const late = lateIn(steps);
  return late === null ? null : broken(late.at, late.why);
};

/** Throws if a ledger is not what the model makes of its facts; the error lists its records up to there. */
export const validateTrace = ({ records, deadlines }: StoredLedger): void => {
  const last = records.length - 1;
  const steps = records.map((record, at) => ({
    record,
    deadlines: at === last ? (deadlines ?? null) : null,
  }));
  const parting = partingOf(steps);
  if (parting !== null) throw new Error(`the ledger and the model part: ${parting}`);
};
