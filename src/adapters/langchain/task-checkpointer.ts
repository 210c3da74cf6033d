import type { RunnableConfig } from '@langchain/core/runnables';
import { INTERRUPT, MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph';
import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { saveState } from '../../guard/save-state.ts';
import { runOf, type RunSource } from './source.ts';

const Tuple = z.tuple([z.string(), z.string(), z.string().nullable()]);
const Write = z.tuple([z.string(), z.string(), z.string(), z.string()]);

/** The last checkpoint of each namespace of a thread, and the writes that wait in it. */
const Saved = z.strictObject({
  checkpoints: z.record(z.string(), z.strictObject({ id: z.string(), tuple: Tuple })),
  writes: z.record(z.string(), z.record(z.string(), Write)),
});

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const threadOf = ({ configurable = {} }: RunnableConfig): string | undefined => {
  const { thread_id: thread } = configurable as { readonly thread_id?: unknown };
  return typeof thread === 'string' ? thread : undefined;
};

class TaskCheckpointer extends MemorySaver {
  readonly #runs: RunSource;
  readonly #loaded = new Map<string, Promise<void>>();

  constructor(runs: RunSource) {
    super();
    this.#runs = runs;
  }

  override async getTuple(config: RunnableConfig): ReturnType<MemorySaver['getTuple']> {
    const thread = threadOf(config);
    if (thread !== undefined) await this.#load(thread, config);
    return super.getTuple(config);
  }

  override async putWrites(...given: Parameters<MemorySaver['putWrites']>): Promise<void> {
    await super.putWrites(...given);
    const [config, writes] = given;
    if (writes.some(([channel]) => channel === INTERRUPT)) await this.#save(threadOf(config) ?? '', config);
  }

  /** Loads what was saved with the task of a thread, once. */
  #load(thread: string, { configurable }: RunnableConfig): Promise<void> {
    const loaded = this.#loaded.get(thread) ?? this.#read(thread, configurable);
    this.#loaded.set(thread, loaded);
    loaded.catch(() => this.#loaded.delete(thread)); // the next read tries again
    return loaded;
  }

  async #read(thread: string, configurable: RunnableConfig['configurable']): Promise<void> {
    const run = await runOf(this.#runs, configurable);
    const state = await run.savedState();
    if (state === null || this.storage[thread] !== undefined) return;
    const { checkpoints, writes } = parseDocument('the saved state of the graph', Saved, state);
    this.storage[thread] = Object.fromEntries(
      Object.entries(checkpoints).map(
        ([
          namespace,
          {
            id,
            tuple: [checkpoint, metadata, parent],
          },
        ]) => [namespace, { [id]: [bytesOf(checkpoint), bytesOf(metadata), parent ?? undefined] }],
      ),
    );
    for (const [key, waiting] of Object.entries(writes))
      this.writes[key] = Object.fromEntries(
        Object.entries(waiting).map(([name, [task, channel, value, path]]) => [
          name,
          [task, channel, bytesOf(value), path],
        ]),
      );
  }

  async #save(thread: string, { configurable }: RunnableConfig): Promise<void> {
    const run = await runOf(this.#runs, configurable);
    const latest = Object.entries(this.storage[thread] ?? {}).flatMap(([namespace, checkpoints]) => {
      const id = Object.keys(checkpoints).toSorted().at(-1);
      const tuple = id === undefined ? undefined : checkpoints[id];
      return id === undefined || tuple === undefined ? [] : [{ namespace, id, tuple }];
    });
    const keys = new Set(latest.map(({ namespace, id }) => JSON.stringify([thread, namespace, id])));
    const state = {
      checkpoints: Object.fromEntries(
        latest.map(({ namespace, id, tuple: [checkpoint, metadata, parent] }) => [
          namespace,
          { id, tuple: [textOf(checkpoint), textOf(metadata), parent ?? null] },
        ]),
      ),
      writes: Object.fromEntries(
        Object.entries(this.writes)
          .filter(([key]) => keys.has(key))
          .map(([key, waiting]) => [
            key,
            Object.fromEntries(
              Object.entries(waiting).map(([name, [task, channel, value, path = '']]) => [
                name,
                [task, channel, textOf(value), path],
              ]),
            ),
          ]),
      ),
    };
    await saveState(run, state, 'use a checkpointer of LangGraph');
  }
}

/**
 * Creates a checkpointer that saves where a graph waits with its task, so that `runGraph` continues there, also in
 * another process. It keeps the last checkpoint of a thread; for their history, use a checkpointer of LangGraph.
 */
export const taskCheckpointer = (runs: RunSource): BaseCheckpointSaver => new TaskCheckpointer(runs);
