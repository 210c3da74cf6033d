import * as z from 'zod';
import type { UpFormatMessage } from '../../../schema/index.ts';
import { EvidenceObject } from '../../../schema/index.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { isCharterError } from '../../base/errors.ts';
import { messageIdOf } from '../../base/feedback/target.ts';
import type { EndDocument, ParentCall, RequestDocument } from '../../base/ports/ledger.ts';
import type { AnswerListing, CallListing } from '../../base/ports/model.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import { plainWords } from '../kernel/failure-words.ts';
import { askedIn, messagesIn } from '../kernel/projection/thread.ts';
import { erasedRequest } from '../kernel/replay.ts';
import { settledMessages } from '../kernel/settled.ts';
import { type Settled } from '../kernel/summary.ts';
import type { Environment } from './environment.ts';
import type { Progress } from './progress.ts';
import { checkSeals } from './rehydrate.ts';
import { readStoredSummary } from './stored-summary.ts';
import { corrupted } from './task-errors.ts';

/** Returns whether an error means that this task is under another version of the chart. */
export const isStranded = (error: unknown, taskId: string): boolean =>
  isCharterError(error, 'chart_unknown') && error.details.taskId === taskId;

/** The schema of a call in a snapshot of any version of the chart. */
const callSchema = lazily(() =>
  z.looseObject({
    tool: z.string(),
    tier: z.string().catch('write_high_risk'),
    digest: z.string(),
    status: z.string(),
    code: z.string().nullable().catch(null),
    evidence: z.looseObject({ id: z.string() }).nullable().catch(null),
  }),
);

const effectSchema = lazily(() =>
  z.looseObject({ digest: z.string(), tool: z.string(), status: z.string() }),
);

/** The schema of another version's snapshot. A missing member counts as empty. */
const snapshotSchema = lazily(() =>
  z.looseObject({
    context: z.looseObject({
      attempt: z.int().nonnegative().catch(0),
      calls: z.record(z.string(), callSchema()).catch({}),
      effects: z.array(effectSchema()).catch([]),
      dependencies: z.record(z.string(), z.array(z.string())).catch({}),
    }),
  }),
);

type Context = z.infer<ReturnType<typeof snapshotSchema>>['context'];

const contextOf = ({ snapshot, indexEntry: { taskId, size } }: StoredTask): Context => {
  try {
    return snapshotSchema().parse(JSON.parse(snapshot)).context;
  } catch (cause) {
    throw corrupted(taskId, size - 1, 'its snapshot cannot be read', { cause });
  }
};

/** Returns the request of a task; if it was erased, a placeholder from the index entry. */
export const requestOf = (stored: StoredTask): RequestDocument => {
  const { request, contract } = stored.records[0]?.brought ?? {};
  const { taskClass } = readStoredSummary(stored.indexEntry).summary;
  return request ?? erasedRequest(contract?.id ?? taskClass, stored.indexEntry.threadId);
};

/** Returns the answers of people, with the kind of the question. */
const answersIn = ({ records, emissions }: StoredTask): readonly AnswerListing[] => {
  const kinds = new Map(
    emissions.flatMap((emission) => {
      const asked = askedIn(emission);
      return asked === undefined ? [] : [[asked.message.messageId, asked.question.kind] as const];
    }),
  );
  return records.flatMap(({ kind, brought: { feedback }, actor }) =>
    kind !== 'fact' || feedback === undefined
      ? []
      : [{ question: kinds.get(messageIdOf(feedback)) ?? 'changes', feedback, by: actor.id }],
  );
};

const evidenceIn = ({ records }: StoredTask, { calls }: Context): readonly EvidenceObject[] => {
  const current = new Set(Object.values(calls).flatMap(({ evidence }) => evidence?.id ?? []));
  return records.flatMap(({ brought: { evidence } }) => {
    const read = EvidenceObject.safeParse(evidence);
    return read.success && current.has(read.data.evidence_id) ? [read.data] : [];
  });
};

const draftIn = ({ records }: StoredTask): Progress['draft'] =>
  records.findLast(({ fact, brought }) => fact?.type === 'draft.proposed' && brought.output !== undefined)
    ?.brought.output?.payload ?? null;

