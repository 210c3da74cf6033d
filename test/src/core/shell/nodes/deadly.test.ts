import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { folder } from '../../../stores/folder.ts';
import { defineVerifier } from '../../../../../src/index.ts';
import { passes } from '../scene.ts';
import { writeTool } from '../scripted.ts';
import { later, site } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const program = fileURLToPath(new URL('./deadly.ts', import.meta.url));

/** Starts a node as a process, with the lines that it prints and its exit code. */
const begun = (...given: readonly string[]) => {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [lines, exit] = [Array<string>(), once(child, 'exit')];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { lines, ended: async () => (await exit)[0] as unknown, isOver: () => child.exitCode !== null };
};

describe.skipIf(skipWithout(['postgres']) !== null)('a task that ends its process', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const deadly = (name: 'model' | 'verifier' | 'policy') => {
    const there = site(cluster);
    const cured = join(folder(), 'cured');
    const start = () => begun(name, cluster.url(), there.schema, cured);
    const row = async () => {
      const rows = await cluster.sql(`SELECT task_id, attempts, holder, size FROM ${there.schema}.task`);
      return rows[0] as { readonly attempts: number; readonly holder: string; readonly size: number };
    };
    /** Lets the last lease have passed so many minutes earlier. */
    const pass = (minutes: number, change = '') =>
      cluster.sql(
        `UPDATE ${there.schema}.task SET lapses = lapses - interval '${minutes} minutes' ${change}`,
      );
    /** A person beside the nodes. */
    const person = () =>
      there.start({
        tools: [writeTool('write')],
        taskClass: { beforeDeliver: { verifiers: ['judge'] }, limits: { repairs: 0 } },
        options: {
          role: 'guest',
          verifiers: [
            defineVerifier({ id: 'judge', verify: async (subject, { signal }) => passes(subject, signal) }),
          ],
        },
      });
    /** Ends two processes, of which the second counts as the fifth, and starts the next. */
    const afterFive = async () => {
      expect(await start().ended()).toBe(9);
      await pass(5, ', attempts = 3');
      expect(await start().ended()).toBe(9);
      return start();
    };
    return { ...there, cured, start, row, pass, person, afterFive };
  };

  it('in its model is left alone after three, asked about after five, and tried again by an instruction', async () => {
    const { start, row, pass, person, cured } = deadly('model');
    for (let deaths = 1; deaths <= 3; deaths += 1) expect(await start().ended()).toBe(9);
    const { size } = await row();
    const fourth = start();
    await later(3_000); // it would take ten leases
    expect(fourth.isOver()).toBe(false);
    expect(await row()).toMatchObject({ attempts: 2, size });
    await pass(1);
    expect(await fourth.ended()).toBe(9);
    await pass(2);
    expect(await start().ended()).toBe(9);
    const sixth = start();
    const { orchestrator, question } = person();
    const { taskId, message } = await eventually(question);
    const sentence =
      'the process that performs this task ended, or stood still, 5 times in a row while its model was asked';
    expect(message.explanation).toContain(sentence);
    const ledger = await orchestrator.ledger(taskId);
    expect(ledger.at(-1)?.brought.explanation).toContain(sentence);
    expect(sixth.lines).toContainEqual(expect.stringContaining(`model.answer failed: Error: ${sentence}`));
    expect(sixth.isOver()).toBe(false);
    writeFileSync(cured, '');
    const answer = { type: 'instruction', target: message.messageId, content: { text: 'again' } } as const;
    await orchestrator.respond(answer, { by: 'dana' });
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('in its verifier fails the report after five', async () => {
    const { afterFive, person } = deadly('verifier');
    await afterFive();
    const { orchestrator } = person();
    const [task] = await orchestrator.list();
    const taskId = task?.taskId ?? '';
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'uncertain' });
    const reports = (await orchestrator.ledger(taskId)).flatMap(({ brought }) => brought.report ?? []);
    expect(JSON.stringify(reports)).toContain('5 times in a row while verifier');
  });

  it('in its policy asks a person after five, who reads why', async () => {
    const { afterFive, person } = deadly('policy');
    await afterFive();
    const { question } = await eventually(person().question);
    expect(question.kind).toBe('approval');
    expect(JSON.stringify(question.reasons)).toContain('5 times in a row while its policy was asked');
  });
});
