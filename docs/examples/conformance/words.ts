import type { Fact, TraceStep } from 'agentcharter/testing';

const approvalIn = ({ approval }: Extract<Fact, { type: 'approval.presented' }>, at: string): string => {
  const { approver, decision, action, isForged, expiresAt } = approval;
  const flaws = [isForged ? 'forged' : '', expiresAt <= Date.parse(at) ? 'expired' : ''].filter(Boolean);
  const what = `${approver}: ${decision} ${action.tool} ${JSON.stringify(action.arguments)}`;
  return [what, ...flaws].join(', ');
};

const factIn = (fact: Fact, at: string): string => {
  switch (fact.type) {
    case 'approval.presented':
      return approvalIn(fact, at);
    case 'approval.refused':
      return `${fact.by}: refuse ${fact.action.tool}`;
    case 'run.cancelled':
      return `${fact.by}: cancel`;
    case 'evidence.arrived':
      return 'evidence arrives';
    case 'time.passed':
      return `${fact.milliseconds / 60_000} minutes pass`;
  }
};

const wordsOf = (step: TraceStep): string | null => {
  switch (step.kind) {
    case 'planned':
      return `plan ${step.attempt + 1}`;
    case 'drafted':
      return `draft ${step.attempt + 1}`;
    case 'called':
      return `call ${step.tool} ${JSON.stringify(step.arguments)}`;
    case 'failed':
      return `${step.tool} fails`;
    case 'undone':
      return `undo ${step.tool}`;
    case 'verified': {
      if (typeof step.reported === 'string') return `${step.verifier}: ${step.reported}`;
      const checks = step.reported.checks.map(({ check_id, result }) => `${check_id} ${result}`);
      return `${step.verifier}: ${step.reported.status} (${checks.join(', ')})`;
    }
    case 'decided':
      return `policy: ${step.verdict} ${step.tool}`;
    case 'stated':
      return `${factIn(step.fact, step.at)} (${step.answer})`;
    case 'released':
      return 'what was held goes on';
    case 'rested':
      return `rests in ${step.phase}`;
    case 'admitted':
      return `version ${step.version}: ${step.isLetIn ? 'let in' : 'not let in'}`;
    case 'threw':
      return `threw ${step.error}`;
    case 'answered':
    case 'emitted':
      return null; // the next step tells enough
  }
};

/** Returns an event of a scenario as one line; empty for documents and answers. */
export const lineOf = (trace: readonly TraceStep[]): string =>
  trace.flatMap((step) => wordsOf(step) ?? []).join(' > ');
