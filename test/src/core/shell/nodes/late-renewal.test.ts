import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrchestrator, defineTaskClass, type Store } from '../../../../../src/index.ts';
import { postgresStore } from '../../../../../src/stores/postgres.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { call, draft, identity, plan, writeTool } from '../scripted.ts';

const lease = 4_000;

/** Stands still for longer than a lease, once the intent of a rollback is written. */
const standing = (inner: Store): Store => ({
  ...inner,
  commit: async (step) => {
    const answer = await inner.commit(step);
    if (step.record.fact?.type === 'rollback.started') {
      const ends = performance.now() + lease + 300;
      while (performance.now() < ends);
    }
    return answer;
  },
});

describe.skipIf(skipWithout(['postgres']) !== null)(
  'a node whose lease passed, and that still holds the task',
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster();
    });
    afterAll(() => cluster.remove());

    it('makes a rollback after its lease was renewed', async () => {
      const undone: unknown[] = [];
      const orchestrator = createOrchestrator({
        taskClasses: [
          defineTaskClass({ id: 'work', tools: ['write'], limits: { repairs: 0, revisions: 0 } }),
        ],
        tools: [
          writeTool('write', {
            rollback: {
              describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
              run: async (action: unknown) => undone.push(action),
            },
          }),
        ],
        model: {
          answer: async ({ asks }) =>
            asks === 'plan' ? plan([call('write')]) : draft({}, { confidence: 0.1 }),
        },
        policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
        store: standing(postgresStore({ connectionString: cluster.url(), lease, maxStall: 0 })),
      });
      orchestrator.on(
        'question',
        ({ message: { messageId: target } }) =>
          void orchestrator.respond({ type: 'reject', target }, { by: 'dana' }),
      );
      await orchestrator.recover();
      const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: {}, identity });
      await orchestrator.settled(taskId);
      expect(undone).toHaveLength(1);
      const facts = (await orchestrator.ledger(taskId)).map(({ fact }) => fact?.type);
      expect(facts.slice(-2)).toEqual(['rollback.started', 'rollback.succeeded']);
      await orchestrator.close();
    });
  },
);
