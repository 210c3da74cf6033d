import type { BaseCheckpointSaver } from '@langchain/langgraph';
import type { Connected } from '../engines/served.ts';
import { engineOn } from './langgraph.ts';

// The checkpointer is installed in this folder only. So it is loaded by name, and this is the part of its types that the
// bench uses.

interface PostgresSaver extends BaseCheckpointSaver {
  readonly setup: () => Promise<void>;
  readonly end: () => Promise<void>;
}

interface Checkpointer {
  readonly PostgresSaver: { readonly fromConnString: (url: string) => PostgresSaver };
}

const peer = '@langchain/langgraph-checkpoint-postgres';

/** LangGraph on its checkpointer for PostgreSQL, which writes each checkpoint before the next step begins. */
export const connectLangGraph = async (url: string): Promise<Connected> => {
  const { PostgresSaver } = (await import(peer)) as Checkpointer;
  const saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  return { engine: engineOn(saver, { durability: 'sync' }), close: () => saver.end() };
};
