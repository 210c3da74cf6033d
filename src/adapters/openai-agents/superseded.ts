import type { RunState } from '@openai/agents';
import type { Repairing } from '../../guard/outcome.ts';
import type { Progress } from '../../orchestrator/progress.ts';
import type { AnyAgent } from './agents.ts';
import { toldOf } from './result.ts';
import { refOf } from './waiting.ts';

/** Why an attempt that was kept is not gone on with: people, or what failed meanwhile, began another; `null` where none did. */
export const repairSince = (attempt: number, progress: Progress): Repairing | null => {
  const isOver = progress.isSettled || progress.outcome === 'success';
  if (isOver || attempt >= progress.attempt) return null;
  const { unmet, answers } = progress;
  return { status: 'repairing', attempt: progress.attempt, unmet, answers };
};

/** Rejects what waited in an attempt that was given up: proposed again as it was, it would be asked again. */
export const rejectSuperseded = (
  state: RunState<unknown, AnyAgent>,
  repair: Repairing,
  { calls }: Progress,
): void => {
  const standing = new Set(calls.map(({ ref }) => ref));
  for (const item of state.getInterruptions())
    if (!standing.has(refOf(item))) state.reject(item, { message: toldOf(repair) });
};
