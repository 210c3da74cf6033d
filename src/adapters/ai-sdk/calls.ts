import { canonicalize } from '../../canonical/canonicalize.ts';
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
 * Returns the content of a call for comparison. All unreadable inputs are equal, and the run rejects them.
 */
const contentOf = ({ toolName, input }: SdkCall): string => {
  try {
    return canonicalize([toolName, input]);
  } catch {
    return canonicalize(['unreadable', toolName, typeof input]);
  }
};

/** Creates the calls of a run. The SDK asks twice for each call, for approval and for its result. */
export const createCalls = (run: Run, waits: boolean): Calls => {
  const begun = new Map<string, { readonly content: string; readonly outcome: Promise<CallOutcome> }>();
  const remove: Calls['remove'] = (call) => {
    if (begun.get(call.toolCallId)?.content === contentOf(call)) begun.delete(call.toolCallId);
  };
  const begin: Calls['begin'] = (call, signal) => {
    const { toolCallId: ref, toolName, input } = call;
    const content = contentOf(call);
    const known = begun.get(ref);
    if (known?.content === content) return known.outcome;
    const outcome = run.call(toolName, input, { ref, waits, ...(signal && { signal }) });
    if (known !== undefined) return outcome; // it was proposed with other content
    begun.set(ref, { content, outcome });
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
