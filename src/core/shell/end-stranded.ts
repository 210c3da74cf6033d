import { outcomeOf, taskClass, type Context } from '../../../machines/index.ts';
import { endState } from '../ledger/contents.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { Actor, EndDocument, LedgerEntry, RequestDocument } from '../../base/ports/ledger.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import { begin } from '../kernel/chart.ts';
import { emissionsOf } from '../kernel/documents.ts';
import { otherChartOf } from '../ledger/chart.ts';
import { entryOf } from '../kernel/entry.ts';
import { rfc3339 } from '../kernel/now.ts';
import { emptyProjection } from '../kernel/projection/projection.ts';
import { messagesIn } from '../kernel/projection/thread.ts';
import { headOf, recordTime, sealedStep, type Consequence } from '../kernel/seal.ts';
import { type StoredSummary } from '../kernel/summary.ts';
import { eraseBlobs } from './blobs.ts';
import type { Environment } from './environment.ts';
import { checkErasable } from './erase.ts';
import { Journal } from './journal.ts';
import { factRefused } from './outsider.ts';
import { recordedText } from './redact.ts';
import { checkOlder, checkSeals } from './rehydrate.ts';
import { readStoredSummary } from './stored-summary.ts';
import { requestOf, remainingWrites } from './stranded.ts';

type EntryContent = Pick<LedgerEntry, 'kind' | 'actor' | 'outcome' | 'to' | 'erased' | 'brought'>;

/** Returns the next entry of a ledger without its chart. */
const nextOf = (
  { records, emissions, indexEntry: { taskId } }: StoredTask,
  { outcome, ...content }: EntryContent,
  { clock }: Environment,
) => {
  const head = headOf(records, emissions.length);
  const last = records.at(-1);
  const now = clock.read();
  const time = recordTime(head, now);
  const entry = entryOf({
    seq: head.size,
    taskId,
    trace_id: last?.trace_id ?? '',
    timestamp: rfc3339(time),
    from: last?.to ?? '',
    fact: null,
    omitted: head.omitted,
    behind: Math.max(0, time - now.present),
    request: last?.request_id ?? '',
    run: outcome,
    ...content,
  });
  return { head, entry, time };
};

const toolsOf = (writes: EndDocument['writes']): string =>
  [...new Set(writes.map(({ tool }) => tool))].join(', ');

/** Explains why a task was ended, and which writes remain. */
const explanationOf = ({ chart, writes }: EndDocument): string => {
  const known = toolsOf(writes.filter(({ isKnown }) => isKnown));
  const unknown = toolsOf(writes.filter(({ isKnown }) => !isKnown));
  return [
    `The task was under version ${chart} of the chart, which is not known here, and was ended.`,
    ...(known === '' ? [] : [`Done and not undone: ${known}.`]),
    ...(unknown === '' ? [] : [`Perhaps done: ${unknown}.`]),
  ].join(' ');
};

/** Returns a context that describes the end, for the final documents. */
const endedContext = (
  { records }: StoredTask,
  { taskClass: id }: RequestDocument,
  { writes }: EndDocument,
): Context => ({
  ...begin(taskClass({ id }), records.at(-1)?.request_id ?? '').context,
  effects: writes.map(({ digest, tool }) => ({
    digest,
    tool,
    rollback: false,
    authority: null,
    status: 'kept',
    evidence: null,
  })),
  reasons: [
    { code: 'CANCELLED', about: 'task' },
    ...writes.map(
      ({ digest, isKnown }) =>
        ({ code: isKnown ? 'ROLLBACK_REQUIRED' : 'EFFECT_IN_DOUBT', about: digest }) as const,
    ),
  ],
  outcome: 'cancelled',
  trail: ['fail_safe', 'cancelled'],
});

/** Returns the envelope and the message that report the end, as a reply to the task's last message. */
const finalEmissions = (
  stored: StoredTask,
  { entry, after, request }: { entry: LedgerEntry; after: Context; request: RequestDocument },
  { ids, policy }: Environment,
): readonly Emission[] =>
  emissionsOf({
    before: after,
    after,
    record: entry,
    projection: {
      ...emptyProjection(request, entry.trace_id),
      cause: entry.brought.explanation ?? null,
      messages: messagesIn(stored.emissions),
    },
    taskClass: {},
    argumentsContext: () => undefined,
    deadlines: [],
    uuid: ids.uuid,
    policyVersion: policy.version ?? null,
  }).emissions;

