import { hash } from 'node:crypto';
import { expect } from 'vitest';
import { canonicalize } from '../../src/base/canonical/canonicalize.ts';
import { digest } from '../../src/base/canonical/digest.ts';
import { defineTool, type CallContext } from '../../src/index.ts';
import { scene } from '../src/core/shell/scene.ts';
import { AnyInput, call, draft, plan, readTool } from '../src/core/shell/scripted.ts';
import { failedSafe, stopped, type Attack, type Stop } from './attack.ts';

const payload = { balance: 7 };
const minute = 60_000;

/** Evidence that another party made of a call, as it should be. */
const honest = ({ call: id, requestId, traceId }: CallContext) => ({
  evidence_id: 'e-1',
  evidence_type: 'tool_result',
  source: 'balance',
  request_id: requestId,
  trace_id: traceId,
  hash: digest(payload),
  collected_at: '2026-11-21T05:00:00.000Z',
  payload,
  'agentcharter:call': id,
});

type Evidence = ReturnType<typeof honest>;
type Forge = (evidence: Evidence, context: CallContext) => unknown;

const audited = (forge: Forge, maxAge?: number) =>
  scene({
    model: [plan([call('balance')]), draft()],
    tools: [readTool('balance', { call: (_, context) => context.evidence(forge(honest(context), context)) })],
    taskClass: {
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'balance' }] },
      limits: { repairs: 0, refreshes: 0 },
      ...(maxAge !== undefined && { maxAge }),
    },
  });

