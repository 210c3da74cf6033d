import type { Call, Context, Gate, Report, TaskClassInput } from '../../machines/index.ts';
import { begin } from '../../machines/context.ts';
import { reportKey } from '../../machines/owed.ts';
import { requests } from '../../src/testing/charter/world.ts';

export const sure = (digest: string) => ({ digest, confidence: 0.9, canProceed: true, waived: false });

const common = {
  at: 0,
  digest: '',
  underWay: false,
  cleared: true,
  review: false,
  authority: null,
  approvers: [],
  causes: [],
  evidence: null,
  code: null,
};

/** A read that brought its evidence. */
export const readCall = (changes: Partial<Call> = {}): Call => ({
  ...common,
  tool: 'tool-r',
  tier: 'read_only',
  digest: 'action-r',
  status: 'succeeded',
  rollback: false,
  evidence: { id: 'evidence-r', type: 'tool_result', stale: false },
  ...changes,
});

/** A high-risk write that may start. */
export const writeCall = (changes: Partial<Call> = {}): Call => ({
  ...common,
  at: 1,
  tool: 'tool-w',
  tier: 'write_high_risk',
  digest: 'action-w',
  status: 'allowed',
  rollback: true,
  authority: 'approval',
  approvers: ['kim'],
  ...changes,
});

export const reportsOf = (...reports: readonly Report[]): Context['reports'] =>
  Object.fromEntries(reports.map((report) => [reportKey(report.verifier, report.of), report]));

export const pass = (verifier: string, of: string, changes: Partial<Report> = {}): Report => ({
  verifier,
  of,
  evidence: 1,
  status: 'pass',
  code: null,
  ...changes,
});

const demanding: TaskClassInput = {
  id: 'class',
  beforeWrite: { evidence: [{ type: 'tool_result', tool: 'tool-r' }], verifiers: ['check'] },
  beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: ['facts'] },
};

/** The context of a run that has just begun. */
export const bare = (
  changes: Partial<Context> = {},
  taskClass: Partial<TaskClassInput> = demanding,
): Context => ({
  ...begin({ taskClass: { id: 'class', ...taskClass }, request: requests[0] }),
  ...changes,
});

/** A run that stands before a gate with everything that the gate asks for, but for these changes. */
export const before = (gate: Gate, changes: Partial<Context> = {}): Context => {
  const plan = sure('plan');
  switch (gate) {
    case 'execute':
      return bare({ plan, ...changes });
    case 'write':
      return bare({
        plan,
        calls: { r: readCall(), w: writeCall() },
        collected: 1,
        reports: reportsOf(pass('check', 'action-w')),
        ...changes,
      });
    case 'deliver':
      return bare({
        plan,
        draft: sure('draft'),
        calls: { r: readCall(), w: writeCall({ status: 'succeeded' }) },
        effects: [
          {
            digest: 'action-w',
            tool: 'tool-w',
            rollback: true,
            authority: 'approval',
            status: 'committed',
            evidence: null,
          },
        ],
        collected: 1,
        reports: reportsOf(pass('facts', 'draft')),
        ...changes,
      });
  }
};
