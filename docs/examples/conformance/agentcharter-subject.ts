import { setImmediate as nextTurn } from 'node:timers/promises';
import { isCharterError, type Emission, type Orchestrator } from 'agentcharter';
import type { LedgerRecord } from 'agentcharter/ledger';
import type { MessageEnvelope } from 'agentcharter/schema';
import { createStreamReader } from 'agentcharter/streaming';
import type { AuditRecord, Documents, Fact, Run, Scenario, Subject } from 'agentcharter/testing';
import { z } from 'zod';
import { createSigners, orchestratorOf, sign } from './agentcharter.ts';

const isEnvelope = (emission: Emission): emission is Extract<Emission, { name: 'MessageEnvelope' }> =>
  emission.name === 'MessageEnvelope';

/** A ledger as UAICP 5.4 requires it: each record represents the phases and the call that it emitted. */
const auditOf = (
  records: readonly LedgerRecord[],
  emissions: readonly Emission[],
): readonly AuditRecord[] => {
  let next = 0;
  return records.flatMap(({ emitted, request_id, trace_id, timestamp, actor, outcome }) => {
    const told = emissions.slice(next, (next += emitted.length)).filter(isEnvelope);
    return told.map(({ document: { state, metadata } }): AuditRecord => {
      const call = z.object({ tool: z.string() }).safeParse(metadata?.['agentcharter:call']);
      const of: AuditRecord['of'] = call.success
        ? { kind: 'call', tool: call.data.tool }
        : { kind: 'transition', to: state };
      return { of, request_id, trace_id, timestamp, actor, outcome };
    });
  });
};

const isSettled = async (orchestrator: Orchestrator, taskId: string): Promise<boolean> =>
  (await orchestrator.list()).some((task) => task.taskId === taskId && task.isSettled);

/** The errors that refuse a fact. Any other error is a fault. */
const refusals = ['feedback_refused', 'identity_refused', 'fact_refused'] as const;

/** Turns of the event loop after which a settled or asking task has emitted everything. */
const restingTurns = 5;

const rest = async (orchestrator: Orchestrator, taskId: string): Promise<void> => {
  for (let still = 0; still < restingTurns;) {
    const isResting = (await isSettled(orchestrator, taskId)) || (await orchestrator.inbox()).length > 0;
    still = isResting ? still + 1 : 0;
    await nextTurn();
  }
};

const resultOf = async (orchestrator: Orchestrator, taskId: string): Promise<Documents['result']> => {
  if (!(await isSettled(orchestrator, taskId))) return null;
  const { outcome, reasons, message } = await orchestrator.settled(taskId);
  const payload = message.state === 'completed' ? message.payload : null;
  return { outcome, reasonCodes: reasons.map(({ code }) => code), payload };
};

const documentsOf = async (
  orchestrator: Orchestrator,
  taskId: string,
  chunks: readonly MessageEnvelope[],
): Promise<Documents> => {
  const emissions = await orchestrator.documents(taskId);
  const of = (name: Emission['name']) =>
    emissions.flatMap((emission) => (emission.name === name ? [emission.document] : []));
  return {
    envelopes: of('MessageEnvelope'),
    evidence: of('EvidenceObject'),
    reports: of('VerificationReport'),
    audit: auditOf(await orchestrator.ledger(taskId), emissions),
    chunks: chunks.map((envelope) => ({
      envelope,
      isUnverified: envelope.metadata?.['agentcharter:unverified'] === true,
    })),
    result: await resultOf(orchestrator, taskId),
  };
};

const start = async (scenario: Scenario): Promise<Run> => {
  const signers = createSigners();
  const orchestrator = orchestratorOf(scenario, signers);
  const chunks: MessageEnvelope[] = [];
  orchestrator.on('chunk', ({ envelope }) => chunks.push(envelope));
  orchestrator.on('error', () => {}); // the scenarios make tools and policies fail
  const { parent_trace_id: parent, ...request } = scenario.request;
  const nested = parent === null ? {} : { parentTraceId: parent };
  const { taskId } = await orchestrator.submit({ taskClass: 'work', ...request, ...nested });

  const tell = async (fact: Fact): Promise<'taken' | 'refused'> => {
    const [entry] = await orchestrator.inbox();
    const target = entry?.message.messageId ?? '';
    switch (fact.type) {
      case 'approval.presented': {
        if (entry === undefined) return 'refused';
        const approval = await sign(entry, fact.approval, scenario, signers);
        await orchestrator.respond({ type: 'approve', target }, { by: fact.approval.approver, approval });
        return 'taken';
      }
      case 'approval.refused':
        if (entry === undefined) return 'refused';
        await orchestrator.respond({ type: 'reject', target }, { by: fact.by });
        return 'taken';
      case 'run.cancelled':
        await orchestrator.cancel(taskId, { by: fact.by });
        return 'taken';
      case 'evidence.arrived':
        return 'refused'; // evidence can only come from a call
      case 'time.passed':
        return 'taken';
    }
  };
  const state = async (fact: Fact): Promise<'taken' | 'refused'> => {
    try {
      return await tell(fact);
    } catch (error) {
      if (refusals.some((code) => isCharterError(error, code))) return 'refused';
      throw error;
    }
  };

  return {
    state,
    quiet: () => rest(orchestrator, taskId),
    phase: async () =>
      (await orchestrator.documents(taskId)).findLast(isEnvelope)?.document.state ?? 'intake',
    documents: () => documentsOf(orchestrator, taskId, chunks),
    close: orchestrator.close,
  };
};

/** AgentCharter's own orchestrator, as the conformance kit drives it. */
export const agentcharterSubject: Subject = {
  name: 'AgentCharter',
  lacks: [],
  start,
  admits: (envelope) => createStreamReader('first').read(envelope),
};
