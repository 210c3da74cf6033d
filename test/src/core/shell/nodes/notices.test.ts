import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notifyPeople, type Notice } from '../../../../../src/apps/console/index.ts';
import { createChanges } from '../../../../../src/apps/console/changes.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { draft, plan } from '../scripted.ts';
import { site } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const model = ({ asks }: { readonly asks: string }) =>
  asks === 'plan' ? plan([], { confidence: 0.1 }) : draft();

describe.skipIf(skipWithout(['postgres']) !== null)('several nodes that notify people', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('send each notice once, under the id of its message or task', async () => {
    const { start } = site(cluster);
    const notices: Notice[] = [];
    const nodes = [1, 2, 3].map(() => start({ model }));
    for (const { orchestrator } of nodes)
      notifyPeople(orchestrator, { notify: async (notice) => void notices.push(notice) });
    const ids = await Promise.all(nodes.map(({ submit }) => submit()));
    const entries = await eventually(async () => {
      const inbox = await nodes[0]!.orchestrator.inbox();
      expect(inbox).toHaveLength(3);
      return inbox;
    });
    for (const [at, { message, taskId }] of entries.entries()) {
      await nodes[(at + 1) % 3]!.orchestrator.task(taskId); // several nodes have it in memory
      await nodes[(at + 2) % 3]!.orchestrator.respond(
        { type: 'approve', target: message.messageId },
        { by: 'dana' },
      );
    }
    await Promise.all(ids.flatMap((id) => nodes.map(({ orchestrator }) => orchestrator.settled(id))));
    const sent = () => notices.map(({ id }) => id).toSorted();
    const expected = [...entries.map(({ message }) => message.messageId), ...ids].toSorted();
    await eventually(() => expect(sent()).toEqual(expected));
  });

  it('tell a console of tasks that it never read', async () => {
    const { start } = site(cluster);
    const [one, other] = [start({ model }), start({ model })];
    await one.orchestrator.recover();
    const changes = createChanges(one.orchestrator);
    const link = { gone: new AbortController().signal, abort: () => {}, cut: () => true, end: () => {} };
    const lines: string[] = [];
    const following = (async () => {
      for await (const line of changes.follow(null, link)) lines.push(line);
    })();
    const taskId = await other.submit();
    await eventually(() => expect(lines.join('')).toContain(taskId));
    await changes.close();
    await following;
  });
});
