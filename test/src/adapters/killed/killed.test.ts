import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validateTrace } from '../../../differential/trace.ts';
import { subjectNames, subjectOf } from '../subjects.ts';
import { approve, openHouse, questionOf, signed, Backend } from '../backend.ts';
import { script } from './script.ts';

const child = fileURLToPath(new URL('child.ts', import.meta.url));
const tsconfig = fileURLToPath(new URL('../../../tsconfig.json', import.meta.url));

const KilledState = z.object({
  taskId: z.string(),
  stop: z.object({ status: z.literal('paused'), kept: z.string() }),
});

/** Has another process begin a run, and kills it once the run is paused. */
const killedWhilePaused = async (name: string, file: string): Promise<z.infer<typeof KilledState>> => {
  const env = { ...process.env, TSX_TSCONFIG_PATH: tsconfig };
  const other = spawn(process.execPath, ['--import', 'tsx', child, name, file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(other, 'exit');
  try {
    for await (const line of createInterface(other.stdout)) return KilledState.parse(JSON.parse(line));
    throw new Error(`the other process ended: ${JSON.stringify(await ended)}`);
  } finally {
    other.kill('SIGKILL');
    await ended;
  }
};

describe.each(subjectNames)('%s: a process killed while its run is paused', (name) => {
  it('lets another process make the write once and deliver the answer', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'killed-'));
    try {
      const file = join(directory, 'tasks.db');
      const { taskId, stop } = await killedWhilePaused(name, file);
      const backend = new Backend(() => sqliteStore(file));
      const house = await openHouse(await subjectOf(name), backend);
      await using _ = house;
      const { guard } = house;
      await guard.orchestrator.recover();
      const run = await guard.resume(taskId);
      const entry = await questionOf(run);
      await approve(house, entry, await signed(entry));
      const end = await house.opened.goOn({ run, script }, stop.kept);
      expect(end).toEqual({ status: 'delivered', payload: { said: 'paid' } });
      expect(backend.effects).toEqual(['paid alice 100']);
      validateTrace({ records: await guard.orchestrator.ledger(taskId) });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
