import { canonicalize } from '../../base/canonical/canonicalize.ts';
import type { CallOutcome } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';

/** A call of the SDK. */
export interface SdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** The calls of an agent whose outcome the model has not seen. */
export interface Calls {
  /** Calls a tool through the run. A repeated request returns the same outcome. */
  readonly begin: (call: SdkCall, signal?: AbortSignal) => Promise<CallOutcome>;
  /** Removes a call whose outcome the model has seen, because models reuse ids. */
  readonly remove: (call: SdkCall) => void;
}

/**
 * Returns the id and the content of a call for comparison, because models reuse ids. All unreadable inputs are equal, and the
 * run rejects them.
 */
const contentOf = ({ toolCallId, toolName, input }: SdkCall): string => {
  try {
    return canonicalize([toolCallId, toolName, input]);
  } catch {
    return canonicalize(['unreadable', toolCallId, toolName, typeof input]);
  }
};

/** Creates the calls of a run. The SDK asks twice for each call, for approval and for its result. */
export const createCalls = (run: Run, waits: boolean): Calls => {
  const begun = new Map<string, Promise<CallOutcome>>();
  const remove: Calls['remove'] = (call) => void begun.delete(contentOf(call));
  const begin: Calls['begin'] = (call, signal) => {
    const { toolCallId: ref, toolName, input } = call;
    const content = contentOf(call);
    const known = begun.get(content);
    if (known !== undefined) return known;
    const outcome = run.call(toolName, input, { ref, reusesRef: true, waits, ...(signal && { signal }) });
    begun.set(content, outcome);
    outcome.then(
      ({ status }) => {
        if (status === 'paused') remove(call); // after the answer, the run is asked again
      },
      () => remove(call),
    );
    return outcome;
  };
  return { begin, remove: remove };
};
