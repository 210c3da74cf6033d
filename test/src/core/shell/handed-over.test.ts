import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { rfc3339 } from '../../../../src/core/kernel/now.ts';
import { scene, type Given, type Scene } from './scene.ts';
import { call, draft, plan, readTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const secret = '4111 1111 1111 1111';
const payload = { balance: 7, card: secret };

/** A tool that returns evidence of another party, always with the same evidence id. */
const handing = (names: readonly string[], options: Given['options'] = {}): Scene => {
  const scenario: Scene = scene({
    model: [plan(names.map((name) => call('remote', { name }))), draft()],
    tools: [
      readTool('remote', {
        call: async ({ name }, { requestId, traceId, call: id, evidence }) => {
          if (name === 'later') await settle();
          return evidence({
            evidence_id: 'theirs',
            evidence_type: 'tool_result',
            source: 'remote',
            request_id: requestId,
            trace_id: traceId,
            hash: digest(payload),
            collected_at: rfc3339(scenario.clock.now()),
            payload,
            'agentcharter:call': id,
          });
        },
      }),
    ],
    taskClass: { limits: { repairs: 0 } },
    options,
  });
  return scenario;
};

const evidenceIn = async ({ orchestrator }: Scene, taskId: string) =>
  (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
    name === 'EvidenceObject' ? [document] : [],
  );

/** Returns the outcome of each call. */
const outcomesOf = async (names: readonly string[]) => {
  const scenario = handing(names);
  const taskId = await scenario.submit();
  await scenario.ended(taskId);
  expect(await evidenceIn(scenario, taskId)).toHaveLength(1);
  return (await scenario.orchestrator.ledger(taskId)).flatMap(({ kind, fact }) =>
    kind === 'fact' && fact !== null && 'call' in fact && fact.type !== 'call.started'
      ? [[fact.type, 'code' in fact ? fact.code : null]]
      : [],
  );
};

describe('evidence from another party', () => {
  it('is stored redacted, under the hash of the redacted payload [UAICP 5.1]', async () => {
    const scenario = handing(['a'], {
      redact: (document, kind) => (kind === 'result' ? { ...(document as object), card: '****' } : document),
    });
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    const [evidence] = await evidenceIn(scenario, taskId);
    const kept = { balance: 7, card: '****' };
    expect(evidence).toMatchObject({ evidence_id: 'theirs', payload: kept, hash: digest(kept) });
    const stored = [
      await scenario.orchestrator.ledger(taskId),
      await scenario.orchestrator.documents(taskId),
    ];
    expect(JSON.stringify([stored, scenario.turns])).not.toContain(secret);
    expect(JSON.stringify(stored)).not.toContain(digest(payload));
  });

  describe('is accepted once per evidence id; another call with the same id fails', () => {
    const once = [
      ['call.succeeded', null],
      ['call.failed', 'EVIDENCE_INVALID'],
    ];

    it('in a later call', async () => {
      expect(await outcomesOf(['first', 'later'])).toEqual(once);
    });

    it('in a call at the same time', async () => {
      expect(await outcomesOf(['first', 'second'])).toEqual(once);
    });
  });
});
