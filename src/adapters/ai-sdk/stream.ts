import type { TextStreamPart, ToolSet } from 'ai';
import { overIn } from '../../guard/tool-feedback.ts';
import type {
  GuardedGeneration,
  GuardedStop,
  SavedGeneration,
  SavedStop,
  SealedGeneration,
} from './agent.ts';
import { guardedLoop, type Generation } from './loop.ts';
import type { Watch } from './watch.ts';

type Part = TextStreamPart<ToolSet>;

/** A stream item: unverified parts (UAICP 4.2), and last where the agent stopped. */
export type Streamed<Stop extends SavedStop = GuardedStop> =
  { readonly unverified: true; readonly part: Part } | { readonly unverified: false; readonly stop: Stop };

/**
 * Yields the parts of a stream, or throws if its generation is refused. A refused stream never ends by
 * itself.
 */
async function* partsOf(stream: AsyncIterable<Part>, { orRefused }: Watch): AsyncGenerator<Part, void> {
  const parts = stream[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await orRefused(parts.next());
      isOver = next.done === true;
      if (isOver) return;
      yield next.value as Part;
    }
  } finally {
    if (!isOver) void Promise.resolve(parts.return?.()).catch(() => {}); // a refused stream may never return
  }
}

const streamed: Generation<Streamed<never>> = async function* streamed(
  { run, agent, signal },
  messages,
  watch,
) {
  const { onStart, onStepStart, onStepEnd, orRefused } = watch;
  const callbacks = { onStart, onStepStart, onStepEnd, abortSignal: watch.signal };
  const { stream } = await orRefused(agent.stream({ messages: [...messages], ...callbacks }));
  let isShown = true;
  let failure: { readonly error: unknown } | undefined;
  for await (const part of partsOf(stream, watch)) {
    if (part.type === 'start-step') isShown = true;
    // after a rejected part, show nothing more: a gap would change the text
    if (part.type === 'text-delta') isShown &&= run.show(part.text);
    if (part.type === 'error') failure ??= part;
    yield { unverified: true, part };
  }
  signal?.throwIfAborted();
  if (failure !== undefined && overIn(await run.progress()) === null) throw failure.error;
};

/**
 * Runs an agent as `generateGuarded` does, and streams its parts, marked as unverified. Only the last item
 * holds the answer.
 *
 * Throws what `generateGuarded` throws.
 */
export function streamGuarded(given: SavedGeneration): AsyncGenerator<Streamed<SavedStop>, void>;
export function streamGuarded(given: SealedGeneration): AsyncGenerator<Streamed, void>;
export async function* streamGuarded(
  given: GuardedGeneration,
): AsyncGenerator<Streamed<SavedStop | GuardedStop>, void> {
  const stop = yield* guardedLoop(given, streamed);
  yield { unverified: false, stop };
}
