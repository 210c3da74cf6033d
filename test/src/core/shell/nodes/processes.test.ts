import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { folder } from '../../../stores/folder.ts';
import { site } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const program = fileURLToPath(new URL('./process.ts', import.meta.url));

/** Starts a node as a process, with the lines that it prints. */
const begun = (...given: readonly string[]) => {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [lines, exit] = [Array<string>(), once(child, 'exit')];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(kill);
  const printed = (start: string): Promise<string> =>
    eventually(() => {
      const line = lines.find((one) => one.startsWith(start));
      if (line === undefined) throw new Error(`${start} was not printed: ${lines.join(', ')}`);
      return line.slice(start.length + 1);
    });
  return { lines, kill, printed, signal: (name: NodeJS.Signals) => child.kill(name) };
};

describe.skipIf(skipWithout(['postgres']) !== null)('two processes on one store', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const pair = async () => {
    const { schema, reader, recordsOf, factsOf, verified } = site(cluster);
    const world = join(folder(), 'world');
    const given = [cluster.url(), schema, world];
    const first = begun('first', ...given, 'hangs');
    const taskId = await first.printed('task');
    await first.printed('call');
    const second = begun('second', ...given, 'acts', '7200000'); // by its clock, every lease has passed
    await second.printed('ready');
    const effects = (): readonly unknown[] =>
      existsSync(world)
        ? readFileSync(world, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : [];
    return { first, second, taskId, effects, reader, recordsOf, factsOf, verified };
  };

  it('take over from one that was killed in the middle of a call, after its lease, and act once', async () => {
    const { first, second, taskId, effects, reader, factsOf, verified } = await pair();
    expect(second.lines.filter((line) => line.startsWith('call'))).toEqual([]);
    await first.kill();
    await second.printed('settled');
    expect(effects()).toMatchObject([{ name: 'second', fence: 2 }]);
    expect((await reader.load(taskId))?.indexEntry.isSettled).toBe(true);
    expect((await factsOf(taskId)).filter((fact) => fact === 'call.started')).toHaveLength(1);
    expect(await verified(taskId)).toBe(true);
  });

  it('take over from one that is stopped longer than its lease, which then records nothing', async () => {
    const { first, second, taskId, effects, recordsOf } = await pair();
    first.signal('SIGSTOP');
    await second.printed('settled');
    const before = await recordsOf(taskId);
    first.signal('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await recordsOf(taskId)).toEqual(before);
    expect(effects()).toMatchObject([{ name: 'second', fence: 2 }]);
  });
});
