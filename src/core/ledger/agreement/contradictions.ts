import type { Fact } from '../../../../machines/index.ts';
import type { Emission } from '../../../base/ports/emission.ts';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import { parseTraceparent } from '../../../base/trace/traceparent.ts';
import { outcomeIn } from '../../kernel/entry.ts';
import type { Erasures } from '../erasures.ts';
import type { Finding } from '../findings.ts';
import { compareAnswer } from './answers.ts';
import { compareApproval } from './approvals.ts';
import { comparisonOf, memberOf, type Compare } from './comparison.ts';
import { knownBefore, learn, type Known } from './known.ts';
import { compareProposals } from './proposals.ts';
import { compareEvidence, compareRecovery, compareReport } from './work.ts';

/** The facts of the agent that runs the task. */
const ofAgent: ReadonlySet<string> = new Set<Fact['type']>([
  'plan.proposed',
  'calls.proposed',
  'draft.proposed',
  'call.started',
]);

/** Compares the members of a record that its fact, or a record before it, says too. */
const compareRecord = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { kind, fact, actor, request_id, trace_id, outcome } = record;
  compare('record', '/outcome', outcome, outcomeIn(kind, fact, outcome), 'its fact');
  compare('record', '/trace_id', trace_id, known.opening.trace_id, 'the first record');
  const isNew = kind === 'fact' && fact?.type === 'changes.requested';
  compare('record', '/request_id', request_id, isNew ? fact.request : known.request, 'the record before');
  if (kind === 'fact' && fact !== null && 'request' in fact)
    compare('record', '/request_id', request_id, fact.request, 'its fact');
  const agent = memberOf(known.opening.brought.request?.identity, 'agent_id');
  if (fact !== null && ofAgent.has(fact.type)) compare('record', '/actor/id', actor.id, agent, 'the request');
};

/** Compares the documents that a task begins with. */
const compareOpening = ({ trace_id, brought }: LedgerRecord, compare: Compare): void => {
  const { request, contract } = brought;
  if (request === undefined) return;
  compare('request', '/taskClass', request.taskClass, contract?.id, 'its contract');
  const { traceparent } = request;
  const trace = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null;
  if (trace !== null) compare('request', '/traceparent', trace.traceId, trace_id, 'its record');
};

/** Compares what came of other participants, and of the task class. */
const compareOthers = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { fact, actor, emitted, documents } = record;
  const { message, agent, end } = record.brought;
  const { request, contract } = known.opening.brought;
  if (documents.message !== undefined && !emitted.includes(documents.message))
    compare('record', '/emitted', null, documents.message, 'its message');
  if (message !== undefined) {
    compare('message', '/agentId', message.agentId, actor.id, 'its actor');
    compare('message', '/threadId', message.threadId, request?.threadId, 'the request');
  }
  if (agent !== undefined && actor.kind === 'agent') compare('agent', '', agent, actor.id, 'its actor');
  if (fact?.type === 'taskClass.changed')
    compare('record', '/fact/taskClass/id', fact.taskClass.id, contract?.id, 'the contract');
  for (const [place, { digest, tool }] of (end?.writes ?? []).entries())
    compare('end', `/writes/${place}/tool`, tool, known.calls.get(digest)?.tool, 'its call');
};

/** Compares the approvals that a write uses up with the actions that used them up before. */
const compareConsumed = ({ kind, fact }: LedgerRecord, known: Known, compare: Compare): void => {
  if (kind !== 'fact' || fact?.type !== 'call.started') return;
  for (const jti of known.granted.get(fact.digest) ?? [])
    compare('record', '/fact/digest', fact.digest, known.consumed.get(jti), `approval ${jti} was used for`);
};

/**
 * Finds places of sound records that say the same thing and differ. `since` is the number of the first one of this
 * version of the chart. Erased documents are not compared.
 */
export const contradictionsIn = (
  records: readonly LedgerRecord[],
  since: number,
  erasures: Erasures,
  emissions?: readonly Emission[],
): readonly Finding[] => {
  const [opening] = records;
  if (opening === undefined) return [];
  const known = knownBefore(opening, since, erasures, emissions);
  const findings: Finding[] = [];
  for (const record of records) {
    const compare = comparisonOf(record.seq, findings);
    if (record === opening) compareOpening(record, compare);
    compareRecord(record, known, compare);
    compareProposals(record, known, compare);
    compareAnswer(record, known, compare);
    compareApproval(record, known, compare);
    compareEvidence(record, known, compare);
    compareReport(record, known, compare);
    compareRecovery(record, known, compare);
    compareOthers(record, known, compare);
    compareConsumed(record, known, compare);
    learn(known, record);
  }
  return findings;
};
