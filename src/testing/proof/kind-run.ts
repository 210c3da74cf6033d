import type { Context, Fact, taskMachine } from '../../../machines/index.ts';
import type { Edge, Graph } from '../graph.ts';

/** Returns whether a fact is what everyone hopes for: nothing fails, is late, refused or taken back. */
const isKind = (fact: Fact): boolean => {
  switch (fact.type) {
    case 'call.cleared':
    case 'call.started':
    case 'call.succeeded':
    case 'approval.granted':
    case 'dependency.met':
    case 'request.accepted':
      return true;
    case 'plan.proposed':
    case 'draft.proposed':
      return fact.canProceed;
    case 'policy.decided':
      return fact.verdict === 'allow';
    case 'verifier.reported':
      return fact.status === 'pass';
    case 'human.responded':
      return fact.feedback === 'approve';
    case 'call.doubted':
    case 'call.failed':
    case 'call.refused':
    case 'calls.proposed':
    case 'capability.exceeded':
    case 'changes.requested':
    case 'deadline.passed':
    case 'dependency.awaited':
    case 'evidence.changed':
    case 'followup.offered':
    case 'help.requested':
    case 'information.requested':
    case 'output.changed':
    case 'output.rejected':
    case 'question.raised':
    case 'recovery.started':
    case 'request.refused':
    case 'rollback.failed':
    case 'rollback.started':
    case 'rollback.succeeded':
    case 'run.failed':
    case 'task.cancelled':
    case 'taskClass.changed':
      return false;
  }
};

/**
 * Returns the facts of a shortest run in which nothing goes wrong and which stops in such a state; `null` if there is none.
 */
export const kindRunTo = (
  graph: Graph<typeof taskMachine>,
  isWanted: (c: Context) => boolean,
): readonly Fact[] | null => {
  const reachedBy = new Map<number, Edge<Fact> | null>([[0, null]]);
  for (const state of reachedBy.keys()) {
    const onward = graph.leaving(state).filter(({ event }) => isKind(event));
    if (onward.length === 0 && isWanted(graph.at(state).context)) {
      const facts: Fact[] = [];
      for (let edge = reachedBy.get(state); edge; edge = reachedBy.get(edge.from)) facts.push(edge.event);
      return facts.toReversed();
    }
    for (const edge of onward) if (!reachedBy.has(edge.to)) reachedBy.set(edge.to, edge);
  }
  return null;
};
