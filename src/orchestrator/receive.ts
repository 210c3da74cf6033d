import type { Fact } from '../../machines/index.ts';
import type { UpFormatMessage } from '../../schema/index.ts';
import type { Brought } from '../ports/ledger.ts';
import type { Environment } from './environment.ts';
import type { Task } from './task.ts';

/** What another agent's message states about the call that waits for it; `null` where it changes nothing. */
export interface Heard {
  readonly fact: Fact | null;
  readonly brought: Brought;
}

/** The dependency of a task that an agent speaks for. */
export const dependencyOf = (
  task: Task,
  agentId: string,
): { dependency: string; call: string } | undefined => {
  const found = Object.entries(task.snapshot.context.dependencies).find(
    ([dependency]) => task.dossier.agents[dependency] === agentId,
  );
  return found && { dependency: found[0], call: found[1] };
};

/** A known agent's message as a fact: its state is read, its prose is not (UpFormat 2.1). What it delivers is untrusted. */
export const readMessage = (
  task: Task,
  { ids }: Environment,
  { dependency, call }: { readonly dependency: string; readonly call: string },
  message: UpFormatMessage,
): Heard => {
  const { request, attempt } = task.snapshot.context;
  const of = { request, attempt, call };
  const { explanation, payload } = message;
  const agent = message.agentId ?? '';
  switch (message.state) {
    case 'needsHumanDecision':
      return {
        fact: { type: 'question.raised', ...of, question: ids.uuid() },
        brought: { explanation, payload, agent },
      };
    case 'completed':
    case 'followup':
      return { fact: { type: 'dependency.met', dependency }, brought: { met: payload, explanation, agent } };
    case 'failed':
    case 'cancelled':
      return { fact: { type: 'call.failed', ...of, code: 'CHILD_FAILED' }, brought: { explanation, agent } };
    case 'submitted':
    case 'waiting':
      return { fact: null, brought: { explanation, agent } };
  }
};
