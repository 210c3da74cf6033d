import { interrupt } from '@langchain/langgraph';
import type { Paused, Run } from '../../guard/index.ts';

/** What people are asked while a graph is interrupted, as JSON: they answer at `messageId`, by `orchestrator.respond`. */
export interface PauseValue {
  readonly type: 'agentcharter.pause';
  /** The run that waits. */
  readonly taskId: string;
  readonly questions: readonly {
    /** The task that asks: the run's own, or one nested in it. */
    readonly taskId: string;
    readonly messageId: string;
    readonly kind: string;
    readonly explanation: string;
    readonly payload: unknown;
  }[];
  /** What else is waited for. */
  readonly awaits: readonly string[];
}

const valueOf = ({ taskId }: Run, { questions, awaits }: Paused): PauseValue => ({
  type: 'agentcharter.pause',
  taskId,
  questions: questions.map(({ taskId: asks, question, message }) => ({
    taskId: asks,
    messageId: message.messageId,
    kind: question.kind,
    explanation: message.explanation,
    payload: message.payload,
  })),
  awaits,
});

/**
 * What becomes of a proposal: while people are waited for, the graph is interrupted, and its node runs again.
 *
 * What a graph is resumed with is nobody's authority: the proposal is made again, under its name, and is known.
 */
export const settledOf = async <Outcome extends { readonly status: string }>(
  run: Run,
  propose: () => Promise<Outcome | Paused>,
): Promise<Exclude<Outcome, Paused>> => {
  for (;;) {
    const outcome = await propose();
    if (!isPaused(outcome)) return outcome as Exclude<Outcome, Paused>; // it is told by its status
    interrupt(valueOf(run, outcome));
  }
};

const isPaused = (outcome: { readonly status: string }): outcome is Paused => outcome.status === 'paused';
