import { JsonObject } from '../../schema/index.ts';
import { digest } from '../canonical/digest.ts';
import { PlanOutput, proposedDraft, type ProposedCallOutput } from '../orchestrator/outputs.ts';
import type { CallDocument, LedgerRecord } from '../ports/ledger.ts';
import type { Turn } from '../ports/model.ts';
import type { Tool } from '../ports/tool.ts';
import type { Progress } from '../orchestrator/progress.ts';
import { readAs, callContentOf } from './call-content.ts';
import { listingOf } from './verdicts.ts';
import { queued, replaced, type PendingCall, type PendingDraft } from './pending-proposals.ts';

/** A call on record. */
export interface RecordedCall {
  readonly call: CallDocument;
  /** Its arguments as they came, before its schema read them; `null` where they are not on record. */
  readonly given: JsonObject | null;
}

const Given = PlanOutput.shape.calls;

const broughtBy = ({ brought: { calls = [], output, payload } }: LedgerRecord): readonly RecordedCall[] => {
  const given = Given.safeParse((output?.payload ?? payload)?.['calls']).data ?? [];
  return calls.map((call, at) => ({ call, given: given[at]?.arguments ?? null }));
};

const isProposal = ({ fact }: LedgerRecord): boolean =>
  fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed';

const isPersonsPlan = ({ fact }: LedgerRecord): boolean =>
  fact?.type === 'human.responded' && fact.plan !== undefined;

/** Returns the facts of the current request. */
const currentFacts = (records: readonly LedgerRecord[]): readonly LedgerRecord[] => {
  const present = records.at(-1)?.request_id;
  return records.filter(({ kind, request_id }) => kind === 'fact' && request_id === present);
};

/**
 * The last call that an agent proposed under each name, as it proposed it: a person may have edited it since, and the
 * plans after that have it as the person wrote it.
 */
const proposedCalls = (records: readonly LedgerRecord[]): ReadonlyMap<string, RecordedCall> => {
  const proposed = new Map<string, RecordedCall>();
  const edited = new Set<string>();
  for (const record of currentFacts(records))
    for (const one of broughtBy(record)) {
      const { ref, digest } = one.call;
      if (ref === undefined) continue;
      if (!isProposal(record)) edited.add(`${digest} ${ref}`);
      else if (proposed.get(ref)?.call.digest !== digest && !edited.has(`${digest} ${ref}`))
        proposed.set(ref, one);
    }
  return proposed;
};

const refsOf = (record: LedgerRecord | undefined): readonly string[] =>
  (record?.brought.calls ?? []).flatMap(({ ref }) => ref ?? []);

/** Returns the refs of the calls that the current plan of a person removed from the plan before it. */
const replacedCalls = (records: readonly LedgerRecord[]): ReadonlySet<string> => {
  const all = currentFacts(records);
  const at = all.findLastIndex(isPersonsPlan);
  const [edit, ...since] = at === -1 ? [] : all.slice(at);
  if (edit === undefined || since.some(({ to }) => to === 'submitted.plan.proposing')) return new Set();
  const left = new Set(refsOf(all.slice(0, at).findLast(isProposal)));
  for (const ref of refsOf(edit)) left.delete(ref);
  return left;
};

/** Returns the calls of an agent that have no reported outcome on record. */
export const pendingCallsIn = (
  records: readonly LedgerRecord[],
  progress: Progress,
): readonly PendingCall[] => {
  const left = replacedCalls(records);
  const made = new Set(currentFacts(records).flatMap(madeBy));
  return [...proposedCalls(records)].flatMap(([ref, { call, given }]) => {
    const isListed = listingOf(ref, progress) !== undefined;
    if (!isListed && made.has(call.id)) return [];
    const isLeft = !isListed && left.has(ref);
    const { tool, arguments: input } = call;
    return {
      ...queued(),
      stage: 'sent',
      attempt: isListed || isLeft ? progress.attempt : progress.attempt - 1,
      verdict: isLeft ? replaced() : null,
      ref,
      tool,
      arguments: given ?? {}, // it is sent: nothing is asked for with these any more
      confidence: 'unstated',
      content: { given: given && readAs(tool, given), read: readAs(tool, input) },
    };
  });
};

