import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { site } from '../../core/shell/nodes/scene.ts';
import { draft, plan } from '../../core/shell/scripted.ts';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

const config = `
import { defineTaskClass } from 'agentcharter';
export default { taskClasses: [defineTaskClass({ id: 'work', tools: [] })] };
`;

describe.skipIf(skipWithout(['postgres']) !== null)('a store in PostgreSQL, by its address', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(async () => {
    await cluster.remove();
    await removeFolders();
  });

  /** A node with a task that asks a person, and the address of its store. */
  const asking = async () => {
    const { start, schema } = site(cluster);
    const node = start({ model: [plan([], { confidence: 0.1 }), draft()] });
    const taskId = await node.submit();
    const { message } = await node.question();
    return { node, taskId, message, address: `${cluster.url()}?schema=${schema}` };
  };

  it('is read, verified and answered while a node uses it', async () => {
    const { node, taskId, message, address } = await asking();
    const cwd = await folder();
    await writeFile(join(cwd, 'charter.mjs'), config);
    const ask = (line: string) => call(`${line} --store ${address}`, { cwd });
    expect(await ask('tasks')).toMatchObject({ code: 0, stdout: expect.stringContaining(taskId) });
    expect(await ask('inbox')).toMatchObject({ code: 0, stdout: expect.stringContaining(message.messageId) });
    expect(await ask(`decide ${message.messageId} --approve --as dana --config charter.mjs`)).toMatchObject({
      code: 0,
    });
    expect(await node.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(await ask('ledger verify')).toMatchObject({ code: 0 });
  });

  it('is served by the console', async () => {
    const { address } = await asking();
    expect(await call(`console --store ${address}`, { interruptAfter: 1 })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/),
    });
  });

  it('is not created by a command that reads, which names the schema', async () => {
    const address = `${cluster.url()}?schema=missing`;
    expect(await call(`tasks --store ${address}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /schema missing: it has no tasks yet; correct the database, or name the schema/,
      ),
    });
    expect(await cluster.sql(`SELECT FROM pg_namespace WHERE nspname = 'missing'`)).toEqual([]);
  });
});
