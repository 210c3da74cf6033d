import type { Duty } from '../../../machines/index.ts';
import type { Task } from '../task.ts';
import { call, observe, resolve } from './call.ts';
import { decide, verify } from './clear.ts';
import { accept, offer } from './intake.ts';
import { conclude, correct, propose } from './model.ts';
import { undo } from './undo.ts';
import type { PerformerEnvironment } from './performer.ts';

/** Performs a duty; asking, awaiting, refining and waking are the world's. */
export const perform = (
  task: Task,
  duty: Duty,
  environment: PerformerEnvironment,
  signal: AbortSignal,
): Promise<void> => {
  switch (duty.kind) {
    case 'accept':
      return accept(task, duty, environment, signal);
    case 'propose':
      return propose(task, duty, environment, signal);
    case 'correct':
      return correct(task, duty, environment, signal);
    case 'conclude':
      return conclude(task, duty, environment, signal);
    case 'decide':
      return decide(task, duty, environment, signal);
    case 'call':
      return call(task, duty, environment, signal);
    case 'observe':
      return observe(task, duty, environment, signal);
    case 'verify':
      return verify(task, duty, environment, signal);
    case 'undo':
      return undo(task, duty, environment, signal);
    case 'offer':
      return offer(task, duty, environment, signal);
    case 'ask':
      return resolve(task, duty, environment, signal);
    case 'await':
    case 'refine':
    case 'wake':
      return Promise.resolve();
  }
};
