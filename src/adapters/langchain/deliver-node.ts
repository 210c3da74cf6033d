import type { BaseMessage } from '@langchain/core/messages';
import { Command, END, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { gated, type DraftOptions } from './draft.ts';
import { runOf, type RunSource } from './source.ts';

/** Where a graph goes on from its gate. */
export interface DeliverNodeOptions extends DraftOptions {
  /** The node that writes the answer anew, once it is told what is missing. */
  readonly again: string;
  /** The node that follows on a delivered answer; the end of the graph where left out. */
  readonly onward?: string;
}

/** A state with messages, the last of which is the draft. */
interface MessagesState {
  readonly messages: readonly BaseMessage[];
}

/**
 * A node that is the only way out of a graph with an answer (UAICP 4.1): `addNode('deliver', node, { ends: [again, END] })`.
 *
 * The draft is replaced by what was delivered, or by why nothing was; what is missing is said in a message of its own.
 */
export const deliverNode =
  (source: RunSource, { again, onward = END, ...options }: DeliverNodeOptions) =>
  async ({ messages }: MessagesState, config: LangGraphRunnableConfig): Promise<Command> => {
    const draft = messages.at(-1);
    if (draft === undefined)
      throw new TypeError('expected a state with messages, the last of which is the draft');
    const run = await runOf(source, config.configurable);
    const { conclusion, messages: update } = await gated(run, draft, undefined, options, config.signal);
    const goto = { delivered: onward, ended: END, refused: again, repairing: again }[conclusion.status];
    return new Command({ update: { messages: update }, goto });
  };
