import * as z from 'zod';
import { Identifier, JsonObject } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { digest } from '../canonical/digest.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { PlanOutput, type DraftOutput } from '../orchestrator/outputs.ts';
import type { Progress } from '../orchestrator/progress.ts';
import type { Turn } from '../ports/model.ts';
import { draftDigestsIn, pendingCallsIn, pendingDraftIn } from './proposed-again.ts';
import { judge, type Sent } from './judge.ts';
import type { Refused } from './outcome.ts';
import type { CallOptions, Draft } from './run.ts';
import { isSame, callContentOf } from './call-content.ts';
import type { GuardContext } from './guard-context.ts';
import { isLive } from './verdicts.ts';
import {
  queued,
  readable,
  refused,
  replaced,
  type PendingCall,
  type PendingDraft,
} from './pending-proposals.ts';

/** What a framework calls a call, as the ledger can hold it: some use names that are no identifiers. */
const nameOf = (ref: string): string => (Identifier.safeParse(ref).success ? ref : digest(ref));

const changed = (name: string): Refused =>
  refused(
    'PROPOSAL_CHANGED',
    `${name} was proposed with another content: expected the same, or another name`,
  );

type QueuedDraft = PendingDraft & { readonly output: DraftOutput };

const isQueued = (draft: PendingDraft): draft is QueuedDraft =>
  draft.stage === 'queued' && draft.output !== null;

/** An answer as it is proposed, with what is left out of it, and its digest. */
const readDraft = (draft: Draft) => {
  const given = { canProceed: true, confidence: 'unstated', explanation: '', ...draft };
  return readable(() => ({ output: frozenCopy(given, 'draft'), draftDigest: digest(given, 'draft') }));
};

/** The pending proposals of a run: calls by their refs, and an answer. */
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

  /** Returns the arguments that an agent gave a call. */
  argumentsOf(ref: string): JsonObject | undefined {
    return this.#calls.get(ref)?.arguments;
  }

  /** Returns the call with this ref: the known one, also after a restart, until its outcome was reported. */
  async call(tool: string, input: unknown, options: CallOptions): Promise<PendingCall | Refused> {
    const { tools, freshRef } = this.#context;
    const { confidence = 'unstated' } = options;
    const given = readable(() => ({
      tool: parseDocument('tool', z.string(), frozenCopy(tool, 'tool')),
      ref: nameOf(options.ref ?? freshRef()),
      arguments: parseDocument('arguments', JsonObject, frozenCopy(input, 'arguments')),
      confidence: parseDocument('confidence', PlanOutput.shape.confidence, confidence),
    }));
    if ('status' in given) return given;
    const { ref } = given;
    const content = await callContentOf(tools.get(tool), tool, given.arguments);
    const progress = await this.#known();
    const known = this.#calls.get(ref);
    const isKnown = known !== undefined && isSame(known.content, content);
    if (known !== undefined && isLive(known, progress)) return isKnown ? known : changed(ref);
    if (isKnown && !known.isReported) return known;
    const pending = { ...queued(), ...given, content };
    this.#calls.set(ref, pending);
    return pending;
  }

  /** Returns the answer: the known one, also after a restart, until its outcome was reported. */
  async answer(draft: Draft): Promise<PendingDraft | Refused> {
    const read = readDraft(draft);
    if ('status' in read) return read;
    const { output, draftDigest } = read;
    const progress = await this.#known();
    const known = this.#draft;
    const isKnown = known?.digest === draftDigest;
    if (known !== null && isLive(known, progress)) return isKnown ? known : changed('the answer');
    if (known !== null && isKnown && !known.isReported) return known;
    // its schema is the chart's to hold it against
    this.#draft = { ...queued(), output: output as DraftOutput, digest: draftDigest };
    return this.#draft;
  }

  /** Whether this answer was proposed before: here, or on record of the request that goes on. */
  async isProposed(draft: Draft): Promise<boolean> {
    const read = readDraft(draft);
    if ('status' in read) return false;
    if (this.#draft?.digest === read.draftDigest) return true;
    const recorded = await this.#context.proposals(this.#taskId);
    return draftDigestsIn(recorded).includes(read.draftDigest);
  }

  /** Drops a proposal that no one waits for. */
  drop(pending: PendingCall | PendingDraft): void {
    if ('ref' in pending) this.#calls.delete(pending.ref);
    else if (this.#draft === pending) this.#draft = null;
  }

  /** Forgets the proposals of a request when the next one begins. */
  beginAnew(): void {
    for (const pending of [...this.#calls.values(), ...(this.#draft === null ? [] : [this.#draft])]) {
      pending.stage = 'sent';
      pending.attempt = -1;
    }
    this.#calls.clear();
    this.#draft = null;
  }

  /** Refuses the calls of an attempt that a person's plan does not keep. */
  replace(attempt: number, kept: ReadonlySet<string | undefined>): void {
    for (const pending of this.#calls.values())
      if (pending.stage === 'sent' && pending.attempt === attempt && !kept.has(pending.ref))
        pending.verdict ??= replaced();
  }

  /** Sets the verdicts of proposals that the chart sent back. */
  judge(turn: Turn, sent: Sent): void {
    judge(turn, sent, this.#draft);
  }

  /** How far its task has come, once what was proposed before this guard was there has been read. */
  async #known(): Promise<Progress> {
    const { orchestrator } = this.#context;
    const progress = await orchestrator.progress(this.#taskId);
    this.#loaded ??= this.#load(progress).catch((error: unknown) => {
      this.#loaded = undefined; // it is read again
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
