import { digest } from '../canonical/digest.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { checkedEvidence } from '../evidence/checks.ts';
import { callKey } from '../evidence/fault.ts';
import type { Fact } from '../../machines/index.ts';
import type { EvidenceObject, UpFeedback } from '../../schema/index.ts';
import type { Brought } from '../ports/ledger.ts';
import { rfc3339 } from './clock.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from '../ports/open-question.ts';
import type { Task } from './task.ts';

/** A person's feedback as the fact that it states. */
export interface Answer {
  readonly fact: Fact;
  readonly brought: Brought;
}

/** Marks evidence that a person gave, and no tool. */
export const byPersonKey = 'agentcharter:byPerson';

/** A person says that the effect in doubt happened. */
const saysDone = ({ fact }: Answer): boolean =>
  fact.type === 'human.responded' && (fact.feedback === 'approve' || fact.effect === 'done');

const wordOf = (task: Task, { ids, clock }: Environment, call: string, said: UpFeedback, by: string) => {
  const { parentTraceId } = task.view.projection.request;
  const payload = { effect: 'done', said: said.content ?? null } as EvidenceObject['payload'];
  return deepFreeze({
    evidence_id: ids.uuid(),
    evidence_type: 'custom',
    source: task.view.projection.calls[call]?.tool ?? call,
    request_id: task.view.context.request,
    trace_id: task.view.projection.traceId,
    ...(parentTraceId !== undefined && { parent_trace_id: parentTraceId }),
    actor: by,
    hash: digest(payload),
    collected_at: rfc3339(clock.now()),
    payload,
    [callKey]: call,
    [byPersonKey]: true,
  } satisfies EvidenceObject);
};

/**
 * An answer with the evidence that it is: where a person says that an effect in doubt happened, the person is the actor
 * of evidence of type `custom` (UAICP 5.1), and of no tool result.
 */
export const withWord = async (
  task: Task,
  environment: Environment,
  { kind, about }: OpenQuestion,
  answer: Answer,
  by: string,
): Promise<Answer> => {
  const { fact, brought } = answer;
  if (
    kind !== 'doubt' ||
    fact.type !== 'human.responded' ||
    brought.feedback === undefined ||
    !saysDone(answer)
  )
    return answer;
  const evidence = wordOf(task, environment, about, brought.feedback, by);
  const said = await checkedEvidence(task.taskClass.checks, evidence, task.view.projection.request.payload);
  return {
    fact: { ...fact, evidence: { id: evidence.evidence_id, type: 'custom', ...said } },
    brought: { ...brought, evidence },
  };
};
