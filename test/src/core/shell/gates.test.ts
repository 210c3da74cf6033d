import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tool } from '../../../../src/index.ts';
import type { ApprovalClaims } from '../../../../src/base/ports/approvals.ts';
import type * as Projecting from '../../../../src/core/kernel/projection/project.ts';
import type { Projection } from '../../../../src/core/kernel/projection/projection.ts';
import type * as Integrity from '../../../../src/core/kernel/evidence-integrity.ts';
import type { ApprovalDocument } from '../../../../src/base/ports/ledger.ts';
import { trusting } from './approvals.ts';
import { passes, scene, type Given } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';

/** Whether to replace the payload of all stored evidence, and which claims of all stored approvals. */
const tamper = vi.hoisted(() => ({ has: false, claims: {} }));

const tampered = (projection: Projection): Projection => ({
  ...projection,
  evidence: Object.fromEntries(
    Object.entries(projection.evidence).map(([id, one]) => [id, { ...one, payload: 'forged' }]),
  ),
});

const forged = (given: ApprovalDocument) => ({ ...given, claims: { ...given.claims, ...tamper.claims } });

vi.mock('../../../../src/core/kernel/evidence-integrity.ts', async (original) => {
  const actual = await original<typeof Integrity>();
  const integrityFault: typeof Integrity.integrityFault = (context, projection, ...rest) =>
    actual.integrityFault(context, tamper.has ? tampered(projection) : projection, ...rest);
  return { ...actual, integrityFault };
});

vi.mock('../../../../src/core/kernel/projection/project.ts', async (original) => {
  const actual = await original<typeof Projecting>();
  const project: typeof Projecting.project = (...step) => {
    const filed = actual.project(...step);
    const approvals = Object.entries(filed.approvals).map(([digest, given]) => [digest, given.map(forged)]);
    return { ...filed, approvals: Object.fromEntries(approvals) };
  };
  return { ...actual, project };
});

beforeEach(() => {
  tamper.has = false;
  tamper.claims = {};
});

/** Returns a value after it starts to replace the accepted evidence. */
const afterwards = <Value>(value: Value): Value => {
  tamper.has = true;
  return value;
};

const tamperable = (given: Given = {}, tools: readonly Tool[] = [readTool('read'), writeTool('write')]) =>
  scene({ model: [plan(tools.map(({ name }) => call(name))), draft()], tools, ...given });

describe('evidence that changed after it was accepted, recomputed at the gate [UAICP 5.1]', () => {
  it('blocks a write', async () => {
    const { submit, ended, invocations, facts } = tamperable({
      policy: () => afterwards({ verdict: 'allow', reasons: [] }),
    });
    const taskId = await submit();
    expect(await ended(taskId)).toMatchObject({
      state: 'failed',
      outcome: 'uncertain',
      reasons: [{ code: 'EVIDENCE_HASH_MISMATCH' }],
    });
    expect(invocations.map(({ tool }) => tool)).toEqual(['read']);
    expect((await facts(taskId)).at(-1)).toBe('evidence.changed');
  });

  it('blocks a second write, and the first is rolled back', async () => {
    const { submit, ended, invocations, undone } = tamperable({}, [
      writeTool('first', { call: () => afterwards({ written: 'first' }) }),
      writeTool('second'),
    ]);
    expect(await ended(await submit())).toMatchObject({
      outcome: 'uncertain',
      reasons: [{ code: 'EVIDENCE_HASH_MISMATCH' }],
    });
    expect(invocations.map(({ tool }) => tool)).toEqual(['first']);
    expect(undone).toEqual(['first']);
  });

  it.each<[string, Given]>([
    ['while the draft was written', { model: [plan([call('write')]), () => afterwards(draft())] }],
    [
      'while the draft was verified',
      {
        model: [plan([call('write')]), draft()],
        verifiers: { mails: (...asked) => afterwards(passes(...asked)) },
        taskClass: { beforeDeliver: { verifiers: ['mails'] } },
      },
    ],
  ])('blocks delivery when it was %s, and rolls back the writes', async (_, given) => {
    const { submit, ended, undone, states, orchestrator } = tamperable(given);
    const taskId = await submit();
    expect(await ended(taskId)).toMatchObject({
      state: 'failed',
      outcome: 'uncertain',
      reasons: [{ code: 'EVIDENCE_HASH_MISMATCH' }],
    });
    expect(undone).toEqual(['write']);
    expect(await states(taskId)).not.toContain('completed');
    const failed = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'evidence.changed');
    expect(failed?.brought.explanation).toMatch(/^evidence was changed after it was collected/);
  });
});

const forgeries: Partial<ApprovalClaims> = {
  request_id: '00000000-0000-4000-8000-0000000000ff',
  tool: 'another',
  tool_version: '0',
  action_digest: 'sha256:other',
  tier: 'read_only',
  policy_version: 'old',
};

describe('an approval at the gate', () => {
  it.each(Object.entries(forgeries))(
    'is checked against the call: it ignores a stored claim with a changed %s [UAICP 5.3]',
    async (claim, forged) => {
      tamper.claims = { [claim]: forged };
      const claimed: ApprovalClaims[] = [];
      const verify: typeof trusting.verify = (token, claims, now) => {
        claimed.push({ ...claims });
        return trusting.verify(token, claims, now);
      };
      const { submit, question, answer, ended, invocations } = tamperable(
        { options: { approvals: { verify } } },
        [writeTool('write', { tier: 'write_high_risk' })],
      );
      const taskId = await submit();
      const { approval } = (await question()).question;
      await answer('approve', undefined, { approval: 'kim kim-1' });
      expect(claimed).toEqual([approval, approval]);
      await ended(taskId);
      expect(invocations).toHaveLength(1);
    },
  );
});
