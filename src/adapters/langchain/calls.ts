import type { Run } from '../../guard/index.ts';
import { settledOf } from './pause.ts';
import { unreadSaid } from './readable.ts';
import { toolMessageOf, type ToolMessageContent } from './tool-message.ts';

/** How a call of a model waits. */
export interface Waiting {
  /** Waits for people in place, instead of interrupting the graph. */
  readonly waits?: boolean;
}

/** A call as a model makes it. */
interface ModelCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** Makes a call through the chart, under its id; the graph is interrupted while people are waited for. */
export const madeUnder = async (
  run: Run,
  { id = '', name, args }: ModelCall,
  { waits = false }: Waiting,
  signal: AbortSignal | undefined,
): Promise<ToolMessageContent> => {
  const unread = unreadSaid(args);
  if (unread !== null) return unread;
  const options = {
    waits,
    ...(id === '' ? {} : { ref: id }),
    ...(signal === undefined ? {} : { signal }),
  };
  return toolMessageOf(await settledOf(run, () => run.call(name, args, options)));
};
