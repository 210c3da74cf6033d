import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { call, draft, later as promised, plan, writeTool } from '../scripted.ts';
import { later, shortLease, site, unrenewed } from './scene.ts';

const deadline = 4 * shortLease;
const model = [plan([call('write')]), draft()];

const unanswered = () => Promise.reject(new Error('the server does not answer'));

const idempotent = (version: string, made: Tool['call']) =>
  writeTool('write', { version, doubt: 'idempotent', deadline, call: made });

/** A call that says when it began, and ends with its signal. */
const inFlight = () => {
  const begun = promised();
  const did: string[] = [];
  const make: Tool['call'] = async (_, { signal }) => {
    begun.resolve(null);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    did.push('the call is over');
    throw signal.reason;
  };
  return { begun: begun.promise, did, make };
};

describe.skipIf(skipWithout(['postgres']) !== null)('a call that may be in flight', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('is over before a person is asked about it, also if it could have been repeated at once', async () => {
    const { start } = site(cluster, shortLease);
    const { begun, did, make } = inFlight();
    const one = start({ model, tools: [idempotent('1', make)], store: unrenewed });
    await one.submit();
    await begun;
    const other = start({ model, tools: [idempotent('2', async () => did.push('repeated'))] });
    await other.orchestrator.recover();
    await other.question();
    expect(did[0]).toBe('the call is over');
    expect(did).not.toContain('repeated');
  });

  it('keeps its task from being let go when its node closes', async () => {
    const { start, holderOf } = site(cluster);
    const { begun, did, make } = inFlight();
    const one = start({
      model,
      tools: [writeTool('write', { doubt: 'unsafe', deadline, call: make })],
    });
    const taskId = await one.submit();
    await begun;
    await one.orchestrator.close();
    expect(did).toEqual(['the call is over']);
    expect(await holderOf(taskId)).not.toBeNull();
  });

  it('is in doubt if the lease passed before it was made again', async () => {
    const { start, factsOf } = site(cluster, shortLease);
    let made = 0;
    const tool = writeTool('write', {
      doubt: 'reconcilable',
      call: async () => {
        made += 1;
        throw new Error('no answer');
      },
      lookup: async () => {
        await later(2 * shortLease);
        return { found: 'absent' };
      },
    });
    let isCut = false;
    const one = start({
      model,
      tools: [tool],
      store: (inner) => ({ ...inner, keep: (holds) => (isCut ? unanswered() : inner.keep(holds)) }),
    });
    const taskId = await one.submit();
    await expect.poll(() => made).toBe(1);
    isCut = true;
    await expect.poll(() => factsOf(taskId)).toContain('call.doubted');
    expect(await factsOf(taskId)).not.toContain('call.failed');
    expect(made).toBe(1);
  });
});
