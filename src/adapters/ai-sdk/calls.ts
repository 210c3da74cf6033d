import { canonicalize } from '../../canonical/canonicalize.ts';
import type { CallOutcome } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';

/** A call, as the SDK has it. */
export interface SdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** The calls of one agent of which its model has not been told. */
export interface Calls {
  /** Calls a tool through the run; asked again for what is under way, or was made, it says what it said. */
  readonly begin: (call: SdkCall, signal?: AbortSignal) => Promise<CallOutcome>;
  /** The model is told: whoever asks again asks the run, for models reuse names. */
  readonly forget: (call: SdkCall) => void;
}

/** What cannot be read is refused by the run, whatever it holds: all of it is the same call. */
const contentOf = ({ toolName, input }: SdkCall): string => {
  try {
    return canonicalize([toolName, input]);
  } catch {
    return canonicalize(['unreadable', toolName, typeof input]);
  }
};

/** The SDK asks twice for each call, whether it is approved and what it brings: between the two it may have failed. */
export const createCalls = (run: Run, waits: boolean): Calls => {
  const begun = new Map<string, { readonly content: string; readonly outcome: Promise<CallOutcome> }>();
  const forget: Calls['forget'] = (call) => {
    if (begun.get(call.toolCallId)?.content === contentOf(call)) begun.delete(call.toolCallId);
  };
  const begin: Calls['begin'] = (call, signal) => {
    const { toolCallId: ref, toolName, input } = call;
    const content = contentOf(call);
    const known = begun.get(ref);
    if (known?.content === content) return known.outcome;
    const outcome = run.call(toolName, input, { ref, waits, ...(signal && { signal }) });
    if (known !== undefined) return outcome; // it says that it was changed
    begun.set(ref, { content, outcome });
    outcome.then(
      ({ status }) => {
        if (status === 'paused') forget(call); // it is asked for anew once people have answered
      },
      () => forget(call),
    );
    return outcome;
  };
  return { begin, forget };
};
