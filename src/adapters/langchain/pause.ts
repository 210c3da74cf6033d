import { interrupt } from '@langchain/langgraph';
import type { Paused, Run } from '../../guard/index.ts';

/**
 * The value of an interrupt, as JSON: the questions. Answer at `messageId` with `orchestrator.respond`.
 *
 * It is for people: it has values that the model is not shown (`isHidden`). Do not add it to the messages of a model.
 */
export interface PauseValue {
  readonly type: 'agentcharter.pause';
  /** The task id of the waiting run. */
  readonly taskId: string;
  readonly questions: readonly {
    /** The task that asks: that of the run, or a nested one. */
    readonly taskId: string;
    readonly messageId: string;
    readonly kind: string;
    readonly explanation: string;
    readonly payload: unknown;
  }[];
  /** Other dependencies of the run. */
  readonly awaits: readonly string[];
}

const valueOf = async (run: Run, { awaits }: Paused): Promise<PauseValue> => ({
  type: 'agentcharter.pause',
  taskId: run.taskId,
  questions: (await run.questions()).map(({ taskId: asks, question, message }) => ({
    taskId: asks,
    messageId: message.messageId,
    kind: question.kind,
    explanation: message.explanation,
    payload: message.payload,
  })),
  awaits,
});

/**
 * Returns the outcome of a proposal. While it waits for people, the graph is interrupted; then its node runs
 * again.
 *
 * The resume value of the graph is ignored. The proposal is repeated under its id, and the run knows its
 * outcome.
 */
export const settledOf = async <Outcome extends { readonly status: string }>(
  run: Run,
  propose: () => Promise<Outcome | Paused>,
): Promise<Exclude<Outcome, Paused>> => {
  for (;;) {
    const outcome = await propose();
    if (!isPaused(outcome)) return outcome as Exclude<Outcome, Paused>; // narrowed by its status
    interrupt(await valueOf(run, outcome));
  }
};

const isPaused = (outcome: { readonly status: string }): outcome is Paused => outcome.status === 'paused';
