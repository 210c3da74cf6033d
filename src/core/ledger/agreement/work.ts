import type { Fact } from '../../../../machines/index.ts';
import { gateSubject } from '../../../../machines/question.ts';
import { digestOfPart } from '../../../base/canonical/digest.ts';
import { isEmpty } from '../../../gates/evidence/checks.ts';
import { callKey } from '../../../gates/evidence/fault.ts';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import { subjectKey } from '../../../gates/verification/findings.ts';
import { memberOf, type Compare } from './comparison.ts';
import type { Known } from './known.ts';

/** The evidence of a fact, and the call that it is of. */
interface SaidEvidence {
  readonly evidence: { readonly id: string; readonly type: string; readonly empty?: boolean | undefined };
  readonly request: string | undefined;
  readonly call: string;
}

const evidenceIn = (fact: Fact | null): SaidEvidence | undefined => {
  if (fact?.type === 'call.succeeded') return fact;
  if (fact?.type !== 'human.responded' || fact.evidence === undefined) return undefined;
  const call = gateSubject('doubt', fact.question) ?? fact.question;
  return { evidence: fact.evidence, request: undefined, call };
};

/** Compares evidence with its hash, with the fact, and with the call that it is of. */
export const compareEvidence = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { fact, kind, request_id, trace_id, actor, emitted, documents } = record;
  const said = evidenceIn(fact);
  const { evidence } = record.brought;
  if (documents.evidence === undefined ? said === undefined : evidence === undefined) return; // none, or erased
  const hash = digestOfPart(memberOf(evidence, 'payload') ?? null);
  compare('evidence', '/hash', memberOf(evidence, 'hash'), hash, 'its payload');
  compare('evidence', '/trace_id', memberOf(evidence, 'trace_id'), trace_id, 'its record');
  const { parentTraceId } = known.opening.brought.request ?? { parentTraceId: undefined };
  compare(
    'evidence',
    '/parent_trace_id',
    memberOf(evidence, 'parent_trace_id'),
    parentTraceId,
    'the request',
  );
  if (kind === 'fact' && !emitted.includes(documents.evidence ?? ''))
    compare('record', '/emitted', null, documents.evidence ?? '', 'its evidence');
  compare('evidence', '/evidence_id', memberOf(evidence, 'evidence_id'), said?.evidence.id, 'its fact');
  compare('evidence', '/evidence_type', memberOf(evidence, 'evidence_type'), said?.evidence.type, 'its fact');
  if (said === undefined) return;
  const { tool } = known.calls.get(said.call) ?? {};
  compare(
    'evidence',
    '/request_id',
    memberOf(evidence, 'request_id'),
    said.request ?? request_id,
    'its fact',
  );
  compare('evidence', `/${callKey}`, memberOf(evidence, callKey), said.call, 'its fact');
  compare('evidence', '/source', memberOf(evidence, 'source'), tool, 'its call');
  const empty = isEmpty(memberOf(evidence, 'payload') ?? null);
  compare('evidence', '/payload', empty, said.evidence.empty ?? false, 'its fact');
  if (fact?.type === 'human.responded')
    compare('evidence', '/actor', memberOf(evidence, 'actor'), actor.id, 'its actor');
};

/** Compares the report of a verifier with its fact, and with its own checks. */
export const compareReport = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { fact, kind, actor, emitted, documents } = record;
  const { report } = record.brought;
  const isNeeded = fact?.type === 'verifier.reported';
  if (documents.report === undefined ? !isNeeded : report === undefined) return; // none, or erased
  if (kind === 'fact' && !emitted.includes(documents.report ?? ''))
    compare('record', '/emitted', null, documents.report ?? '', 'its report');
  if (!isNeeded) return;
  const { code = null } = fact;
  const status = memberOf(report, 'status');
  const checks = memberOf(report, 'checks');
  compare('record', '/actor/id', actor.id, fact.verifier, 'its fact');
  compare('report', '/verifier_id', memberOf(report, 'verifier_id'), fact.verifier, 'its fact');
  compare('report', '/request_id', memberOf(report, 'request_id'), fact.request, 'its fact');
  compare('report', `/${subjectKey}`, memberOf(report, subjectKey), fact.of, 'its fact');
  compare('report', '/agentcharter:code', memberOf(report, 'agentcharter:code'), code, 'its fact');
  if ((status === 'pass') !== (fact.status === 'pass'))
    compare('report', '/status', status, fact.status, 'its fact');
  const hasFailed = Array.isArray(checks) && checks.some((check) => memberOf(check, 'result') === 'fail');
  if (hasFailed && status !== 'fail') compare('report', '/status', status, 'fail', 'one of its checks');
  const ids = memberOf(report, 'evidence_ids');
  const unknown = Array.isArray(ids) && code === null ? ids.find((id) => !known.evidence.has(id)) : undefined;
  if (unknown !== undefined) compare('report', '/evidence_ids', unknown, null, 'the records before it');
};

/** The result of a look-up, or none, that each resolution follows from. */
const founds: Readonly<Record<string, readonly unknown[]>> = {
  repeated: ['absent', undefined],
  adopted: ['done'],
  closed: ['absent'],
  left: ['unknown', undefined],
};

/** Compares how an effect in doubt was resolved with the fact and the call. */
export const compareRecovery = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { fact } = record;
  const { recovery } = record.brought;
  if (recovery === undefined) return; // none, or erased
  const { effect, key, tool, doubt: declared, found, resolution } = recovery;
  const digest = typeof key === 'string' ? key.replace(/^rollback:/, '') : '';
  compare('recovery', '/tool', tool, known.calls.get(digest)?.tool, 'its call');
  const kindOfKey = digest === key ? 'call' : 'rollback';
  compare('recovery', '/effect', effect, kindOfKey, 'its key');
  const isLookedUp = declared === 'reconcilable';
  compare('recovery', '/found', found !== undefined, isLookedUp, 'its doubt');
  if (founds[resolution]?.includes(found) !== true)
    compare('recovery', '/resolution', resolution, found ?? 'none', 'its look-up');
  if (fact?.type !== 'recovery.started') return;
  compare('recovery', '/effect', effect, fact.effect, 'its fact');
  compare('recovery', '/key', digest, fact.digest, 'its fact');
};