/** Returns the digests of the answers that an agent proposed. */
export const draftDigestsIn = (records: readonly LedgerRecord[]): readonly string[] =>
  currentFacts(records).flatMap(({ fact, brought: { output } }) =>
    fact?.type === 'draft.proposed' && output !== undefined ? digest(proposedDraft(output, 'raw')) : [],
  );

/** Returns the answer that an agent proposed last; it belongs to the current attempt, or to the one before. */
export const pendingDraftIn = (records: readonly LedgerRecord[], progress: Progress): PendingDraft | null => {
  const output = currentFacts(records).findLast(({ fact }) => fact?.type === 'draft.proposed')?.brought
    .output;
  if (output === undefined) return null;
  const attempt = progress.draft === null ? progress.attempt - 1 : progress.attempt;
  return { ...queued(), stage: 'sent', attempt, output: null, digest: digest(proposedDraft(output, 'raw')) };
};

/** Returns the call that a fact reports as made, by its tool or by a person who resolved a doubt. */
const madeBy = ({ fact }: LedgerRecord): readonly string[] => {
  if (fact?.type === 'call.succeeded') return [fact.call];
  if (fact?.type !== 'human.responded' || !fact.question.startsWith('doubt:')) return [];
  const isDone = fact.feedback === 'approve' || fact.effect === 'done';
  return isDone ? [fact.question.slice('doubt:'.length)] : [];
};

/**
 * Returns the calls of the last plan, and of the rounds after it, that were completed. The next plan repeats them: a write
 * that no plan asks for is undone, and the reads that it relies on are made anew (UAICP 4.1).
 */
export const completedCalls = (
  records: readonly LedgerRecord[],
  tools: ReadonlyMap<string, Pick<Tool, 'tier'>>,
): readonly RecordedCall[] => {
  const all = currentFacts(records);
  const made = new Set(all.flatMap(madeBy));
  const calls = new Map(all.flatMap(broughtBy).map((one) => [one.call.id, one]));
  const written = new Set([...made].flatMap((id) => calls.get(id)?.call.digest ?? []));
  for (const { fact } of all) if (fact?.type === 'rollback.started') written.delete(fact.digest);
  const planned = all.findLastIndex(
    (record) => record.fact?.type === 'plan.proposed' || isPersonsPlan(record),
  );
  const last = new Set(
    all
      .slice(Math.max(0, planned))
      .flatMap(broughtBy)
      .map(({ call }) => call.id),
  );
  return [...last].flatMap((id) => {
    const one = calls.get(id);
    if (one === undefined) return [];
    const isWrite = tools.get(one.call.tool)?.tier !== 'read_only';
    return (isWrite ? written.has(one.call.digest) : made.has(id)) ? one : [];
  });
};

interface Means {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly freshRef: () => string;
  /** What an agent gave a call of this name, where that is still known. */
  readonly given: (ref: string) => JsonObject | undefined;
}

/** What the schema of its tool reads as the same call once more; `undefined` where nothing is read so any more. */
const inputOf = async (
  { call, given }: RecordedCall,
  tool: Tool | undefined,
  known: JsonObject | undefined,
): Promise<JsonObject | undefined> => {
  const made = readAs(call.tool, call.arguments);
  for (const input of [known ?? null, given, call.arguments]) {
    const content = input === null ? null : await callContentOf(tool, call.tool, input);
    if (content?.read === made) return JsonObject.safeParse(input).data;
  }
  return undefined;
};

/** Calls as they are proposed once more, the same actions as before; without those that the turn knows no tool for, or no arguments. */
export const proposedAgain = async (
  calls: readonly RecordedCall[],
  { tools: listed }: Pick<Turn, 'tools'>,
  { tools, freshRef, given }: Means,
): Promise<readonly ProposedCallOutput[]> => {
  const again = calls.map(async (one) => {
    const { tool, ref = freshRef() } = one.call;
    if (!listed.some(({ name }) => name === tool)) return [];
    const input = await inputOf(one, tools.get(tool), given(ref));
    return input === undefined ? [] : [{ tool, arguments: input, ref }];
  });
  return (await Promise.all(again)).flat();
};
