import type { JsonObject } from '../../schema/index.ts';
import { canonicalize } from '../canonical/canonicalize.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { causeOf } from '../errors.ts';
import { readWith } from '../orchestrator/read-output.ts';
import type { DraftOutput } from '../orchestrator/outputs.ts';
import type { Tool } from '../ports/tool.ts';
import type { Refused } from './outcome.ts';

interface Proposed {
  /** `sent` once it is in the answer to a turn of the chart. */
  stage: 'queued' | 'sent';
  /** The attempt that it was sent in. */
  attempt: number;
  /** Why the chart did not take it. */
  verdict: Refused | null;
}

/** A call that an agent wants. */
export interface WantedCall extends Proposed {
  readonly ref: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly confidence: number;
  /** What two calls of one name are compared by. */
  readonly said: string;
}

/** An answer that an agent wants to deliver. */
export interface WantedDraft extends Proposed {
  readonly output: DraftOutput;
  readonly said: string;
}

export const queued = (): Proposed => ({ stage: 'queued', attempt: 0, verdict: null });

export const refused = (
  code: Refused['code'],
  explanation: string,
  issues: Refused['issues'] = [],
): Refused => ({ status: 'refused', code, explanation, issues });

export const isRefused = (value: object): value is Refused => 'status' in value && value.status === 'refused';

/** What cannot be read at all is never proposed. */
export const readable = <Result>(read: () => Result): Result | Refused => {
  try {
    return read();
  } catch (error) {
    return refused('OUTPUT_INVALID', causeOf(error));
  }
};

/** What a call says, whatever its schema fills in: what a framework sends again may come back before it was read. */
export const saidOf = async (tool: Tool | undefined, name: string, input: unknown): Promise<string> => {
  const given = frozenCopy(input, name);
  if (tool === undefined) return canonicalize([name, given]);
  try {
    const read = await readWith(tool.input, given, '');
    return canonicalize([name, 'issues' in read ? given : read.value]);
  } catch {
    return canonicalize([name, given]); // the chart says what is wrong with it
  }
};
