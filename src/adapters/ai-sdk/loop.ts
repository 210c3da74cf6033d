import type { ModelMessage } from 'ai';
import { overIn } from '../../guard/tool-feedback.ts';
import type { GuardedGeneration, GuardedStop, SavedStop } from './agent.ts';
import { bindingOf, type Binding } from './binding.ts';
import { toolsError } from './foreign.ts';
import { firstMessages, isUnanswered, withoutEmpty } from './messages.ts';
import { checkKey, sealMessages, unsealMessages } from './seal.ts';
import { saveMessages, savedMessages } from './saved.ts';
import { settle } from './settle.ts';
import { watchGeneration, type Watch } from './watch.ts';

/** A generation of the SDK. It yields stream parts; its watch collects the messages. */
export type Generation<Part> = (
  given: GuardedGeneration,
  messages: readonly ModelMessage[],
  watch: Watch,
) => AsyncGenerator<Part, void>;

/** Throws `definition_invalid` if untyped code passes no run or no agent. */
const checkGiven = ({ run, agent }: Partial<GuardedGeneration>): void => {
  const issues = [
    ...(typeof run?.attend === 'function'
      ? []
      : [{ path: '/run', message: 'is not a run: expected one of `guard.begin`' }]),
    ...(typeof agent?.generate === 'function'
      ? []
      : [{ path: '/agent', message: 'is not an agent: expected a `ToolLoopAgent` of the AI SDK' }]),
  ];
  if (issues.length > 0) throw toolsError(issues);
};

const boundTools = ({ run, agent }: GuardedGeneration): Binding => {
  const binding = bindingOf(agent.tools, run);
  if (binding === undefined)
    throw toolsError([
      {
        path: '/agent/tools',
        message: 'are not those that `bind` returned for this run: spread what it returns',
      },
    ]);
  return binding;
};

const begun = async (given: GuardedGeneration): Promise<readonly ModelMessage[]> => {
  const { run, key, messages, kept } = given;
  if (key === undefined && kept === undefined) return (await savedMessages(run)) ?? firstMessages(messages);
  checkKey(key);
  return kept === undefined ? firstMessages(messages) : unsealMessages(kept, key, run.taskId);
};

const keep = async (stop: SavedStop, { run, key }: GuardedGeneration): Promise<SavedStop | GuardedStop> => {
  if (!('messages' in stop)) return stop;
  const { messages } = stop;
  if (key !== undefined) return { ...stop, kept: await sealMessages({ taskId: run.taskId, messages }, key) };
  await saveMessages(run, messages);
  return stop;
};

async function* loop<Part>(
  given: GuardedGeneration,
  generation: Generation<Part>,
): AsyncGenerator<Part, SavedStop | GuardedStop> {
  const { run } = given;
  const binding = boundTools(given);
  let messages = await begun(given);
  let isBegun = false;
  for (;;) {
    const over = overIn(await run.progress());
    if (over !== null) return over;
    if (isBegun && isUnanswered(messages)) return keep({ status: 'stopped', refusal: null, messages }, given);

    const settled = await settle(given, messages, binding.tools);
    if (settled !== null && 'status' in settled) return keep(settled, given);
    if (settled !== null) messages = [...messages, settled];
    isBegun = settled?.role !== 'tool'; // a tool call may have ended the run
    if (!isBegun) continue;
    const watch = watchGeneration(binding, given.signal);
    yield* generation(given, withoutEmpty(messages), watch);
    messages = [...messages, ...watch.added];
  }
}

/** Alternates settling and generating until the run delivers, pauses or ends. */
export async function* guardedLoop<Part>(
  given: GuardedGeneration,
  generation: Generation<Part>,
): AsyncGenerator<Part, SavedStop | GuardedStop> {
  checkGiven(given);
  const leave = given.run.attend();
  try {
    return yield* loop(given, generation);
  } finally {
    leave();
  }
}
