import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { overIn } from '../../guard/told.ts';
import type { GuardedGeneration, GuardedStop } from './agent.ts';
import { guardedLoop, type Generation } from './loop.ts';

type Part = TextStreamPart<ToolSet>;

/** What is streamed: parts that no gate has seen (UAICP 4.2), and where the agent stopped, which comes last. */
export type Streamed =
  | { readonly unverified: true; readonly part: Part }
  | { readonly unverified: false; readonly stop: GuardedStop };

const streamed: Generation<Streamed> = async function* streamed({ run, agent, signal }, messages) {
  const added: ModelMessage[] = [];
  const { stream } = await agent.stream({
    messages: [...messages],
    onStepEnd: ({ response }) => void added.push(...response.messages),
    ...(signal && { abortSignal: signal }),
  });
  let isShown = true;
  let failure: { readonly error: unknown } | undefined;
  for await (const part of stream) {
    if (part.type === 'start-step') isShown = true;
    // a hole in what is shown would be another text: what was not taken is not gone on with
    if (part.type === 'text-delta') isShown &&= run.show(part.text);
    if (part.type === 'error') failure ??= part;
    yield { unverified: true, part };
  }
  signal?.throwIfAborted();
  if (failure !== undefined && overIn(await run.progress()) === null) throw failure.error;
  return added;
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
