import { JsonObject } from '../../schema/index.ts';
import { digest } from '../base/canonical/digest.ts';
import type { Proposals, RecordedCall } from '../core/kernel/projection/proposals.ts';
import { proposedDraft, type ProposedCallOutput } from '../core/kernel/outputs.ts';
import type { Progress } from '../core/shell/progress.ts';
import type { OutputDocument } from '../base/ports/ledger.ts';
import type { Turn } from '../base/ports/model.ts';
import type { Tool } from '../base/ports/tool.ts';
import { callContentOf, parsedContent, type CallContent, type Resolve } from './call-content.ts';
import type { GuardContext } from './guard-context.ts';
import { queued, removedByPerson, type PendingCall, type PendingDraft } from './pending-proposals.ts';
import { listingOf } from './verdicts.ts';

const argumentsOf = ({ given }: RecordedCall): JsonObject | null => JsonObject.safeParse(given).data ?? null;

/** Returns the content of a recorded call, as it was proposed and as it was read. */
export const contentOf = (recorded: RecordedCall): CallContent => {
  const { tool, arguments: input } = recorded.call;
  const given = argumentsOf(recorded);
  return { given: given && parsedContent(tool, given), read: parsedContent(tool, input) };
};

/** Returns the calls of an agent without a reported outcome in the ledger. */
export const pendingCallsIn = (
  { proposed, made, replaced }: Proposals,
  progress: Progress,
): readonly PendingCall[] =>
  [...proposed].flatMap(([ref, recorded]) => {
    const isListed = listingOf(ref, progress) !== undefined;
    const { id, tool, performs } = recorded.call;
    if (!isListed && made.has(id)) return [];
    const isReplaced = !isListed && replaced.has(ref);
    return {
      ...queued(),
      stage: 'sent',
      attempt: isListed || isReplaced ? progress.attempt : progress.attempt - 1,
      verdict: isReplaced ? removedByPerson() : null,
      ref,
      tool,
      arguments: argumentsOf(recorded) ?? {}, // already sent: these arguments are only compared
      confidence: 'unstated',
      ...(performs && { performs }),
      content: contentOf(recorded),
    };
  });

const draftDigest = (output: OutputDocument): string => digest(proposedDraft(output, 'raw'));

/** Returns the digests of the answers that an agent proposed. */
export const draftDigestsIn = ({ drafts }: Proposals): readonly string[] =>
  drafts.flatMap((output) => (output === null ? [] : [draftDigest(output)]));

/** Returns the last proposed answer, if it belongs to the current or the previous attempt. */
export const pendingDraftIn = ({ drafts }: Proposals, progress: Progress): PendingDraft | null => {
  const output = drafts.at(-1) ?? null;
  if (output === null) return null;
  const attempt = progress.draft === null ? progress.attempt - 1 : progress.attempt;
  return { ...queued(), stage: 'sent', attempt, output: null, digest: draftDigest(output) };
};

/**
 * Returns the completed calls of the last plan and its rounds. The next plan repeats them: the chart undoes a
 * write that no plan contains, and makes its reads anew (UAICP 4.1).
 */
const completedCalls = (
  { calls, planned, made, undone }: Proposals,
  tools: ReadonlyMap<string, Pick<Tool, 'tier'>>,
): readonly RecordedCall[] => {
  const written = new Set([...made].flatMap((id) => calls.get(id)?.call.digest ?? []));
  for (const digest of undone) written.delete(digest);
  return [...planned].flatMap((id) => {
    const one = calls.get(id);
    if (one === undefined) return [];
    const isWrite = tools.get(one.call.tool)?.tier !== 'read_only';
    return (isWrite ? written.has(one.call.digest) : made.has(id)) ? one : [];
  });
};

interface RepeatOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly freshRef: () => string;
  /** Returns the raw arguments of a call, if they are still known. */
  readonly given: (ref: string) => JsonObject | undefined;
  readonly resolve: Resolve;
}

/**
 * Returns an input that the tool's schema parses to the same arguments; `undefined` if there is none. One with
 * references comes first: the value alone may say less of where it comes from.
 */
const inputOf = async (
  recorded: RecordedCall,
  tool: Tool | undefined,
  known: JsonObject | undefined,
  resolve: Resolve,
): Promise<JsonObject | undefined> => {
  const { call } = recorded;
  const made = parsedContent(call.tool, call.arguments);
  for (const input of [known ?? null, argumentsOf(recorded), call.arguments]) {
    const content = input === null ? null : await callContentOf(tool, call.tool, input, resolve);
    if (content?.read === made) return JsonObject.safeParse(input).data;
  }
  return undefined;
};

/** Returns calls as a new proposal of the same actions. Omits calls whose tool or arguments are not known. */
const repeatCalls = async (
  calls: readonly RecordedCall[],
  { tools: listed }: Pick<Turn, 'tools'>,
  { tools, freshRef, given, resolve }: RepeatOptions,
): Promise<readonly ProposedCallOutput[]> => {
  const repeats = calls.map(async (one) => {
    const { tool, ref = freshRef(), performs } = one.call;
    if (!listed.some(({ name }) => name === tool)) return [];
    const input = await inputOf(one, tools.get(tool), given(ref), resolve);
    return input === undefined ? [] : [{ tool, arguments: input, ref, ...(performs && { performs }) }];
  });
  return (await Promise.all(repeats)).flat();
};

/** Returns the completed calls that a plan repeats beside the calls of its turn. */
export const repeatsOf = async (
  { proposals, resolved, tools, freshRef }: GuardContext,
  taskId: string,
  {
    turn,
    calls,
    given,
  }: Pick<RepeatOptions, 'given'> & {
    readonly turn: Turn;
    readonly calls: readonly PendingCall[];
  },
): Promise<readonly ProposedCallOutput[]> => {
  const isRepeated = turn.wants === 'plan' && turn.attempt > 0;
  const completed = isRepeated ? completedCalls(await proposals(taskId), tools) : [];
  const missing = completed.filter(({ call }) => !calls.some(({ ref }) => ref === call.ref));
  const resolve: Resolve = (input) => resolved(taskId, input);
  return repeatCalls(missing, turn, { tools, freshRef, given, resolve });
};
