import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chartVersion } from '../../../../machines/index.ts';
import { createOrchestrator } from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { fixedIds } from '../../../fixtures/chart-1/charter.ts';
import {
  fixtures,
  openNames,
  storeCopy,
  stranded,
  strandedCopy,
} from '../../../fixtures/chart-1/fixtures.ts';
import { strandedCharter } from '../../../fixtures/chart-1/stranded/charter.ts';
import { call } from './call.ts';
import { releasedStore } from './releases.ts';

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

const recovered = async (file: string): Promise<void> => {
  const orchestrator = createOrchestrator({
    ...strandedCharter,
    store: sqliteStore(file),
    ids: fixedIds(3),
    clock: { now: () => Date.parse('2026-11-22T01:00:00Z'), wakeAt: () => () => {} },
  });
  await orchestrator.recover();
  await orchestrator.close();
};

let configurations = 0;

/** Writes the configuration of an application. */
const configured = (file: string, options: string): string => {
  configurations += 1;
  const config = join(dirname(file), `charter-${configurations}.mjs`); // a module is loaded once
  const root = new URL('../../../..', import.meta.url).pathname;
  writeFileSync(
    config,
    `import { sqliteStore } from '${root}src/stores/sqlite.ts';
     import { charter } from '${root}test/fixtures/chart-1/charter.ts';
     import { release } from '${root}test/src/apps/cli/releases.ts';
     const store = sqliteStore(${JSON.stringify(file)});
     export default ${options};`,
  );
  return config;
};

