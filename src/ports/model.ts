import type { EvidenceObject, RiskTier, UpFeedback, UpFormatMessage } from '../../schema/index.ts';
import type { Issue } from '../errors.ts';
import type { TraceContext } from './telemetry.ts';

/** A tool as a model sees it. */
export interface ToolListing {
  readonly name: string;
  readonly description: string;
  readonly tier: RiskTier;
  /** JSON Schema of its arguments; `null` where its schema prints none. */
  readonly input: Readonly<Record<string, unknown>> | null;
}

/** A call of this request, as a model sees it. */
export interface CallListing {
  readonly id: string;
  /** What the model calls it, where its proposal said so. */
  readonly ref: string | null;
  readonly tool: string;
  readonly arguments: unknown;
  readonly status: string;
  /** Why it failed or was refused. */
  readonly code: string | null;
  /** The `evidence_id` of what it brought. */
  readonly evidence: string | null;
}

/** A person's answer, as a model sees it. */
export interface AnswerListing {
  /** What kind of question was answered: information, help, plan, draft, approval or tool; `changes` for a followup. */
  readonly question: string;
  readonly feedback: UpFeedback;
  readonly by: string;
}

/** An answer, and what it is about: a part, an annotation or a diff in it leads into this message. */
export interface AnswerOnRecord extends AnswerListing {
  /** `null` where the message was erased. */
  readonly message: UpFormatMessage | null;
}

/** One turn of a model: what is asked of it, and everything that it may know. */
export interface Turn {
  /** `plan` wants a plan, `draft` a draft or further calls, `correction` a choice of `fixed`, `needHuman`, `beyondCapability`. */
  readonly asks: 'plan' | 'draft' | 'correction';
  /** The output that is wanted; on a correction, what `fixed` must hold. */
  readonly wants: 'plan' | 'draft';
  readonly taskClass: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  readonly tools: readonly ToolListing[];
  readonly answers: readonly AnswerOnRecord[];
  readonly calls: readonly CallListing[];
  /** Evidence that stands in this attempt. */
  readonly evidence: readonly EvidenceObject[];
  /** The output that did not fit, and why; on a correction only. */
  readonly rejected: { readonly output: unknown; readonly issues: readonly Issue[] } | null;
  /** Why the attempt before was given up; empty in the first. */
  readonly unmet: readonly { readonly code: string; readonly about: string }[];
}

/** A part of a draft that is shown while the rest is still being written. */
export interface Chunk {
  /** Its place in the stream, from 0. */
  readonly index: number;
  /** Well-formed Unicode of at most 64 KiB: a pair of surrogates is never split over two chunks. */
  readonly content: string;
}

/**
 * Shows a part of the draft, marked as unverified, to whoever listens for chunks (UAICP 4.2).
 *
 * The chunks together are what the draft says: the JSON of the answer or of its payload, or a string in its payload.
 * Anything else is discarded when the draft comes, for no verifier has seen it.
 *
 * Throws `chunk_refused` on a turn that does not ask for a draft, in a run that holds a write, out of order, beyond a
 * bound, and once nobody waits for the answer any more. A model that goes on without streaming answers all the same.
 */
export type StreamChunk = (chunk: Chunk) => void;

/** What a model is given beside its turn: nothing of it is for a prompt. */
export interface TurnOptions extends Partial<TraceContext> {
  /** Which task asks. */
  readonly taskId: string;
  /** Says that the answer is of no use any more. */
  readonly signal: AbortSignal;
  readonly stream: StreamChunk;
}

/** A language model behind its prompt: what it returns is untrusted until a closed schema has read it (UAICP 2). */
export interface Model {
  readonly answer: (turn: Turn, options: TurnOptions) => Promise<unknown>;
  /** Its answers come from a program elsewhere: a turn that waits for one holds nothing of the orchestrator's `concurrency`. */
  readonly isElsewhere?: boolean;
}
