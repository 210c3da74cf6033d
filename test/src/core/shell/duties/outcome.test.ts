import { describe, expect, it } from 'vitest';
import { digest } from '../../../../../src/base/canonical/digest.ts';
import { rfc3339 } from '../../../../../src/core/kernel/now.ts';
import { scene, type Scene } from '../scene.ts';
import { call, draft, plan, readTool } from '../scripted.ts';

const handed = (change: (evidence: Record<string, unknown>) => unknown, taskClass = {}) => {
  const scenario: Scene = scene({
    model: [plan([call('remote')]), draft()],
    tools: [
      readTool('remote', {
        call: (_, { requestId, traceId, call: id, evidence }) =>
          evidence(
            change({
              evidence_id: 'theirs',
              evidence_type: 'tool_result',
              source: 'remote',
              request_id: requestId,
              trace_id: traceId,
              hash: digest({ balance: 7 }),
              collected_at: rfc3339(scenario.clock.now()),
              payload: { balance: 7 },
              'agentcharter:call': id,
            }),
          ),
      }),
    ],
    taskClass: {
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'remote' }] },
      limits: { repairs: 0 },
      ...taskClass,
    },
  });
  return scenario;
};

describe('evidence from another party [UAICP 5.1]', () => {
  it('counts when it matches the call', async () => {
    const scenario = handed((evidence) => evidence);
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    const documents = await scenario.orchestrator.documents(taskId);
    expect(documents.find(({ name }) => name === 'EvidenceObject')?.document).toMatchObject({
      evidence_id: 'theirs',
    });
  });

  it.each([
    ['has the hash of other data', { payload: { balance: 7_000_000 } }, 'EVIDENCE_HASH_MISMATCH'],
    ['is of another request', { request_id: '00000000-0000-4000-8000-0000000000ff' }, 'EVIDENCE_FOREIGN'],
    ['is of another call', { 'agentcharter:call': 'another' }, 'EVIDENCE_FOREIGN'],
    ['comes from another tool', { source: 'local' }, 'EVIDENCE_FOREIGN'],
    ['comes from the future', { collected_at: '2999-01-01T00:00:00Z' }, 'EVIDENCE_FROM_FUTURE'],
    ['is of another type', { evidence_type: 'test_report' }, 'EVIDENCE_INVALID'],
    ['has no hash', { hash: undefined }, 'EVIDENCE_INVALID'],
    ['has an id on two lines', { evidence_id: 'a\nb' }, 'EVIDENCE_INVALID'],
  ] as const)('fails the call when it %s', async (_, change, code) => {
    const scenario = handed((evidence) => JSON.parse(JSON.stringify({ ...evidence, ...change })) as unknown);
    const settled = await scenario.ended(await scenario.submit());
    expect(settled).toMatchObject({ state: 'failed', outcome: 'uncertain' });
    expect(settled.reasons.map((reason) => reason.code)).toContain(code);
  });

  it('is stale by its own collection time', async () => {
    const scenario = handed((evidence) => ({ ...evidence, collected_at: '2026-11-21T04:00:00Z' }), {
      maxAge: 600_000,
    });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled.reasons.map(({ code }) => code)).toEqual(['EVIDENCE_STALE']);
  });
});
