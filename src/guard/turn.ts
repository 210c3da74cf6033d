import { isCharterError } from '../base/errors.ts';
import type { CallsOutput, DraftOutput, PlanOutput, ProposedCallOutput } from '../core/kernel/outputs.ts';
import type { Turn, TurnOptions } from '../base/ports/model.ts';
import type { PendingCall } from './pending-proposals.ts';

type Output = PlanOutput | DraftOutput | CallsOutput;

/** A turn of the chart that waits for the agent's proposals. */
export class OpenTurn {
  readonly turn: Turn;
  readonly answer: Promise<unknown>;
  readonly #stream: TurnOptions['stream'];
  #resolve: (answer: unknown) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #chunks = 0;

  constructor(turn: Turn, { signal, stream }: TurnOptions, onLapse: () => void) {
    this.turn = turn;
    this.#stream = stream;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const lapse = (): void => {
      onLapse();
      this.#reject(signal.reason);
    };
    signal.addEventListener('abort', lapse, { once: true });
  }

  complete(output: Output): void {
    const { explanation } = output;
    this.#resolve(this.turn.asks === 'correction' ? { choice: 'fixed', output, explanation } : output);
  }

  fail(error: unknown): void {
    this.#reject(error);
  }

  /**
   * Streams a part of the draft. Returns `false` if the chart rejects it; the answer can still be concluded.
   */
  show(content: string): boolean {
    try {
      this.#stream({ index: this.#chunks, content });
    } catch (error) {
      if (isCharterError(error, 'chunk_refused')) return false;
      throw error;
    }
    this.#chunks += 1;
    return true;
  }
}

const explanationOf = (calls: readonly { readonly tool: string }[]): string =>
  calls.length === 0 ? 'Nothing is called.' : `Calls ${calls.map(({ tool }) => tool).join(', ')}.`;

/** Returns the lowest confidence of these calls; `unstated` if none is stated, or a required one is not. */
const lowestConfidence = (
  calls: readonly PendingCall[],
  unstated: 'ask' | 'proceed',
): number | 'unstated' => {
  const stated = calls.flatMap(({ confidence }) => (confidence === 'unstated' ? [] : [confidence]));
  const isMissingOne = stated.length < calls.length && unstated === 'ask';
  return stated.length === 0 || isMissingOne ? 'unstated' : Math.min(...stated);
};

/** What an agent proposes in a turn: calls, those of earlier attempts that it repeats, and tools of later calls. */
interface AgentProposal {
  readonly calls: readonly PendingCall[];
  readonly repeated: readonly ProposedCallOutput[];
  readonly declares: readonly string[];
}

/**
 * Returns proposals as the chart's output. `unstated` is the task class's policy for an unstated confidence.
 */
export const outputOf = (
  { calls, repeated, declares }: AgentProposal,
  unstated: 'ask' | 'proceed',
): PlanOutput | CallsOutput => {
  const proposed = calls.map(({ tool, arguments: input, ref, together, after, performs }) => ({
    tool,
    arguments: input,
    ref,
    ...(together && { together }),
    ...(after && { after: [...after] }),
    ...(performs && { performs }),
  }));
  const all = [...repeated, ...proposed];
  return {
    canProceed: true,
    confidence: lowestConfidence(calls, unstated),
    explanation: explanationOf(all),
    calls: all,
    ...(declares.length > 0 && { declares: [...declares] }),
  };
};
