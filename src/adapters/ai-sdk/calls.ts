import type { CallOutcome } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';

/** A call, as the SDK has it. */
export interface SdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** Calls a tool through a run; asked again for what is under way, or was made, it says what it said. */
export type Calls = (call: SdkCall, signal?: AbortSignal) => Promise<CallOutcome>;

/**
 * The calls of one agent: the SDK asks twice for each, whether it is approved and what it brings. Between the two it may have
 * failed, and a name whose attempt was given up is free for another call.
 */
export const createCalls = (run: Run, waits: boolean): Calls => {
  const begun = new Map<string, { readonly said: string; readonly outcome: Promise<CallOutcome> }>();
  return ({ toolCallId: ref, toolName, input }, signal) => {
    const said = JSON.stringify([toolName, input]);
    const known = begun.get(ref);
    if (known?.said === said) return known.outcome;
    const outcome = run.call(toolName, input, { ref, waits, ...(signal && { signal }) });
    if (known !== undefined) return outcome; // it says that it was changed
    begun.set(ref, { said, outcome });
    const forget = (): void => void begun.delete(ref);
    outcome.then(({ status }) => {
      if (status === 'paused') forget(); // it is asked for anew once people have answered
    }, forget);
    return outcome;
  };
};
