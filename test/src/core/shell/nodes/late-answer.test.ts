import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineTaskClass, defineTaskTool, type Store, type Turn } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { AnyInput, call, draft, plan } from '../scripted.ts';
import { later, shortLease, site } from './scene.ts';

const begins = defineTaskTool({
  name: 'begin',
  description: 'has a part done',
  tier: 'write_low_risk',
  input: AnyInput,
  taskClass: 'part',
  request: () => ({ payload: {} }),
});

const said = ({ asks, taskClass }: Turn): unknown => {
  if (asks !== 'plan') return draft({ by: taskClass });
  return taskClass === 'work' ? plan([call('begin')]) : plan();
};

/** The answer to the last step of a child comes late: meanwhile the store already says that the child is over. */
const slowEnd = (inner: Store): Store => ({
  ...inner,
  commit: async (step) => {
    const answer = await inner.commit(step);
    if (step.indexEntry.parent !== null && step.indexEntry.isSettled) await later(shortLease);
    return answer;
  },
});

describe.skipIf(skipWithout(['postgres']) !== null)('a node whose store answers late', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('reports the end of a child to its parent as it is', async () => {
    const { start, factsOf } = site(cluster, shortLease);
    const { orchestrator, submit, errors } = start({
      tools: [begins],
      model: said,
      store: slowEnd,
      options: {
        taskClasses: [
          defineTaskClass({ id: 'work', tools: ['begin'] }),
          defineTaskClass({ id: 'part', tools: [] }),
        ],
      },
    });
    const taskId = await submit();
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(await factsOf(taskId)).not.toContain('call.failed');
    expect(errors).toEqual([]);
  });
});
