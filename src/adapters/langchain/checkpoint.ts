import type { RunnableConfig } from '@langchain/core/runnables';
import { Command, isCommand, type Interrupt } from '@langchain/langgraph';
import { isObject } from '../../base/boundary/is-object.ts';
import type { Run } from '../../guard/index.ts';
import { checkpointRefused } from './refusal.ts';

/** The checkpoint of a thread. */
export interface Checkpoint {
  readonly values?: unknown;
  readonly config?: RunnableConfig;
  readonly tasks: readonly { readonly interrupts: readonly Interrupt[] }[];
}

const pauses = ({ tasks }: Checkpoint): readonly Interrupt[] =>
  tasks
    .flatMap(({ interrupts }) => interrupts)
    .filter(({ value }) => isObject(value) && value['type'] === 'agentcharter.pause');

/** Returns the task ids in a checkpoint: of its interrupts, and of its agent. */
const runsIn = (checkpoint: Checkpoint): readonly unknown[] => [
  ...pauses(checkpoint).map(({ value }) => (isObject(value) ? value['taskId'] : null)),
  ...(isObject(checkpoint.values) ? [checkpoint.values['_run']] : []).filter((id) => typeof id === 'string'),
];

const begin = 'resume it under its own run, or begin with an input';

/** Throws `input_unreadable` for the checkpoint of another run. */
export const checkCheckpoint = (checkpoint: Checkpoint, { taskId }: Run, thread: unknown): void => {
  if (checkpoint.config?.configurable?.['checkpoint_id'] === undefined)
    throw checkpointRefused(
      'there is none for this thread',
      'a thread that has begun; begin it with an input',
    );
  const runs = runsIn(checkpoint);
  if (runs.some((id) => id !== taskId))
    throw checkpointRefused('it is of another run', `one of this run; ${begin}`);
  if (runs.length === 0 && thread !== taskId)
    throw checkpointRefused('nothing in it names this run', `one of this run; ${begin}`);
};

/** Throws `input_unreadable` for agent state of another run, however it was resumed. */
export const checkState = (state: object, { taskId }: Run): void => {
  const run: unknown = '_run' in state ? state._run : undefined;
  if (typeof run === 'string' && run !== taskId)
    throw checkpointRefused('it is of another run', `one of this run; ${begin}`);
};

/** Returns whether an input continues from a checkpoint. */
export const isResumption = (input: unknown): boolean =>
  input === undefined || input === null || isCommand(input) || input instanceof Command;

/** Returns a command that resumes our interrupts. Other interrupts are yours to resume. */
export const resumption = (checkpoint: Checkpoint): Command | null => {
  const ours = pauses(checkpoint);
  const resume = Object.fromEntries(ours.map(({ id }) => [String(id), null]));
  return ours.length === 0 ? null : new Command({ resume });
};
