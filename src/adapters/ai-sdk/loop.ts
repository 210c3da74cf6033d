import type { ModelMessage } from 'ai';
import { overIn } from '../../guard/told.ts';
import type { GuardedGeneration, GuardedStop } from './agent.ts';
import { isBound } from './bind.ts';
import { refuseTools } from './foreign.ts';
import { firstMessages, isUnanswered } from './messages.ts';
import { checkKey, sealMessages, unsealMessages } from './seal.ts';
import { settle, type Standstill } from './settle.ts';

/** One generation of the SDK: yields what it streams, and returns the messages that came to those it was given. */
export type Generation<Part> = (
  given: GuardedGeneration,
  messages: readonly ModelMessage[],
) => AsyncGenerator<Part, readonly ModelMessage[]>;

const begun = async ({ run, key, messages, kept }: GuardedGeneration): Promise<readonly ModelMessage[]> => {
  checkKey(key);
  return kept === undefined ? firstMessages(messages) : unsealMessages(kept, key, run.taskId);
};

const keep = async (stop: Standstill, { run: { taskId }, key }: GuardedGeneration): Promise<GuardedStop> =>
  'messages' in stop ? { ...stop, kept: await sealMessages({ taskId, messages: stop.messages }, key) } : stop;

/** Settles what waits and generates in turn, until the run delivers, pauses or ends. */
export async function* guardedLoop<Part>(
  given: GuardedGeneration,
  generation: Generation<Part>,
): AsyncGenerator<Part, GuardedStop> {
  const { run, agent } = given;
  const isOurs = isBound(agent.tools, run);
  if (!isOurs) refuseTools([{ path: '/agent/tools', message: 'are not bound to this run: expected `bind`' }]);
  let messages = await begun(given);
  let isBegun = false;
  for (;;) {
    const over = overIn(await run.progress());
    if (over !== null) return over;
    if (isBegun && isUnanswered(messages)) return keep({ status: 'stopped', refusal: null, messages }, given);

    const settled = await settle(given, messages, agent.tools);
    if (settled !== null && 'status' in settled) return keep(settled, given);
    if (settled !== null) messages = [...messages, settled];
    isBegun = settled?.role !== 'tool'; // the run may be over by what was called
    if (isBegun) messages = [...messages, ...(yield* generation(given, messages))];
  }
}
