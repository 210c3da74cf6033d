import type { Context, Occasion } from '../../../machines/index.ts';
import type { MessageEnvelope, UpContext } from '../../../schema/index.ts';
import { digest } from '../../base/canonical/digest.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { ApprovalDocument, LedgerEntry } from '../../base/ports/ledger.ts';
import type { Deadline } from '../../base/ports/store.ts';
import type { Projection } from './projection/projection.ts';

/** A recorded step, with the data for its documents. */
export interface RecordedStep {
  readonly before: Context | null;
  readonly after: Context;
  readonly record: LedgerEntry;
  readonly projection: Projection;
  readonly taskClass: Pick<DefinedTaskClass, 'defaults'>;
  /** Returns the context of the arguments that a tool's schema returns. */
  readonly argumentsContext: (tool: string) => UpContext | undefined;
  /** The deadlines that run after the step. */
  readonly deadlines: readonly Deadline[];
  readonly uuid: () => string;
  readonly policyVersion: string | null;
}

/** The version of UAICP that envelopes name. */
export const uaicpVersion = '0.3';

/** The metadata key of an envelope for the actor of its step; `identity` is that of the run. */
const actorKey = 'agentcharter:actor';

const envelope = (
  { record, projection }: RecordedStep,
  given: Pick<MessageEnvelope, 'state' | 'outcome'> & Partial<Pick<MessageEnvelope, 'rollback_action'>>,
  metadata: Record<string, unknown>,
): Emission => {
  const { parentTraceId, identity } = projection.request;
  const { state, outcome, ...rollback } = given;
  const { kind, id } = record.actor;
  const document: MessageEnvelope = {
    uaicp_version: uaicpVersion,
    request_id: record.request_id,
    trace_id: record.trace_id,
    ...(parentTraceId !== undefined && { parent_trace_id: parentTraceId }),
    state,
    timestamp: record.timestamp,
    identity,
    outcome,
    ...rollback,
    metadata: { 'agentcharter:taskId': record.taskId, [actorKey]: { kind, id }, ...metadata },
  };
  return { name: 'MessageEnvelope', document };
};

/** Returns the log entry of a repair: its number, limit and cause (UAICP 4.1). */
const repairIn = ({ before, after }: RecordedStep): Record<string, unknown> => {
  const { counters, taskClass, unmet } = after;
  if (before === null || counters.repairs <= before.counters.repairs) return {};
  const cause = unmet.map((violation) => ({ ...violation }));
  return { 'agentcharter:repair': { number: counters.repairs, limit: taskClass.limits.repairs, cause } };
};

/** Returns the envelope of a phase that the step entered. */
export const phaseEnvelope = (
  recorded: RecordedStep,
  occasion: Extract<Occasion, { kind: 'envelope' }>,
): Emission =>
  envelope(
    recorded,
    { state: occasion.phase, outcome: occasion.outcome },
    {
      'agentcharter:attempt': recorded.after.attempt,
      ...repairIn(recorded),
      ...(occasion.reasonCodes.length > 0 && {
        'agentcharter:reasonCodes': occasion.reasonCodes,
        'agentcharter:missingEvidence': occasion.missingEvidence,
      }),
    },
  );

/**
 * Returns the envelope of a call, emitted with the intent, so that the rollback is recorded before the effect (UAICP
 * 5.3).
 */
export const callEnvelope = (recorded: RecordedStep, id: string): Emission => {
  const call = recorded.projection.calls[id];
  return envelope(
    recorded,
    { state: 'execute', outcome: 'pending', ...(call?.rollback && { rollback_action: call.rollback }) },
    {
      'agentcharter:attempt': recorded.after.attempt,
      'agentcharter:call': { id, tool: call?.tool, version: call?.version, digest: call?.digest },
    },
  );
};

/** Returns an accepted approval as evidence for UAICP 5.3 only, never as a tool's result. */
export const approvalEvidence = (
  { record, uuid, projection: { request } }: RecordedStep,
  approval: ApprovalDocument,
): Emission => ({
  name: 'EvidenceObject',
  document: {
    evidence_id: uuid(),
    evidence_type: 'approval_token',
    source: approval.approver,
    actor: approval.approver,
    request_id: record.request_id,
    trace_id: record.trace_id,
    ...(request.parentTraceId !== undefined && { parent_trace_id: request.parentTraceId }),
    hash: digest(approval, 'approval'),
    collected_at: record.timestamp,
    payload: { ...approval },
  },
});
