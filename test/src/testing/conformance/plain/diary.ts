import { randomUUID } from 'node:crypto';
import type {
  EvidenceObject,
  Outcome,
  Phase,
  RollbackAction,
  VerificationReport,
} from '../../../../../schema/index.ts';
import type {
  AuditRecord,
  CallOf,
  Documents,
  Result,
  Scenario,
} from '../../../../../src/testing/conformance/index.ts';
import type { Has } from './flaws.ts';

type Actor = NonNullable<AuditRecord['actor']>;

const orchestrator: Actor = { kind: 'system', id: 'orchestrator' };

interface Entering {
  readonly outcome?: Outcome;
  readonly actor?: Actor;
  readonly isRepair?: boolean;
}

/** What the plain orchestrator writes down of a run, and shows to others. */
export const createDiary = (
  { clock, request: { identity, parent_trace_id } }: Scenario,
  of: CallOf,
  has: Has,
) => {
  const envelopes: unknown[] = [];
  const evidence: unknown[] = [];
  const reports: unknown[] = [];
  const audit: AuditRecord[] = [];
  const chunks: { envelope: unknown; isUnverified: boolean }[] = [];
  let phase: Phase = 'intake';
  let result: Result | null = null;
  const timestamp = (): string => new Date(clock.now()).toISOString();
  const envelope = (state: Phase, outcome: Outcome, more: object = {}): unknown => ({
    uaicp_version: '0.3',
    ...of,
    ...(has('begins another trace') && state === 'verify' && { trace_id: 'f'.repeat(32) }),
    state,
    timestamp: timestamp(),
    ...(!has('forgets the identity') && { identity }),
    outcome,
    ...(parent_trace_id !== null && !has('forgets its parent') && { parent_trace_id }),
    ...more,
  });
  const record = (what: AuditRecord['of'], outcome: Outcome, actor: Actor): void => {
    const isLeftOut =
      has('keeps no audit') ||
      (has('does not record calls') && what.kind === 'call') ||
      (has('does not record the end') && what.kind === 'transition' && what.to === 'fail_safe');
    if (isLeftOut) return;
    audit.push({
      of: what,
      ...of,
      timestamp: timestamp(),
      actor: has('acts in its own name') ? orchestrator : actor,
      ...(!has('records no outcome') && { outcome }),
    });
  };
  return {
    phase: () => phase,
    documents: (): Documents => ({ envelopes, evidence, reports, audit, chunks, result }),
    enter: (
      next: Phase,
      { outcome = 'pending', actor = orchestrator, isRepair = false }: Entering = {},
    ): void => {
      phase = next;
      if (isRepair && has('repairs in silence')) return;
      if (!(next === 'verify' && has('skips a phase'))) envelopes.push(envelope(next, outcome));
      record({ kind: 'transition', to: next }, outcome, actor);
    },
    calling: (tool: string, rollback_action: RollbackAction | null): void => {
      const isPublished = rollback_action !== null && !has('keeps the rollback to itself');
      envelopes.push(envelope(phase, 'pending', isPublished ? { rollback_action } : {}));
      record({ kind: 'call', tool }, 'pending', { kind: 'agent', id: identity.agent_id });
    },
    collected: (object: EvidenceObject): void => {
      const { collected_at: _, ...undated } = object;
      evidence.push(has('forgets when evidence was collected') ? undated : object);
    },
    reported: (
      verifier_id: string,
      status: VerificationReport['status'],
      checks: VerificationReport['checks'],
    ): void => {
      reports.push({
        report_id: randomUUID(),
        request_id: of.request_id,
        verifier_id,
        status: has('reports a pass whatever was found') ? 'pass' : status,
        checks,
        generated_at: timestamp(),
      });
    },
    shown: (is_final: boolean): void => {
      const stream_index = chunks.length + (has('numbers chunks from one') ? 1 : 0);
      const streaming = { chunk_id: `chunk-${chunks.length}`, stream_index, is_final };
      const isUnverified = !is_final && !has('shows drafts as verified');
      chunks.push({ envelope: envelope(phase, 'pending', { streaming }), isUnverified });
    },
    end: (how: Result): void => {
      result = how;
    },
  };
};
