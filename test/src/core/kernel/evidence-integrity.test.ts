import { describe, expect, it, test } from 'vitest';
import type { Call, Context } from '../../../../machines/index.ts';
import type { EvidenceObject } from '../../../../schema/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { callKey } from '../../../../src/gates/evidence/fault.ts';
import { emptyProjection, type Projection } from '../../../../src/core/kernel/projection/projection.ts';
import { evidenceIntegrityFault } from '../../../../src/core/kernel/evidence-integrity.ts';
import { currentEvidence } from '../../../../src/core/kernel/view.ts';
import type { CallDocument } from '../../../../src/base/ports/ledger.ts';
import { bare, readCall, writeCall } from '../../../machines/contexts.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const collected = '2026-11-21T05:00:00Z';
const now = Date.parse(collected);
const skew = 5_000;
const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };
const request = { taskClass: 'work', threadId: 't', payload: {}, explanation: '', identity };

const reference = (id: string): NonNullable<Call['evidence']> => ({ id, type: 'tool_result', stale: false });
const calls: Context['calls'] = {
  'call-r': readCall({ evidence: reference('evidence-r') }),
  'call-x': readCall({ status: 'failed', digest: 'action-x', evidence: null }),
  'call-w': writeCall({ status: 'succeeded', evidence: reference('evidence-w') }),
};
const context = bare({ calls });

const documentOf = (id: string, tool: string, digest: string): CallDocument => ({
  id,
  tool,
  version: '1',
  arguments: {},
  rollback: null,
  doubt: 'unsafe' as const,
  digest,
});
const evidenceOf = (id: string, source: string, call: string, payload: object): EvidenceObject => ({
  evidence_id: id,
  evidence_type: 'tool_result',
  source,
  request_id: context.request,
  trace_id: traceId,
  hash: digest(payload),
  collected_at: collected,
  payload: { ...payload },
  [callKey]: call,
});

const read = evidenceOf('evidence-r', 'tool-r', 'call-r', { rows: [1, 2] });
const written = evidenceOf('evidence-w', 'tool-w', 'call-w', { id: 'order-1' });
const documents: Projection = {
  ...emptyProjection(request, traceId),
  calls: {
    'call-r': documentOf('call-r', 'tool-r', 'action-r'),
    'call-x': documentOf('call-x', 'tool-r', 'action-x'),
    'call-w': documentOf('call-w', 'tool-w', 'action-w'),
  },
  evidence: { 'evidence-r': read, 'evidence-w': written, 'evidence-of-before': read },
};

/** Returns the documents with one evidence object changed, or put in the place of another. */
const changed = (changes: object, one: EvidenceObject = read): Projection => ({
  ...documents,
  evidence: { ...documents.evidence, [one.evidence_id]: { ...one, ...changes } },
});
/** Returns the code of a fault, and why. */
const faultAt = (at: number, found: Projection, of = context) => {
  const fault = evidenceIntegrityFault(of, found, at, skew);
  return fault && { code: 'code' in fault.fact && fault.fact.code, explanation: fault.explanation };
};
const faultOf = (found: Projection, of = context) => faultAt(now, found, of);
const said = (what: string) => `evidence was changed after it was collected: ${what}`;
const mismatch = {
  code: 'EVIDENCE_HASH_MISMATCH',
  explanation: said('its hash does not match its payload'),
};
const foreign = (what: string) => ({ code: 'EVIDENCE_FOREIGN', explanation: said(what) });

describe('current evidence', () => {
  it('is the evidence of this attempt’s calls, in call order', () => {
    expect(currentEvidence(context, documents)).toEqual([read, written]);
    expect(currentEvidence(bare(), documents)).toEqual([]);
  });

  it('omits calls without evidence', () => {
    expect(currentEvidence(context, { ...documents, evidence: { 'evidence-w': written } })).toEqual([
      written,
    ]);
  });
});

test('names the request and the evidence that was changed', () => {
  const found = changed({ payload: { other: true } }, written);
  expect(evidenceIntegrityFault(context, found, now, skew)?.fact).toEqual({
    type: 'evidence.changed',
    request: context.request,
    evidence: 'evidence-w',
    code: 'EVIDENCE_HASH_MISMATCH',
  });
});

