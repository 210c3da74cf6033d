import type { ModelMessage } from 'ai';
import { overIn } from '../../guard/told.ts';
import type { GuardedGeneration, GuardedStop } from './agent.ts';
import { isBound } from './bind.ts';
import { refuseTools } from './foreign.ts';
import { isUnanswered, keptMessages } from './messages.ts';
import { settle } from './settle.ts';

/** One generation of the SDK: yields what it streams, and returns the messages that came to those it was given. */
export type Generation<Part> = (
  given: GuardedGeneration,
  messages: readonly ModelMessage[],
) => AsyncGenerator<Part, readonly ModelMessage[]>;

/** Settles what waits and generates in turn, until the run delivers, pauses or ends. */
export async function* guardedLoop<Part>(
  given: GuardedGeneration,
  generation: Generation<Part>,
): AsyncGenerator<Part, GuardedStop> {
  const { run, agent } = given;
  const isOurs = isBound(agent.tools, run);
  if (!isOurs) refuseTools([{ path: '/agent/tools', message: 'are not bound to this run: expected `bind`' }]);
  let messages = keptMessages(given.messages);
  let isBegun = false;
  for (;;) {
    const over = overIn(await run.progress());
    if (over !== null) return over;
    if (isBegun && isUnanswered(messages)) return { status: 'stopped', refusal: null, messages };

    const settled = await settle(given, messages);
    if (settled !== null && 'status' in settled) return settled;
    if (settled !== null) messages = [...messages, settled];
    isBegun = settled?.role !== 'tool'; // the run may be over by what was called
    if (isBegun) messages = [...messages, ...(yield* generation(given, messages))];
  }
}
