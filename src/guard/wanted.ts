import type { JsonObject } from '../../schema/index.ts';
import { causeOf } from '../errors.ts';
import type { DraftOutput } from '../orchestrator/outputs.ts';
import type { Refused } from './outcome.ts';
import type { Said } from './said.ts';

interface Proposed {
  /** `sent` once it is in the answer to a turn of the chart. */
  stage: 'queued' | 'sent';
  /** The attempt that it was sent in. */
  attempt: number;
  /** Why the chart did not take it, or a person took it out. */
  verdict: Refused | null;
  /** Whether somebody heard the last word on it: it may be proposed anew. */
  isTold: boolean;
  /** Those who wait for what becomes of it. */
  readonly waiting: Set<object>;
}

/** A call that an agent wants. */
export interface WantedCall extends Proposed {
  readonly ref: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly confidence: number | 'unstated';
  /** What two calls of one name are compared by. */
  readonly said: Said;
}

/** An answer that an agent wants to deliver. */
export interface WantedDraft extends Proposed {
  /** `null` where it was sent before this guard was there. */
  readonly output: DraftOutput | null;
  /** Its digest. */
  readonly said: string;
}

export const queued = (): Proposed => ({
  stage: 'queued',
  attempt: 0,
  verdict: null,
  isTold: false,
  waiting: new Set(),
});

export const refused = (
  code: Refused['code'],
  explanation: string,
  issues: Refused['issues'] = [],
): Refused => ({ status: 'refused', code, explanation, issues });

/** A person's plan has no place for it; it may be proposed again in another attempt. */
export const replaced = (): Refused =>
  refused('HUMAN_REJECTED', 'a person replaced the plan by one without this call');

export const isRefused = (value: object): value is Refused => 'status' in value && value.status === 'refused';

/** What cannot be read at all is never proposed. */
export const readable = <Result>(read: () => Result): Result | Refused => {
  try {
    return read();
  } catch (error) {
    return refused('OUTPUT_INVALID', causeOf(error));
  }
};
