import type { BaseMessage } from '@langchain/core/messages';
import { Command, END, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { concludeWith, type DraftOptions } from './draft.ts';
import { runOf, type RunSource } from './source.ts';

/** Options of the deliver node. */
export interface DeliverNodeOptions extends DraftOptions {
  /** The node that rewrites the answer after a rejection. */
  readonly again: string;
  /** The node after a delivered answer. By default, the end of the graph. */
  readonly onward?: string;
}

/** A state with messages; the last one is the draft. */
interface MessagesState {
  readonly messages: readonly BaseMessage[];
}

/**
 * Creates the node that delivers the answer of a graph (UAICP 4.1): `addNode('deliver', node, { ends: [again,
 * END] })`.
 *
 * The delivered answer, or the reason of its failure, replaces the draft. The issues of a rejected draft are
 * added as a message.
 */
export const deliverNode =
  (source: RunSource, { again, onward = END, ...options }: DeliverNodeOptions) =>
  async ({ messages }: MessagesState, config: LangGraphRunnableConfig): Promise<Command> => {
    const draft = messages.at(-1);
    if (draft === undefined)
      throw new TypeError('expected a state with messages, the last of which is the draft');
    const run = await runOf(source, config.configurable);
    const { conclusion, messages: update } = await concludeWith(
      run,
      draft,
      undefined,
      options,
      config.signal,
    );
    const goto = { delivered: onward, ended: END, refused: again, repairing: again }[conclusion.status];
    return new Command({ update: { messages: update }, goto });
  };
