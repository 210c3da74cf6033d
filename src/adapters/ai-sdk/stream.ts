import type { TextStreamPart, ToolSet } from 'ai';
import { overIn } from '../../guard/tool-feedback.ts';
import type { GuardedGeneration, GuardedStop } from './agent.ts';
import { guardedLoop, type Generation } from './loop.ts';
import type { Watch } from './watch.ts';

type Part = TextStreamPart<ToolSet>;

/** What is streamed: parts that no gate has seen (UAICP 4.2), and where the agent stopped, which comes last. */
export type Streamed =
  | { readonly unverified: true; readonly part: Part }
  | { readonly unverified: false; readonly stop: GuardedStop };

/** The parts of a stream, until its generation is refused: such a stream never ends. */
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
    if (!isOver) void Promise.resolve(parts.return?.()).catch(() => {}); // no one waits for a refused one to end
  }
}

const streamed: Generation<Streamed> = async function* streamed({ run, agent, signal }, messages, watch) {
  const { onStart, onStepStart, onStepEnd, orRefused } = watch;
  const callbacks = { onStart, onStepStart, onStepEnd, abortSignal: watch.signal };
  const { stream } = await orRefused(agent.stream({ messages: [...messages], ...callbacks }));
  let isShown = true;
  let failure: { readonly error: unknown } | undefined;
  for await (const part of partsOf(stream, watch)) {
    if (part.type === 'start-step') isShown = true;
    // a hole in what is shown would be another text: what was not taken is not gone on with
    if (part.type === 'text-delta') isShown &&= run.show(part.text);
    if (part.type === 'error') failure ??= part;
    yield { unverified: true, part };
  }
  signal?.throwIfAborted();
  if (failure !== undefined && overIn(await run.progress()) === null) throw failure.error;
};

/**
 * Runs an agent as `generateGuarded` does, and streams what it does meanwhile: every part of it is marked as unverified, and the
 * answer is in the last item alone.
 *
 * Throws what `generateGuarded` throws.
 */
export async function* streamGuarded(given: GuardedGeneration): AsyncGenerator<Streamed, void> {
  const stop = yield* guardedLoop(given, streamed);
  yield { unverified: false, stop };
}
