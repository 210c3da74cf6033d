import { mayGoOn } from '../../../machines/beside.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { isCharterError, type Issue } from '../../base/errors.ts';
import { readProposal } from './adoption.ts';
import type { CallPorts } from './calls.ts';
import type { Task } from './task.ts';

/** What became of calls that an agent proposed while people are asked: they join the run, wait for the answer, or are rejected. */
export type Offered = 'taken' | 'waits' | { readonly issues: readonly Issue[] };

const nothing = { calls: [], digest: '', confidence: 1, canProceed: true };

/**
 * Proposes calls of an agent in its own host while people are asked to approve others. Nothing is recorded of calls that wait.
 *
 * Where their values are from depends on all that was recorded: they are read again if anything was recorded meanwhile.
 */
export const offerCalls = async (task: Task, environment: CallPorts, output: unknown): Promise<Offered> => {
  const { view } = task;
  if (!mayGoOn(view.context, nothing)) return 'waits';
  const isCurrent = (): boolean => task.view === view;
  try {
    const reading = await readProposal(task, environment, 'draft', output);
    if (!isCurrent()) return await offerCalls(task, environment, output);
    if ('issues' in reading) return deepFreeze({ issues: reading.issues });
    const { fact, brought } = reading;
    if (fact.type !== 'calls.proposed' || !mayGoOn(view.context, fact)) return 'waits';
    if (await task.submitFact(fact, { actor: view.agent, brought }, isCurrent)) return 'taken';
    return isCurrent() ? 'waits' : await offerCalls(task, environment, output);
  } catch (error) {
    if (isCharterError(error, 'value_not_json')) return 'waits'; // the turn after the answer reports it
    throw error;
  }
};