/** Nothing is delivered on forged evidence, and the ledger says why; on honest evidence it would have been. */
const forged = (
  number: number,
  attempt: string,
  expected: Stop,
  forge: Forge,
  source = 'UAICP 5.1',
): Attack => ({
  number,
  attempt,
  expected,
  source,
  run: async () => {
    const control = audited((evidence) => evidence);
    expect(await control.ended(await control.submit())).toMatchObject({ outcome: 'success' });
    const one = audited(forge);
    const taskId = await one.submit();
    const stop = await failedSafe(one, taskId);
    const record = (await one.orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
    expect(record).toMatchObject({ fact: { code: stop }, outcome: 'failure' });
    expect((await one.orchestrator.documents(taskId)).map(({ name }) => name)).not.toContain(
      'EvidenceObject',
    );
    return stop;
  },
});

const without =
  (name: keyof Evidence): Forge =>
  (evidence) =>
    Object.fromEntries(Object.entries(evidence).filter(([key]) => key !== name));

const another = '00000000-0000-4000-8000-00000000ffff';
const bare = digest(payload).slice(7);

const hashes: readonly Attack[] = [
  forged(11, 'a payload that was changed after it was hashed', 'EVIDENCE_HASH_MISMATCH', (evidence) => ({
    ...evidence,
    payload: { balance: 7_000 },
  })),
  forged(11, 'the hash of nothing', 'EVIDENCE_HASH_MISMATCH', (evidence) => ({ ...evidence, hash: '' })),
  forged(11, 'a hash without a payload', 'EVIDENCE_HASH_MISMATCH', without('payload')),
  forged(
    11,
    'a hash over a text that is not canonical',
    'EVIDENCE_HASH_MISMATCH',
    (evidence) => ({ ...evidence, hash: `sha256:${hash('sha256', JSON.stringify(payload, null, 1))}` }),
    'RFC 8785',
  ),
  forged(15, 'a hash that does not name its algorithm', 'EVIDENCE_HASH_MISMATCH', (evidence) => ({
    ...evidence,
    hash: bare,
  })),
  forged(15, 'a hash of another algorithm', 'EVIDENCE_HASH_MISMATCH', (evidence) => ({
    ...evidence,
    hash: `sha1:${hash('sha1', canonicalize(payload))}`,
  })),
  forged(15, 'a hash of another algorithm under the right name', 'EVIDENCE_HASH_MISMATCH', (evidence) => ({
    ...evidence,
    hash: `sha256:${hash('sha3-256', canonicalize(payload))}`,
  })),
  forged(15, 'a hash in capitals', 'EVIDENCE_HASH_MISMATCH', (evidence) => ({
    ...evidence,
    hash: `sha256:${bare.toUpperCase()}`,
  })),
  forged(
    15,
    'the hash of a record of the ledger for that of a document',
    'EVIDENCE_HASH_MISMATCH',
    (evidence) => ({
      ...evidence,
      hash: `sha256:${hash('sha256', `agentcharter ledger record 1\n${canonicalize(payload)}`)}`,
    }),
    'RFC 9162, 2.1',
  ),
];

const foreign: readonly Attack[] = [
  forged(
    12,
    'evidence of another request',
    'EVIDENCE_FOREIGN',
    (evidence) => ({ ...evidence, request_id: another }),
    'CWE-345',
  ),
  forged(12, 'evidence of no request', 'EVIDENCE_FOREIGN', without('request_id'), 'CWE-345'),
  forged(
    12,
    'evidence of another trace',
    'EVIDENCE_FOREIGN',
    (evidence) => ({ ...evidence, trace_id: 'f'.repeat(32) }),
    'CWE-345',
  ),
  forged(12, 'evidence of no trace', 'EVIDENCE_FOREIGN', without('trace_id'), 'CWE-345'),
  forged(12, 'evidence that comes through another call', 'EVIDENCE_FOREIGN', (evidence) => ({
    ...evidence,
    'agentcharter:call': 'call-0',
  })),
  forged(12, 'evidence that comes through no call', 'EVIDENCE_FOREIGN', without('agentcharter:call')),
  forged(12, 'evidence of another tool', 'EVIDENCE_FOREIGN', (evidence) => ({
    ...evidence,
    source: 'audit',
  })),
  forged(12, 'evidence of another type than its tool declares', 'EVIDENCE_INVALID', (evidence) => ({
    ...evidence,
    evidence_type: 'test_report',
  })),
  forged(12, 'evidence that a tool calls an approval', 'EVIDENCE_INVALID', (evidence) => ({
    ...evidence,
    evidence_type: 'approval_token',
  })),
  forged(12, 'evidence that fits no schema', 'EVIDENCE_INVALID', () => ({ evidence: true })),
  {
    number: 12,
    attempt: 'a tool that declares its results to be approvals',
    expected: 'definition_invalid',
    source: 'UAICP 5.3',
    run: () =>
      stopped(() =>
        defineTool({
          name: 'desk',
          description: '',
          tier: 'read_only',
          input: AnyInput,
          evidenceType: 'approval_token' as never,
          call: async () => null,
        }),
      ),
  },
];

const ages: readonly Attack[] = [
  forged(
    13,
    'evidence from further ahead than clocks may differ',
    'EVIDENCE_FROM_FUTURE',
    (evidence) => ({ ...evidence, collected_at: '2026-11-21T05:00:31Z' }),
    'RFC 3339',
  ),
  forged(
    13,
    'evidence from the year 9999',
    'EVIDENCE_FROM_FUTURE',
    (evidence) => ({ ...evidence, collected_at: '9999-12-31T23:59:59Z' }),
    'RFC 3339',
  ),
  forged(
    13,
    'a time from the future behind an offset',
    'EVIDENCE_FROM_FUTURE',
    (evidence) => ({ ...evidence, collected_at: '2026-11-21T05:00:00-01:00' }),
    'RFC 3339',
  ),
  ...(['2026-11-21T04:58:00Z', '1970-01-01T00:00:00Z'] as const).map((collected_at): Attack => ({
    number: 13,
    attempt: `evidence that is too old: ${collected_at}`,
    expected: 'EVIDENCE_STALE',
    source: 'OWASP ASI06',
    run: async () => {
      const one = audited((evidence) => ({ ...evidence, collected_at }), minute);
      const taskId = await one.submit();
      await one.clock.advance(1);
      return failedSafe(one, taskId);
    },
  })),
];

export const evidence = [hashes, foreign, ages].flat();
