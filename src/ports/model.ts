import type { EvidenceObject, RiskTier, UpFeedback } from '../../schema/index.ts';
import type { Issue } from '../errors.ts';

/** A tool as a model sees it. */
export interface ToolListing {
  readonly name: string;
  readonly description: string;
  readonly tier: RiskTier;
}

/** A call of this request, as a model sees it. */
export interface CallListing {
  readonly tool: string;
  readonly arguments: unknown;
  readonly status: string;
  /** Why it failed or was refused. */
  readonly code: string | null;
}

/** A person's answer, as a model sees it. */
export interface AnswerListing {
  /** What kind of question was answered: information, help, plan, draft, approval or tool; `changes` for a followup. */
  readonly question: string;
  readonly feedback: UpFeedback;
  readonly by: string;
}

/** One turn of a model: what is asked of it, and everything that it may know. */
export interface Turn {
  /** `plan` wants a plan, `draft` a draft or further calls, `correction` a choice of `fixed`, `needHuman`, `beyondCapability`. */
  readonly asks: 'plan' | 'draft' | 'correction';
  readonly taskClass: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  readonly tools: readonly ToolListing[];
  readonly answers: readonly AnswerListing[];
  readonly calls: readonly CallListing[];
  /** Evidence that stands in this attempt. */
  readonly evidence: readonly EvidenceObject[];
  /** The output that did not fit, and why; on a correction only. */
  readonly rejected: { readonly output: unknown; readonly issues: readonly Issue[] } | null;
  /** Why the attempt before was given up; empty in the first. */
  readonly unmet: readonly { readonly code: string; readonly about: string }[];
}

/** A language model behind its prompt: what it returns is untrusted until a closed schema has read it (UAICP 2). */
export interface Model {
  readonly answer: (turn: Turn, options: { readonly signal: AbortSignal }) => Promise<unknown>;
}
