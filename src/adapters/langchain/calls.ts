import type { Run } from '../../guard/index.ts';
import { settledOf } from './pause.ts';
import { unreadableContent } from './readable.ts';
import { toolMessageOf, type ToolMessageContent } from './tool-message.ts';

/** How a call waits for people. */
export interface Waiting {
  /** Waits for people instead of interrupting the graph. */
  readonly waits?: boolean;
}

/** A call of a model. */
interface ModelCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** Proposes a call under its id. Interrupts the graph while it waits for people. */
export const callThrough = async (
  run: Run,
  { id = '', name, args }: ModelCall,
  { waits = false }: Waiting,
  signal: AbortSignal | undefined,
): Promise<ToolMessageContent> => {
  const unread = unreadableContent(args);
  if (unread !== null) return unread;
  const options = {
    waits,
    ...(id === '' ? {} : { ref: id, reusesRef: true }),
    ...(signal === undefined ? {} : { signal }),
  };
  return toolMessageOf(await settledOf(run, () => run.call(name, args, options)));
};