const callsIn = ({ records }: StoredTask, { calls }: Context): readonly CallListing[] => {
  const documents = new Map(
    records.flatMap(({ brought }) => (brought.calls ?? []).map((call) => [call.id, call] as const)),
  );
  return Object.entries(calls).map(([id, { tool, status, code, evidence }]) => ({
    id,
    ref: documents.get(id)?.ref ?? null,
    tool,
    arguments: documents.get(id)?.arguments ?? null,
    status,
    code,
    evidence: evidence?.id ?? null,
  }));
};

/**
 * Returns the progress of a task of another version of the chart, as that version recorded it. Throws
 * `task_corrupted`.
 */
export const strandedProgress = async (
  stored: StoredTask,
  { tools }: Pick<Environment, 'tools'>,
): Promise<Progress> => {
  await checkSeals(stored.indexEntry.taskId, stored);
  const context = contextOf(stored);
  const isChild = (dependency: string): boolean =>
    (context.dependencies[dependency] ?? []).some(
      (call) => tools.get(context.calls[call]?.tool ?? '')?.child !== undefined,
    );
  const { summary } = readStoredSummary(stored.indexEntry);
  return {
    ...summary,
    reasons: summary.reasons.map((reason) => ({ ...reason, ...plainWords(reason) })),
    request: requestOf(stored).payload,
    attempt: context.attempt,
    calls: callsIn(stored, context),
    evidence: evidenceIn(stored, context),
    draft: draftIn(stored),
    unmet: [],
    answers: answersIn(stored),
    awaits: Object.keys(context.dependencies).filter((dependency) => !isChild(dependency)),
  };
};

/**
 * Returns how a task of another version of the chart ended. Throws `task_corrupted`, and `not_found` if its last
 * message was erased.
 */
export const strandedSettled = async (stored: StoredTask): Promise<Settled> => {
  const { taskId } = stored.indexEntry;
  await checkSeals(taskId, stored);
  return {
    ...readStoredSummary(stored.indexEntry).summary,
    ...settledMessages(taskId, messagesIn(stored.emissions)),
  };
};

/** The states of finished effects: undone, or ruled out by a person. */
const finishedEffects: ReadonlySet<string> = new Set(['undone', 'closed']);
/** The states of calls with an unknown outcome. */
const unknownOutcome: ReadonlySet<string> = new Set(['started', 'asking', 'waiting', 'doubted']);

/** Returns the writes of a task that happened, or may have happened, and were not undone. */
export const remainingWrites = (stored: StoredTask): EndDocument['writes'] => {
  const { effects, calls } = contextOf(stored);
  const done = effects
    .filter(({ status }) => !finishedEffects.has(status))
    .map(({ digest, tool, status }) => ({ digest, tool, isKnown: status !== 'undoing' }));
  const doubtful = Object.values(calls)
    .filter(({ status, tier }) => unknownOutcome.has(status) && tier !== 'read_only')
    .map(({ digest, tool }) => ({ digest, tool, isKnown: false }));
  const begun = stored.intents
    .filter(({ kind }) => kind === 'rollback')
    .map(({ key, tool }) => ({ digest: key.replace(/^rollback:/, ''), tool, isKnown: false }));
  const byDigest = new Map([...begun, ...doubtful, ...done].map((write) => [write.digest, write]));
  return [...byDigest.values()];
};

/** The end of a task of another version of the chart, for its parent. */
export interface StrandedEnd {
  readonly link: ParentCall;
  readonly request: RequestDocument;
  readonly traceId: string;
  readonly isDelivered: boolean;
  /** Whether no write remains. */
  readonly isUndone: boolean;
  readonly summary: Pick<Settled, 'reasons'>;
  readonly last: UpFormatMessage | undefined;
}

/** Returns the end of a settled task that is a call of another; `null` for any other task. Throws `task_corrupted`. */
export const strandedEnd = async (stored: StoredTask): Promise<StrandedEnd | null> => {
  await checkSeals(stored.indexEntry.taskId, stored);
  const request = requestOf(stored);
  const { summary } = readStoredSummary(stored.indexEntry);
  if (!stored.indexEntry.isSettled || request.parent === undefined) return null;
  return {
    link: request.parent,
    request,
    traceId: stored.records[0]?.trace_id ?? '',
    isDelivered: summary.outcome === 'success',
    isUndone: remainingWrites(stored).length === 0,
    summary,
    last: messagesIn(stored.emissions).at(-1),
  };
};
