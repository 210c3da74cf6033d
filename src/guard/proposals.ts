import * as z from 'zod';
import { Identifier, JsonObject } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { digest } from '../canonical/digest.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { PlanOutput, type DraftOutput } from '../orchestrator/outputs.ts';
import type { Progress } from '../orchestrator/progress.ts';
import type { Turn } from '../ports/model.ts';
import { draftBefore, draftsBefore, wantedBefore } from './earlier.ts';
import { judge, type Sent } from './judge.ts';
import type { Refused } from './outcome.ts';
import type { CallOptions, Draft } from './run.ts';
import { isSame, saidOf } from './said.ts';
import type { Surroundings } from './surroundings.ts';
import { isLive } from './verdicts.ts';
import { queued, readable, refused, replaced, type WantedCall, type WantedDraft } from './wanted.ts';

/** What a framework calls a call, as the ledger can hold it: some use names that are no identifiers. */
const nameOf = (ref: string): string => (Identifier.safeParse(ref).success ? ref : digest(ref));

const changed = (name: string): Refused =>
  refused(
    'PROPOSAL_CHANGED',
    `${name} was proposed with another content: expected the same, or another name`,
  );

type QueuedDraft = WantedDraft & { readonly output: DraftOutput };

const isQueued = (draft: WantedDraft): draft is QueuedDraft =>
  draft.stage === 'queued' && draft.output !== null;

/** An answer as it is proposed, with what is left out of it, and its digest. */
const readDraft = (draft: Draft) => {
  const given = { canProceed: true, confidence: 'unstated', explanation: '', ...draft };
  return readable(() => ({ output: frozenCopy(given, 'draft'), said: digest(given, 'draft') }));
};

/** What an agent wants of its run: calls by their names, and an answer. */
export class Proposals {
  readonly #taskId: string;
  readonly #surroundings: Surroundings;
  readonly #calls = new Map<string, WantedCall>();
  #draft: WantedDraft | null = null;
  #loaded: Promise<void> | undefined;

  constructor(taskId: string, surroundings: Surroundings) {
    this.#taskId = taskId;
    this.#surroundings = surroundings;
  }

  /** The calls that no turn was answered with yet. */
  get queuedCalls(): readonly WantedCall[] {
    return [...this.#calls.values()].filter(({ stage }) => stage === 'queued');
  }

  /** The answer that no turn was answered with yet. */
  get queuedDraft(): QueuedDraft | null {
    return this.#draft !== null && isQueued(this.#draft) ? this.#draft : null;
  }

  /** What an agent gave a call of this name. */
  argumentsOf(ref: string): JsonObject | undefined {
    return this.#calls.get(ref)?.arguments;
  }

  /** A call of this name: the one that is known, also of an earlier life, until its last word was said. */
  async call(tool: string, input: unknown, options: CallOptions): Promise<WantedCall | Refused> {
    const { tools, freshRef } = this.#surroundings;
    const { confidence = 'unstated' } = options;
    const given = readable(() => ({
      tool: parseDocument('tool', z.string(), frozenCopy(tool, 'tool')),
      ref: nameOf(options.ref ?? freshRef()),
      arguments: parseDocument('arguments', JsonObject, frozenCopy(input, 'arguments')),
      confidence: parseDocument('confidence', PlanOutput.shape.confidence, confidence),
    }));
    if ('status' in given) return given;
    const { ref } = given;
    const said = await saidOf(tools.get(tool), tool, given.arguments);
    const progress = await this.#known();
    const known = this.#calls.get(ref);
    const isKnown = known !== undefined && isSame(known.said, said);
    if (known !== undefined && isLive(known, progress)) return isKnown ? known : changed(ref);
    if (isKnown && !known.isTold) return known;
    const wanted = { ...queued(), ...given, said };
    this.#calls.set(ref, wanted);
    return wanted;
  }

  /** The answer: the one that is known, also of an earlier life, until its last word was said. */
  async answer(draft: Draft): Promise<WantedDraft | Refused> {
    const read = readDraft(draft);
    if ('status' in read) return read;
    const { output, said } = read;
    const progress = await this.#known();
    const known = this.#draft;
    const isKnown = known?.said === said;
    if (known !== null && isLive(known, progress)) return isKnown ? known : changed('the answer');
    if (known !== null && isKnown && !known.isTold) return known;
    // its schema is the chart's to hold it against
    this.#draft = { ...queued(), output: output as DraftOutput, said };
    return this.#draft;
  }

  /** Whether this answer was proposed before: here, or on record of the request that goes on. */
  async isProposed(draft: Draft): Promise<boolean> {
    const read = readDraft(draft);
    if ('status' in read) return false;
    if (this.#draft?.said === read.said) return true;
    const records = await this.#surroundings.orchestrator.ledger(this.#taskId);
    return draftsBefore(records).includes(read.said);
  }

  /** Nobody waits for it any more: it is proposed when it is asked for again. */
  drop(wanted: WantedCall | WantedDraft): void {
    if ('ref' in wanted) this.#calls.delete(wanted.ref);
    else if (this.#draft === wanted) this.#draft = null;
  }

  /** Nothing that was proposed for one request is meant for another. */
  beginAnew(): void {
    for (const wanted of [...this.#calls.values(), ...(this.#draft === null ? [] : [this.#draft])]) {
      wanted.stage = 'sent';
      wanted.attempt = -1;
    }
    this.#calls.clear();
    this.#draft = null;
  }

  /** A person's plan stands in the place of what was proposed in an attempt. */
  replace(attempt: number, kept: ReadonlySet<string | undefined>): void {
    for (const wanted of this.#calls.values())
      if (wanted.stage === 'sent' && wanted.attempt === attempt && !kept.has(wanted.ref))
        wanted.verdict ??= replaced();
  }

  /** The chart sent back what a turn was answered with. */
  judge(turn: Turn, sent: Sent): void {
    judge(turn, sent, this.#draft);
  }

  /** How far its task has come, once what was proposed before this guard was there has been read. */
  async #known(): Promise<Progress> {
    const { orchestrator } = this.#surroundings;
    const progress = await orchestrator.progress(this.#taskId);
    this.#loaded ??= this.#load(progress).catch((error: unknown) => {
      this.#loaded = undefined; // it is read again
      throw error;
    });
    await this.#loaded;
    return progress;
  }

  async #load(progress: Progress): Promise<void> {
    const records = await this.#surroundings.orchestrator.ledger(this.#taskId);
    for (const wanted of wantedBefore(records, progress))
      if (!this.#calls.has(wanted.ref)) this.#calls.set(wanted.ref, wanted);
    this.#draft ??= draftBefore(records, progress);
  }
}
