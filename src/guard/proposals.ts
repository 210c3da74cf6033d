import * as z from 'zod';
import { Identifier, JsonObject } from '../../schema/index.ts';
import { isObject } from '../base/boundary/is-object.ts';
import { parseDocument } from '../base/boundary/parse-document.ts';
import { digest } from '../base/canonical/digest.ts';
import { frozenCopy } from '../base/canonical/freeze.ts';
import { frozenWords } from '../base/canonical/well-formed.ts';
import { kept } from '../base/canonical/kept.ts';
import { CharterError } from '../base/errors.ts';
import { recordedName } from '../base/define/formerly.ts';
import { PlanOutput, type DraftOutput } from '../core/kernel/outputs.ts';
import type { Progress } from '../core/shell/progress.ts';
import type { Turn } from '../base/ports/model.ts';
import { draftDigestsIn, pendingCallsIn, pendingDraftIn } from './recorded-proposals.ts';
import { judge, type Sent } from './judge.ts';
import type { Ended, Refused } from './outcome.ts';
import type { CallOptions, Draft } from './run.ts';
import { isSame, callContentOf, type CallContent } from './call-content.ts';
import type { GuardContext } from './guard-context.ts';
import { rejectedBefore } from './rejected.ts';
import { ended, isLive, isOver, listingOf } from './verdicts.ts';
import {
  queued,
  readOrRefuse,
  refused,
  removedByPerson,
  type Pending,
  type PendingCall,
  type PendingDraft,
} from './pending-proposals.ts';

/**
 * Returns a framework's ref as an identifier. A ref that is not a valid identifier is replaced by its digest.
 */
export const nameOf = (ref: string): string => (Identifier.safeParse(ref).success ? ref : digest(ref));

const changed = (name: string, expected: string): Refused =>
  refused('PROPOSAL_CHANGED', `${name} was proposed before with other content: expected ${expected}`);

const After = z.array(z.string()).min(1).max(100).optional();

type QueuedDraft = PendingDraft & { readonly output: DraftOutput };

const isQueued = (draft: PendingDraft): draft is QueuedDraft =>
  draft.stage === 'queued' && draft.output !== null;

const notADraft = 'the answer must be an object with `payload`, such as { payload: { text: "done" } }';

/**
 * Returns a proposed answer with its defaults, and its digest. One that JSON cannot hold is proposed as it is: the chart refuses
 * it, and counts that.
 */
const readDraft = (draft: Draft) => {
  if (!isObject(draft)) return refused('OUTPUT_INVALID', notADraft);
  const given = { canProceed: true, confidence: 'unstated', explanation: '', ...draft };
  return readOrRefuse(() => {
    const { value, lost } = kept(given, 'draft');
    return lost.length === 0
      ? { output: value, draftDigest: digest(value) }
      : { output: given, draftDigest: digest(lost) };
  });
};

/** The pending proposals of a run: calls by ref, and an answer. */
export class Proposals {
  readonly #taskId: string;
  readonly #context: GuardContext;
  readonly #calls = new Map<string, PendingCall>();
  #draft: PendingDraft | null = null;
  #loaded: Promise<void> | undefined;

  constructor(taskId: string, context: GuardContext) {
    this.#taskId = taskId;
    this.#context = context;
  }

