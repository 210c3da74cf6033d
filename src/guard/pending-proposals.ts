import type { JsonObject } from '../../schema/index.ts';
import { oneLine } from '../base/text/foreign-text.ts';
import { causeOf, isCharterError } from '../base/errors.ts';
import type { DraftOutput } from '../core/kernel/outputs.ts';
import type { Refused } from './outcome.ts';
import type { CallContent } from './call-content.ts';

interface PendingProposal {
  /** `sent` after it was part of an answer to a turn. */
  stage: 'queued' | 'sent';
  /** The attempt in which it was sent. */
  attempt: number;
  /** Why the chart or a person rejected it; `null` if it was not rejected. */
  verdict: Refused | null;
  /** Whether the agent received its final outcome. After that, it may be proposed again. */
  isReported: boolean;
  /** The callers that await its outcome. */
  readonly waiting: Set<object>;
}

/** A call that an agent proposed. */
export interface PendingCall extends PendingProposal {
  readonly ref: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly confidence: number | 'unstated';
  readonly together?: true;
  readonly after?: readonly string[];
  readonly performs?: 'caller';
  /** The content by which two calls with one ref are compared. */
  readonly content: CallContent;
}

/** An answer that an agent proposed to deliver. */
export interface PendingDraft extends PendingProposal {
  /** `null` if an earlier process sent it. */
  readonly output: DraftOutput | null;
  /** The digest of the output. */
  readonly digest: string;
}

export type Pending = PendingCall | PendingDraft;

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

/** Returns the rejection of a call that a person's edit removed. Another attempt may propose it again. */
export const removedByPerson = (): Refused =>
  refused('HUMAN_REJECTED', 'a person replaced the proposal by one without this call');

export const isRefused = (value: object): value is Refused => 'status' in value && value.status === 'refused';

/** Returns the result of `read`. Returns a rejection if it throws, so that no unreadable proposal is sent. */
export const readOrRefuse = <Result>(read: () => Result): Result | Refused => {
  try {
    return read();
  } catch (error) {
    return refused('OUTPUT_INVALID', isCharterError(error) ? oneLine(error.message) : causeOf(error));
  }
};
