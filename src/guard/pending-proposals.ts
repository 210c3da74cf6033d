import type { JsonObject } from '../../schema/index.ts';
import { causeOf } from '../errors.ts';
import type { DraftOutput } from '../orchestrator/outputs.ts';
import type { Refused } from './outcome.ts';
import type { CallContent } from './call-content.ts';

interface PendingProposal {
  /** `sent` once it is in the answer to a turn of the chart. */
  stage: 'queued' | 'sent';
  /** The attempt that it was sent in. */
  attempt: number;
  /** Why the chart or a person refused it; `null` if neither did. */
  verdict: Refused | null;
  /** Whether the agent was given its final outcome: then it may be proposed again. */
  isReported: boolean;
  /** The callers that wait for its outcome. */
  readonly waiting: Set<object>;
}

/** A call that an agent proposed. */
export interface PendingCall extends PendingProposal {
  readonly ref: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly confidence: number | 'unstated';
  /** The content by which two calls with one ref are compared. */
  readonly content: CallContent;
}

/** An answer that an agent proposed to deliver. */
export interface PendingDraft extends PendingProposal {
  /** `null` where it was sent before this guard was there. */
  readonly output: DraftOutput | null;
  /** Its digest. */
  readonly digest: string;
}

export const queued = (): PendingProposal => ({
  stage: 'queued',
  attempt: 0,
  verdict: null,
  isReported: false,
  waiting: new Set(),
});

export const refused = (
  code: Refused['code'],
  explanation: string,
  issues: Refused['issues'] = [],
): Refused => ({ status: 'refused', code, explanation, issues });

/** Returns the refusal of a call that a person's plan left out; it may be proposed again in another attempt. */
export const replaced = (): Refused =>
  refused('HUMAN_REJECTED', 'a person replaced the plan by one without this call');

export const isRefused = (value: object): value is Refused => 'status' in value && value.status === 'refused';

/** Returns what `read` returns, or a refusal if it throws: an unreadable proposal is never sent. */
export const readable = <Result>(read: () => Result): Result | Refused => {
  try {
    return read();
  } catch (error) {
    return refused('OUTPUT_INVALID', causeOf(error));
  }
};