describe('unchanged evidence', () => {
  it('passes whatever the result of the call, and when there is none', () => {
    expect(faultOf(documents)).toBeNull();
    expect(faultOf(documents, bare())).toBeNull();
    expect(faultOf(documents, bare({ calls: { 'call-x': calls['call-x']! } }))).toBeNull();
  });

  it('passes in a later attempt under another call of the same action', () => {
    const again = bare({ attempt: 1, calls: { 'call-9': calls['call-w']! } });
    const callDocuments = { ...documents.calls, 'call-9': documentOf('call-9', 'tool-w', 'action-w') };
    expect(faultOf({ ...documents, calls: callDocuments }, again)).toBeNull();
  });

  it('passes within the allowed clock skew and fails one millisecond beyond it', () => {
    expect(evidenceIntegrityFault(context, documents, now - skew, skew)).toBeNull();
    expect(faultAt(now - skew - 1, documents)).toEqual(foreign('its collection time is in the future'));
  });

  it('is checked only when a gate uses it', () => {
    const elsewhere = { ...documents.evidence, 'evidence-of-before': { ...read, payload: null } };
    expect(faultOf({ ...documents, evidence: elsewhere })).toBeNull();
  });
});

describe('recomputed evidence [UAICP 5.1]', () => {
  it.each<[string, Projection, object]>([
    ['its payload', changed({ payload: { rows: [1, 3] } }), mismatch],
    ['its hash', changed({ hash: digest({ rows: [1, 3] }) }), mismatch],
    ['its payload, which is gone', changed({ payload: undefined }), mismatch],
    ['the payload of the second', changed({ payload: {} }, written), mismatch],
    ['both payloads', changed({ payload: read.payload, hash: digest(1) }, written), mismatch],
    ['its call', changed({ [callKey]: 'call-w' }), foreign('it belongs to another call')],
    [
      'its call, for a twin of its tool',
      changed({ [callKey]: 'call-x' }),
      foreign('it belongs to another call'),
    ],
    ['its call, for none', changed({ [callKey]: undefined }), foreign('it belongs to another call')],
    ['its call, for no name', changed({ [callKey]: ['call-r'] }), foreign('it belongs to another call')],
    [
      'its call, for one that never was',
      changed({ [callKey]: 'toString' }),
      foreign('it belongs to another call'),
    ],
    [
      'its request',
      changed({ request_id: '0'.repeat(8) + '-0000-4000-8000-000000000009' }),
      foreign('it belongs to another request, or to none'),
    ],
    ['its trace', changed({ trace_id: 'f'.repeat(32) }), foreign('it belongs to another trace, or to none')],
    ['its source', changed({ source: 'tool-w' }), foreign('its source is another tool')],
    [
      'its type',
      changed({ evidence_type: 'custom' }),
      foreign('it is of another type than its tool declares'),
    ],
    [
      'its hour',
      changed({ collected_at: '2026-11-21T05:00:05.001Z' }),
      foreign('its collection time is in the future'),
    ],
    ['its shape', changed({ collected_at: 'now' }), foreign('it does not fit its schema')],
    ['all of it, for another’s', changed(written), foreign('its source is another tool')],
  ])('%s', (_, found, fault) => {
    expect(faultOf(found)).toEqual(fault);
  });

  it('detects a missing document', () => {
    const { 'evidence-w': _, ...evidence } = documents.evidence;
    expect(faultOf({ ...documents, evidence })).toEqual(foreign('it does not fit its schema'));
  });

  it('detects a call document that is missing or belongs to another action', () => {
    const { 'call-r': call, ...others } = documents.calls;
    const fault = foreign('it belongs to another call');
    expect(faultOf({ ...documents, calls: others })).toEqual(fault);
    const renamed = { ...others, 'call-r': { ...call!, digest: 'action-x' } };
    expect(faultOf({ ...documents, calls: renamed })).toEqual(fault);
  });

  it('detects another trace of the task', () => {
    expect(faultOf({ ...documents, traceId: 'f'.repeat(32) })).toEqual(
      foreign('it belongs to another trace, or to none'),
    );
  });

  it('detects a payload changed together with a hash in another format', () => {
    const payload = { rows: [1, 3] };
    const bare = changed({ payload, hash: digest(payload).slice('sha256:'.length) });
    expect(faultOf(bare)).toEqual(mismatch);
  });

  it('names the first of several faults in call order', () => {
    const both = {
      ...documents,
      evidence: {
        'evidence-w': { ...written, source: 'other' },
        'evidence-r': { ...read, payload: null },
      },
    };
    expect(faultOf(both)).toEqual(mismatch);
    const { 'call-r': first, ...rest } = calls;
    expect(faultOf(both, bare({ calls: { ...rest, 'call-r': first! } }))).toEqual(
      foreign('its source is another tool'),
    );
  });

  it('detects an empty call id', () => {
    expect(faultOf(changed({ [callKey]: '' }))).toEqual(foreign('it belongs to another call'));
  });

  it('detects a call id that cannot be converted to text', () => {
    expect(faultOf(changed({ [callKey]: { toString: null } }))).toEqual(
      foreign('it belongs to another call'),
    );
  });
});
