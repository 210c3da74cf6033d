import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rollback, Verifier } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { nesting, taskTool } from '../levels.ts';
import { later as promised, writeTool } from '../scripted.ts';
import { fails } from '../scene.ts';
import { firstFence } from '../../../../../src/base/ports/store.ts';
import { shortLease, site, unrenewed, type Given } from './scene.ts';

const describeIt = () => ({ type: 'inverse', target: 'note', payload: {} });

/** A parent that fails after its child wrote a note: the note is undone by this rollback. */
const parentOf = (
  run: Rollback['run'],
  more: Partial<Rollback> = {},
  beforeItFails: () => Promise<unknown> = async () => {},
): Given => {
  const { model, taskClasses } = nesting({
    work: {
      tools: ['leaf'],
      beforeDeliver: { verifiers: ['strict'] },
      deadlines: { rollback: 4 * shortLease },
    },
    leaf: { tools: ['note'], deadlines: { rollback: 4 * shortLease } },
  });
  const strict: Verifier = {
    id: 'strict',
    verify: async (subject, { signal }) => {
      await beforeItFails();
      return fails(subject, signal);
    },
  };
  return {
    model,
    tools: [
      taskTool('leaf', { tier: 'write_low_risk' }),
      writeTool('note', { rollback: { describe: describeIt, run, ...more } }),
    ],
    options: { taskClasses, verifiers: [strict] },
  };
};

describe.skipIf(skipWithout(['postgres']) !== null)('a child that is undone for its parent', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('is held meanwhile, and its rollbacks get its fence', async () => {
    const { start, holderOf, reader } = site(cluster);
    const held: unknown[] = [];
    const letGo = async () => {
      const [child] = (await reader.taskIndex()).filter((entry) => entry.parent !== null);
      await expect.poll(() => holderOf(child?.taskId ?? '')).toBeNull();
    };
    const { orchestrator, submit, errors } = start(
      parentOf(async (_, { fence, mayAct }) => held.push([fence, mayAct()]), {}, letGo),
    );
    const parent = await submit();
    expect(await orchestrator.settled(parent)).toMatchObject({ reasons: [{ code: 'VERIFICATION_FAILED' }] });
    expect(held).toEqual([[firstFence + 1, true]]);
    expect(errors).toEqual([]);
    await letGo();
  });

  it('is reported as not undone if no process can do it', async () => {
    const { start, schema, holderOf, reader } = site(cluster, shortLease);
    const removeTool = async () => {
      const [child] = (await reader.taskIndex()).filter((entry) => entry.parent !== null);
      await expect.poll(() => holderOf(child?.taskId ?? '')).toBeNull();
      await cluster.sql(`UPDATE ${schema}.task SET tools = '{removed}' WHERE task_id = '${child?.taskId}'`);
    };
    const { orchestrator, submit } = start(parentOf(async () => {}, {}, removeTool));
    const ended = await orchestrator.settled(await submit());
    expect(ended.reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED', 'ROLLBACK_REQUIRED']);
    expect(ended.message.explanation).toContain('cannot be undone here');
  });

  it('is not undone by the next holder of its parent while the former may still do it', async () => {
    const { start } = site(cluster, shortLease);
    const begun = promised();
    const did: string[] = [];
    const isLookedUp = {
      doubt: 'reconcilable' as const,
      lookup: async () => ({ found: 'absent' as const }),
    };
    const frozen = parentOf(async (_, { signal }) => {
      begun.resolve(null);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      did.push('the former is over');
    }, isLookedUp);
    const one = start({ ...frozen, store: unrenewed });
    const parent = await one.submit();
    await begun.promise;
    const other = start(parentOf(async () => did.push('the next begins'), isLookedUp));
    expect(await other.orchestrator.settled(parent)).toMatchObject({
      reasons: [{ code: 'VERIFICATION_FAILED' }],
    });
    expect(did).toEqual(['the former is over', 'the next begins']);
  });
});