describe('upgrade --check', () => {
  it('says of every open task of chart 1 to which state it carries over, and writes nothing', async () => {
    const file = storeCopy();
    const used = sqliteStore(file); // its journal is that of a store in use
    await used.taskIndex();
    await used.close();
    const before = hashOf(file);
    const { code, stdout, stderr } = await call(`upgrade --check ${file}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of openNames) {
      const { taskId, state } = fixtures[name];
      expect(stdout).toMatch(new RegExp(`^${taskId} .* carries over: chart 1, ${state} -> ${state}$`, 'm'));
    }
    const count = openNames.length;
    expect(stdout).toContain(
      `chart ${chartVersion}: ${count} open tasks; 0 up to date, ${count} carry over, 0 do not`,
    );
    expect(hashOf(file)).toBe(before);
  });

  it('names the first record that stands against a task, and ends with 1', async () => {
    const { code, stdout } = await call(`upgrade --check ${strandedCopy()}`);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `${stranded.paid.taskId}  paid             does not carry over: chart 1, needsHumanDecision`,
    );
    expect(stdout).toContain('  record 7: refused: the chart does not accept call.started in submitted.');
    expect(stdout).toContain('3 open tasks; 0 up to date, 1 carry over, 2 do not');
  });

  it('prints the same as JSON', async () => {
    const { code, stdout } = await call(`upgrade --check ${strandedCopy()} --json`);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      chart: chartVersion,
      carriesOver: false,
      tasks: [
        {
          taskId: stranded.paid.taskId,
          taskClass: 'paid',
          chart: '1',
          verdict: 'does_not',
          to: null,
          obstacle: { seq: 7 },
        },
        { taskId: stranded.manager.taskId, verdict: 'carries_over', to: 'waiting', obstacle: null },
        { taskId: stranded.noter.taskId, verdict: 'does_not', obstacle: { seq: 5, code: 'refused' } },
      ],
    });
  });

  it('foretells what recover does, and says afterwards that it is done', async () => {
    const file = strandedCopy();
    await recovered(file);
    const { code, stdout } = await call(`upgrade --check ${file} --json`);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      tasks: [{ verdict: 'does_not' }, { verdict: 'current', chart: chartVersion }, { verdict: 'does_not' }],
    });
  });

  it('reads a store while another process owns it', async () => {
    const file = storeCopy();
    const owner = sqliteStore(file);
    onTestFinished(() => owner.close());
    await owner.take({ charts: [], taskClasses: [], tools: [], agents: [] }, 1);
    expect(await call(`upgrade --check ${file}`)).toMatchObject({ code: 0, stderr: '' });
    expect((await owner.load(fixtures.question.taskId))?.records).toHaveLength(fixtures.question.records);
  });

  it('reads the store of a configuration, whose application is as it was when the tasks began', async () => {
    const config = configured(storeCopy(), '({ ...charter, store })');
    const { code, stdout } = await call(`upgrade --check --config ${config}`);
    expect(code).toBe(0);
    expect(stdout).toContain('0 do not; 0 are stopped by your application');
  });

  it('prints what each open task meets in a new release, and ends with 1 if that stops one', async () => {
    const { file, taskIds } = await releasedStore();
    const config = configured(file, '({ ...release(2), store })');
    const { code, stdout } = await call(`upgrade --check --config ${config}`);
    const changes = stdout.split(/^(?=[0-9a-f-]{36} )/m);
    expect({ code, tasks: changes.length }).toEqual({ code: 1, tasks: 2 });
    expect(changes.find((one) => one.startsWith(taskIds.refund))).toContain(
      '  arguments_refused: a call waits, and tool "refund" (now "refund_order") is not what it was: its schema does not take the arguments of this call any more: "/cents" must be a whole number',
    );
    expect(changes.find((one) => one.startsWith(taskIds.post))).toContain(
      '  verifier_missing: verifier "sums" is asked before the task delivers, and is gone: expected it among `verifiers`',
    );
    expect(stdout).toContain('2 open tasks; 2 up to date, 0 carry over, 0 do not; 1 are stopped');
    const same = await call(
      `upgrade --check --config ${configured(file, '({ ...release(1), store })')} --json`,
    );
    expect(JSON.parse(same.stdout)).toMatchObject({ tasks: [{ changed: [] }, { changed: [] }] });
    expect(same.code).toBe(0);
  });

  it('prints no change without a configuration', async () => {
    const { file } = await releasedStore();
    const { code, stdout } = await call(`upgrade --check ${file} --json`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tasks: [{ changed: null }, { changed: null }] });
  });

  it('names a task whose ledger was changed, and checks the others', async () => {
    const file = storeCopy();
    const { default: Database } = await import('libsql');
    const database = new Database(file);
    const id = fixtures.question.taskId;
    const { name } = database.prepare("select name from sqlite_master where type = 'table' and sql like '%snapshot%'").get() as { name: string }; // prettier-ignore
    database.prepare(`update ${name} set snapshot = '{}' where taskId = ?`).run(id);
    database.close();
    const { code, stdout } = await call(`upgrade --check ${file} --json`);
    expect(code).toBe(1);
    const { tasks } = JSON.parse(stdout) as {
      tasks: { taskId: string; verdict: string; obstacle: unknown }[];
    };
    expect(tasks.filter(({ verdict }) => verdict !== 'carries_over')).toMatchObject([
      { taskId: id, verdict: 'does_not', obstacle: { code: 'corrupted' } },
    ]);
  });

  it.each([
    ['upgrade tasks.db', 'expected --check: recover() carries tasks over'],
    ['upgrade --check', 'expected STORE, or a --config whose options have a store'],
    ['upgrade --check nowhere.db', 'nowhere.db: there is no such file'],
  ])('%s: ends with 2, and says %s', async (line, said) => {
    const { code, stdout, stderr } = await call(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });
});

describe('a ledger that was carried over', () => {
  const words = `begun by chart 1, carried over to chart ${chartVersion} at record ${fixtures.question.records}`;

  it('is verified and replayed, and the command says where', async () => {
    const file = storeCopy();
    await recovered(file);
    const { taskId } = fixtures.question;
    const verified = await call(`ledger verify ${taskId} --store ${file}`);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`intact; ${words}; not settled`) as string,
    });
    const replayed = await call(`ledger replay ${taskId} --store ${file}`);
    expect(replayed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`records agree; ${words}`) as string,
    });
    const trail = join(dirname(file), 'trail.jsonl');
    const exported = await call(`ledger export ${taskId} --store ${file}`);
    writeFileSync(trail, exported.stdout);
    expect(await call(`ledger verify ${trail}`)).toMatchObject({ code: 0 });
    expect(await call(`ledger show ${trail}`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('agentcharter: upgrade  needsHumanDecision') as string,
    });
  });
});
