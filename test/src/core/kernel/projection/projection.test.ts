import { describe, expect, it } from 'vitest';
import type { StoredTask } from '../../../../../src/base/ports/store.ts';
import { project } from '../../../../../src/core/kernel/projection/project.ts';
import { projectEmissions } from '../../../../../src/core/kernel/projection/thread.ts';
import { emptyProjection, type Projection } from '../../../../../src/core/kernel/projection/projection.ts';
import { replayed, unreplayed } from '../../../../../src/core/kernel/replay.ts';
import { rehydrate } from '../../../../../src/core/shell/rehydrate.ts';
import { trusting } from '../../shell/approvals.ts';
import { fails, scene, type Given, type Scene } from '../../shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../../shell/scripted.ts';

const journeys: Readonly<Record<string, readonly [Given, (scenario: Scene) => Promise<unknown>]>> = {
  'an approved write': [
    {
      model: [plan([call('read'), call('write')]), draft()],
      tools: [readTool('read'), writeTool('write', { tier: 'write_high_risk' })],
      options: { approvals: trusting },
    },
    ({ answer }) => answer('approve', undefined, { approval: 'kim' }),
  ],
  'an edited plan': [
    { model: [plan([call('read')], { confidence: 0.1 }), draft()], tools: [readTool('read')] },
    ({ answer }) => answer('edit', { value: plan([call('read', { of: 'you' })]) }),
  ],
  'a repair and its rollbacks': [
    {
      model: [plan([call('write')]), draft(), plan([call('read')]), draft()],
      tools: [readTool('read'), writeTool('write')],
      verifiers: { strict: fails },
      taskClass: { beforeDeliver: { verifiers: ['strict'] }, limits: { repairs: 1 } },
    },
    async () => {},
  ],
  'a further request': [
    {
      model: [plan([call('write')]), draft(), plan([call('read')]), draft()],
      tools: [readTool('read'), writeTool('write')],
      taskClass: {
        followup: () => ({ explanation: 'Like this?', payload: { options: [1, 2] }, byDefault: { of: 1 } }),
      },
    },
    ({ answer }) => answer('instruction', 'once more, shorter'),
  ],
  'a dependency': [
    {
      model: [plan([call('wait')]), draft()],
      tools: [
        readTool('wait', {
          call: (_, { met, notYet }) =>
            met ?? notYet({ explanation: 'it is under way', dependency: 'parcel' }),
        }),
      ],
    },
    async ({ orchestrator, store }) => {
      const [task] = await store.all();
      await orchestrator.resolve(task!.indexEntry.taskId, 'parcel', { at: 1 }, { by: 'kim' });
    },
  ],
};

const journeyed = async (name: string): Promise<StoredTask> => {
  const [given, then] = journeys[name]!;
  const scenario = scene(given);
  await scenario.submit();
  await then(scenario);
  const [stored] = await scenario.store.all();
  return stored!;
};

/** Returns the projection after each record of a ledger. */
const stepByStep = ({ records, emissions }: StoredTask): readonly Projection[] => {
  const [opening] = records;
  let replay = unreplayed(opening!.brought.contract!, opening!);
  let projection = emptyProjection(opening!.brought.request!, opening!.trace_id);
  let emitted = 0;
  return records.map((record) => {
    const before = replay.snapshot.context;
    const { after: next, fault } = replayed(replay, record);
    expect(fault).toBeNull();
    replay = next;
    const after = next.snapshot.context;
    projection = project(projection, { before, after, record });
    projection = projectEmissions(projection, emissions.slice(emitted, emitted + record.emitted.length));
    emitted += record.emitted.length;
    return projection;
  });
};

describe('the projection of a ledger', () => {
  it.each(Object.keys(journeys))('of %s is the same built step by step and at once', async (name) => {
    const stored = await journeyed(name);
    const steps = stepByStep(stored);
    expect(steps.at(-1)).toEqual((await rehydrate(stored)).projection);
    steps.forEach((projection, at) => {
      const records = stored.records.slice(0, at + 1);
      const emitted = records.reduce((sum, record) => sum + record.emitted.length, 0);
      const [opening] = records;
      const unread = unreplayed(opening!.brought.contract!, opening!);
      const replay = records.reduce((before, record) => replayed(before, record).after, unread);
      expect(projection).toEqual(projectEmissions(replay.projection, stored.emissions.slice(0, emitted)));
    });
  });

  it('keeps the thread after a change request and drops its proposals', async () => {
    const stored = await journeyed('a further request');
    const at = stored.records.findIndex(({ fact }) => fact?.type === 'changes.requested');
    const steps = stepByStep(stored);
    expect(steps[at - 1]?.proposals.planned.size).toBe(1);
    expect(steps[at]?.proposals.planned.size).toBe(0);
    expect(steps[at]?.messages.length).toBeGreaterThan(steps[at - 1]?.messages.length ?? 0);
    expect(steps[at]?.concluded).toMatchObject([{ tool: 'write', status: 'committed' }]);
  });
});