/** Returns what a step without a chart stores: no deadlines, no open intents, no duties. */
const consequenceOf = (
  { indexEntry: { head: _head, ...indexEntry } }: StoredTask,
  { entry, time }: { entry: LedgerEntry; time: number },
  summary: StoredSummary,
): Consequence => ({
  snapshot: null,
  emissions: [],
  consumedApprovals: [],
  key: null,
  isTurn: false,
  beside: {
    indexEntry: {
      ...indexEntry,
      size: entry.seq + 1,
      at: time,
      isSettled: true,
      isOwed: false,
      asking: 0,
      awaits: 0,
      rank: '',
      summary: JSON.stringify(summary),
    },
    deadlines: [],
    intents: [],
  },
});

/**
 * Ends an open task of another version of the chart as cancelled. Its writes stay; the record and the last message name
 * them.
 *
 * Throws `task_corrupted`, `fact_refused` if it is settled, `chart_unknown` if it is under a later version, `store_conflict`
 * and `store_failed`.
 */
export const endStranded = async (
  stored: StoredTask,
  { actor, key, explanation }: { actor: Actor; key?: string | undefined; explanation?: string | undefined },
  environment: Environment,
): Promise<void> => {
  const { taskId } = stored.indexEntry;
  await checkSeals(taskId, stored);
  const { summary } = readStoredSummary(stored.indexEntry);
  if (summary.isSettled) throw factRefused(taskId, { fact: 'task.cancelled', state: summary.state });
  const chart = otherChartOf(stored) ?? '';
  checkOlder(stored, chart);
  const end = { chart, state: summary.state, writes: remainingWrites(stored) };
  const request = requestOf(stored);
  const after = endedContext(stored, request, end);
  const words = [explanationOf(end), ...(explanation === undefined ? [] : [explanation])].join(' ');
  const brought = { end, explanation: recordedText(environment.redact, words) };
  const outcome = outcomeOf(after);
  const content = { kind: 'end', actor, outcome, to: endState, erased: null, brought } as const;
  const next = nextOf(stored, content, environment);
  const emissions = finalEmissions(stored, { entry: next.entry, after, request }, environment);
  const ended = { ...summary, state: endState, outcome, reasons: after.reasons, isSettled: true };
  const { step } = sealedStep(next.head, next.entry, {
    ...consequenceOf(stored, next, { summary: ended, open: [], chart: end.chart }),
    emissions,
    key: key ?? null,
  });
  await new Journal(taskId, null, environment).write(step);
  environment.emit('record', step.record);
  for (const emission of emissions) environment.emit('document', { ...emission, taskId });
  environment.emit('settled', ended);
};

/**
 * Removes every document of a digest from a settled task of another version of the chart, and records the actor.
 *
 * Throws `task_corrupted`, `chart_unknown` if it is under a later version, `task_unsettled` and `not_found`.
 */
export const eraseStranded = async (
  stored: StoredTask,
  { digest, actor }: { digest: string; actor: Actor },
  environment: Environment,
): Promise<void> => {
  const { taskId, isSettled } = stored.indexEntry;
  await checkSeals(taskId, stored);
  checkOlder(stored, otherChartOf(stored) ?? '');
  const { summary, ...rest } = readStoredSummary(stored.indexEntry);
  checkErasable({ taskId, state: summary.state, isSettled }, stored.records, digest);
  await eraseBlobs(environment.blobs, stored, [digest], true);
  const content = { kind: 'erasure', actor, outcome: 'success', erased: digest, brought: {} } as const;
  const next = nextOf(stored, { ...content, to: stored.records.at(-1)?.to ?? '' }, environment);
  const consequence = consequenceOf(stored, next, { summary, ...rest });
  const { step } = sealedStep(next.head, next.entry, consequence);
  await new Journal(taskId, null, environment).write(step);
  environment.emit('record', step.record);
};
