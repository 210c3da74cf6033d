import type { RunnableConfig } from '@langchain/core/runnables';
import { Command, isCommand, type Interrupt } from '@langchain/langgraph';
import { isObject } from '../../boundary/is-object.ts';
import type { Run } from '../../guard/index.ts';
import { checkpointRefused } from './refusal.ts';

/** What a checkpointer has of a thread. */
export interface Checkpoint {
  readonly values?: unknown;
  readonly config?: RunnableConfig;
  readonly tasks: readonly { readonly interrupts: readonly Interrupt[] }[];
}

const pauses = ({ tasks }: Checkpoint): readonly Interrupt[] =>
  tasks
    .flatMap(({ interrupts }) => interrupts)
    .filter(({ value }) => isObject(value) && value['type'] === 'agentcharter.pause');

/** The runs that a checkpoint names: those that its pauses wait for, and the one that its agent is under. */
const runsIn = (checkpoint: Checkpoint): readonly unknown[] => [
  ...pauses(checkpoint).map(({ value }) => (isObject(value) ? value['taskId'] : null)),
  ...(isObject(checkpoint.values) ? [checkpoint.values['_run']] : []).filter((id) => typeof id === 'string'),
];

const begin = 'resume it under its own run, or begin with an input';

/** Refuses to go on from what another run left; throws `input_unreadable`. */
export const checkCheckpoint = (checkpoint: Checkpoint, { taskId }: Run, thread: unknown): void => {
  if (checkpoint.config?.configurable?.['checkpoint_id'] === undefined)
    throw checkpointRefused(
      'there is none of this thread',
      'a thread that has begun; begin it with an input',
    );
  const runs = runsIn(checkpoint);
  if (runs.some((id) => id !== taskId))
    throw checkpointRefused('it is of another run', `one of this run; ${begin}`);
  if (runs.length === 0 && thread !== taskId)
    throw checkpointRefused('nothing in it names this run', `one of this run; ${begin}`);
};

/** Refuses what an agent did under another run, in whatever way it was resumed; throws `input_unreadable`. */
export const checkState = (state: object, { taskId }: Run): void => {
  const run: unknown = '_run' in state ? state._run : undefined;
  if (typeof run === 'string' && run !== taskId)
    throw checkpointRefused('it is of another run', `one of this run; ${begin}`);
};

/** Whether an input goes on from a checkpoint, instead of beginning anew. */
export const isResumption = (input: unknown): boolean =>
  input === undefined || input === null || isCommand(input) || input instanceof Command;

/** Lets each node that we interrupted run again; what others interrupted is theirs to resume. */
export const resumption = (checkpoint: Checkpoint): Command | null => {
  const ours = pauses(checkpoint);
  const resume = Object.fromEntries(ours.map(({ id }) => [String(id), null]));
  return ours.length === 0 ? null : new Command({ resume });
};
