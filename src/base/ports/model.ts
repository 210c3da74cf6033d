import type { EvidenceObject, RiskTier, UpFeedback, UpFormatMessage } from '../../../schema/index.ts';
import type { Issue } from '../errors.ts';
import type { TraceContext } from './telemetry.ts';

/** A tool as the model sees it. */
export interface ToolListing {
  readonly name: string;
  readonly description: string;
  readonly tier: RiskTier;
  /** JSON Schema of the arguments; `null` if the tool's schema does not provide one. */
  readonly input: Readonly<Record<string, unknown>> | null;
}

/** A call of this request, as the model sees it. */
export interface CallListing {
  readonly id: string;
  /** The model's name for the call, if its proposal had one. */
  readonly ref: string | null;
  readonly tool: string;
  readonly arguments: unknown;
  /** Its state on record; `asked` while a person is asked to approve it. */
  readonly status: string;
  /** Why the call failed or was refused. */
  readonly code: string | null;
  /** What the person, the policy or the tool says of a call that was refused or that failed. */
  readonly reasons?: readonly string[];
  /** The `evidence_id` of its evidence. */
  readonly evidence: string | null;
  /** Who changed its arguments; `arguments` are the changed ones. */
  readonly changedBy?: string;
  /** The call that was made in its place, by its `ref` or its id: an identical write is made once. */
  readonly of?: string;
}

/** A person's answer, as the model sees it. */
export interface AnswerListing {
  /** The kind of the question: information, help, plan, draft, approval or tool; `changes` for a followup. */
  readonly question: string;
  readonly feedback: UpFeedback;
  readonly by: string;
}

/** An answer and its message. A part, an annotation or a diff in the answer refers to this message. */
export interface AnswerOnRecord extends AnswerListing {
  /** `null` if the message was erased, or has a value that the model is not shown. */
  readonly message: UpFormatMessage | null;
}

/** Another agent's feedback on a message of the thread (UpFormat 2.2). It is untrusted and decides nothing. */
export interface Review {
  /** The reviewing agent. */
  readonly by: string;
  readonly feedback: UpFeedback;
  /** The message of the feedback. */
  readonly message: UpFormatMessage;
}

/** A document that a model may refer to in the arguments of a call: `{ "$from": alias, "pointer": "/…" }`. */
export interface SourceListing {
  /** `request`, `answer-1`, or the name of a tool and the number of its result, such as `contacts.find#2`. */
  readonly alias: string;
  /** The `evidence_id`, if it is the result of a tool. */
  readonly evidence?: string;
  /** The model is not shown it. */
  readonly isHidden?: true;
}

/** One turn of a model: the request for an output, and all the context that the model may see. */
export interface Turn {
  /**
   * The kind of output: `plan`, `draft` (or further calls), or `correction` (`fixed`, `needHuman` or
   * `beyondCapability`).
   */
  readonly asks: 'plan' | 'draft' | 'correction';
  /** The output that the model must produce; on a correction, the content of `fixed`. */
  readonly wants: 'plan' | 'draft';
  readonly taskClass: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  readonly tools: readonly ToolListing[];
  readonly answers: readonly AnswerOnRecord[];
  /**
   * What other agents said of this thread. To take the calls of a plan or the payload of a draft from an `edit` or a
   * `rank` of it, answer with `adopts`: the `messageId` of the review's message (`AdoptionOutput`). It is then your
   * proposal and passes every gate.
   */
  readonly reviews: readonly Review[];
  readonly calls: readonly CallListing[];
  /** The valid evidence of this attempt. */
  readonly evidence: readonly EvidenceObject[];
  /** What calls may refer to; present if a tool of the class has `flows` or `isHidden`, or is an extraction. */
  readonly sources?: readonly SourceListing[];
  /** The rejected output and its issues; on a correction only. */
  readonly rejected: { readonly output: unknown; readonly issues: readonly Issue[] } | null;
  /** Why the previous attempt was abandoned, with a sentence for each reason; empty in the first. */
  readonly unmet: readonly { readonly code: string; readonly about: string; readonly says: string }[];
}

/** A part of a draft, shown while the model writes the rest. */
export interface Chunk {
  /** The position in the stream, from 0. */
  readonly index: number;
  /** Well-formed Unicode of at most 64 KiB. Do not split a surrogate pair over two chunks. */
  readonly content: string;
}

/**
 * Streams an unverified part of the draft to the listeners for chunks (UAICP 4.2).
 *
 * The concatenated chunks must equal the JSON of the answer, the JSON of its payload, or a string in its payload.
 * Otherwise the stream is discarded when the draft arrives, because no verifier has checked it.
 *
 * Throws `chunk_refused` on a turn that asks for no draft, in a run with a write, out of order, beyond a limit, and
 * after the turn has ended. A model may answer without streaming.
 */
export type StreamChunk = (chunk: Chunk) => void;

/** The tokens that a model read and wrote in a turn. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** The options of a turn. Do not put them into the prompt. */
export interface TurnOptions extends Partial<TraceContext> {
  /** The task that asks. */
  readonly taskId: string;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  readonly stream: StreamChunk;
  /** Counts tokens for `stats`; a model need not call it. What is no number from 0 on is not counted. */
  readonly usage?: (tokens: TokenUsage) => void;
}

/** A language model and its prompt. Its output is untrusted until a closed schema has accepted it (UAICP 2). */
export interface Model {
  /**
   * Returns the answer to a turn: a `PlanOutput`; for a draft a `DraftOutput` or a `CallsOutput`; for a correction a
   * `CorrectionOutput`, or the corrected output itself. An `AdoptionOutput` stands in for a plan, a draft or further calls.
   */
  readonly answer: (turn: Turn, options: TurnOptions) => Promise<unknown>;
  /**
   * A program elsewhere gives the answers. A turn that waits for one does not count towards the orchestrator's
   * `concurrency`.
   */
  readonly isElsewhere?: boolean;
}