  /** The calls that were not sent yet. */
  get queuedCalls(): readonly PendingCall[] {
    return [...this.#calls.values()].filter(({ stage }) => stage === 'queued');
  }

  /** The answer that was not sent yet; `null` if there is none. */
  get queuedDraft(): QueuedDraft | null {
    return this.#draft !== null && isQueued(this.#draft) ? this.#draft : null;
  }

  /** Returns the raw arguments of a call. */
  argumentsOf(ref: string): JsonObject | undefined {
    return this.#calls.get(ref)?.arguments;
  }

  /**
   * Returns the call with this ref. Reuses the known call, also after a restart, until its outcome was
   * reported.
   */
  async call(
    tool: string,
    input: unknown,
    options: CallOptions,
    performs?: 'caller',
  ): Promise<PendingCall | Refused> {
    const { tools, freshRef } = this.#context;
    const { confidence = 'unstated' } = options;
    const asked = readOrRefuse(() => ({
      tool: parseDocument('tool', z.string(), frozenCopy(tool, 'tool')),
      ref: nameOf(options.ref ?? freshRef()),
      arguments: parseDocument('arguments', JsonObject, frozenWords(input, 'arguments')),
      confidence: parseDocument('confidence', PlanOutput.shape.confidence, confidence),
      after: parseDocument('after', After, options.after)?.map(nameOf),
    }));
    if ('status' in asked) return asked;
    const { after, ...named } = asked;
    const given = { ...named, tool: await this.#recordedName(asked.tool) };
    if (tools.get(given.tool)?.performs !== undefined && performs === undefined)
      return refused(
        'OUTPUT_INVALID',
        `its caller performs ${given.tool}: ask for its clearance and report its outcome`,
      );
    const resolve = (given: unknown): Promise<unknown> => this.#context.resolved(this.#taskId, given);
    const content = await callContentOf(tools.get(given.tool), given.tool, given.arguments, resolve);
    const progress = await this.#currentProgress();
    const hasRejection = progress.answers.some(({ feedback }) => feedback.type === 'reject');
    const rejected =
      hasRejection && rejectedBefore(await this.#context.view(this.#taskId), given.tool, content);
    // nothing waits from here on, so that one ref is one proposal
    const ref = options.reusesRef === true ? this.#refOf(given.ref, content, progress) : given.ref;
    const known = this.#calls.get(ref);
    const isKnown = known !== undefined && isSame(known.content, content) && known.performs === performs;
    if (known !== undefined && isLive(known, progress))
      return isKnown ? known : changed(ref, 'the same content, or another ref');
    if (isKnown && !known.isReported) return known;
    if (rejected) return rejected;
    const together = options.together === true && ({ together: true } as const);
    const pending = {
      ...queued(),
      ...given,
      ...together,
      ...(performs && { performs }),
      ...(after && { after: after.map((name) => this.#latest(name)) }),
      ref,
      content,
    };
    this.#calls.set(ref, pending);
    return pending;
  }

  /** Returns the call that was proposed under a ref. Throws `not_found`. */
  async proposed(ref: string): Promise<PendingCall> {
    await this.#currentProgress();
    const pending = this.#calls.get(ref);
    if (pending !== undefined) return pending;
    const known = [...this.#calls.keys()].slice(-10);
    throw new CharterError('not_found', `no call was proposed as ${JSON.stringify(ref)} in this request`, {
      kind: 'call',
      id: ref,
      known,
    });
  }

  /** Returns the ref of the latest call that others gave an id. */
  #latest(id: string): string {
    let latest = id;
    for (let ordinal = 2; ; ordinal += 1) {
      const ref = nameOf(`${id}#${ordinal}`);
      if (!this.#calls.has(ref)) return latest;
      latest = ref;
    }
  }

  /**
   * Returns the ref of a call whose id others chose: that of the same content, or the first one that is free. A call whose
   * failure was reported is made anew.
   */
  #refOf(id: string, content: CallContent, progress: Progress): string {
    for (let ordinal = 1; ; ordinal += 1) {
      const ref = ordinal === 1 ? id : nameOf(`${id}#${ordinal}`);
      const known = this.#calls.get(ref);
      if (known === undefined) return ref;
      const isAnew = known.isReported && listingOf(ref, progress)?.status === 'failed';
      if (isSame(known.content, content) && !isAnew) return ref;
    }
  }

  /**
   * Returns the answer. Reuses the known answer, also after a restart, until its outcome was reported. Returns `ended`
   * for another answer than the known one when the run is over.
   */
  async answer(draft: Draft): Promise<PendingDraft | Refused | Ended> {
    const read = readDraft(draft);
    if ('status' in read) return read;
    const { output, draftDigest } = read;
    const progress = await this.#currentProgress();
    const known = this.#draft;
    const isKnown = known?.digest === draftDigest;
    if (known !== null && !isKnown && isOver(progress)) return ended(progress);
    if (known !== null && isLive(known, progress))
      return isKnown ? known : changed('the answer', 'the same content');
    if (known !== null && isKnown && !known.isReported) return known;
    // the chart checks it against the schema
    this.#draft = { ...queued(), output: output as DraftOutput, digest: draftDigest };
    return this.#draft;
  }

  /** Returns whether this answer was proposed before, here or in the ledger of the current request. */
  async isProposed(draft: Draft): Promise<boolean> {
    const read = readDraft(draft);
    if ('status' in read) return false;
    if (this.#draft?.digest === read.draftDigest) return true;
    const recorded = await this.#context.proposals(this.#taskId);
    return draftDigestsIn(recorded).includes(read.draftDigest);
  }

  /** Drops a proposal that has no waiting caller. */
  drop(pending: Pending): void {
    if ('ref' in pending) this.#calls.delete(pending.ref);
    else if (this.#draft === pending) this.#draft = null;
  }

  /** Clears the proposals when the next request begins. */
  reset(): void {
    for (const pending of [...this.#calls.values(), ...(this.#draft === null ? [] : [this.#draft])]) {
      pending.stage = 'sent';
      pending.attempt = -1;
    }
    this.#calls.clear();
    this.#draft = null;
  }

  /** Rejects the calls of an attempt that a person removed. */
  replace(attempt: number, refs: ReadonlySet<string>): void {
    for (const pending of this.#calls.values())
      if (pending.stage === 'sent' && pending.attempt === attempt && refs.has(pending.ref))
        pending.verdict ??= removedByPerson();
  }

  /** Sets the verdicts of proposals that the chart rejected. */
  judge(turn: Turn, sent: Sent): void {
    judge(turn, sent, this.#draft);
  }

  /** Returns the name by which the task knows a tool: it may have begun before the tool was renamed. */
  async #recordedName(tool: string): Promise<string> {
    const { tools, view } = this.#context;
    if (tools.get(tool)?.formerly === undefined) return tool;
    return recordedName(tools, (await view(this.#taskId)).allowed, tool);
  }

  /** Returns the progress of the task. Loads the proposals of earlier processes first. */
  async #currentProgress(): Promise<Progress> {
    const { orchestrator } = this.#context;
    const progress = await orchestrator.task(this.#taskId);
    this.#loaded ??= this.#load(progress).catch((error: unknown) => {
      this.#loaded = undefined; // the next call loads it again
      throw error;
    });
    await this.#loaded;
    return progress;
  }

  async #load(progress: Progress): Promise<void> {
    const recorded = await this.#context.proposals(this.#taskId);
    for (const pending of pendingCallsIn(recorded, progress))
      if (!this.#calls.has(pending.ref)) this.#calls.set(pending.ref, pending);
    this.#draft ??= pendingDraftIn(recorded, progress);
  }
}
