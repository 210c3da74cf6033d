import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { loosen } from '../../stores/sqlite/loosen.ts';
import { generateJwks } from '../../../key-pair.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromJsonLines, signCheckpoint, toJsonLines } from '../../../../src/core/ledger/index.ts';
import { defineTaskClass } from '../../../../src/index.ts';
import { createGuard, guardTool } from '../../../../src/guard/index.ts';
import { sqliteBlobs, sqliteStore } from '../../../../src/stores/sqlite.ts';
import { z } from 'zod';
import { identity } from '../../core/shell/scripted.ts';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';
import { otherKey, trustedKey } from '../../gates/approvals/desk.ts';
import { approvalKeys, signedWrite } from '../../core/ledger/signed-write.ts';

const settled = '01936d5e-0000-7000-8000-000000000009';
let cwd: string;
let trail: string;
const lines = (): string[] => trail.trimEnd().split('\n');
const written = async (name: string, text: string): Promise<string> => {
  await writeFile(join(cwd, name), text);
  return name;
};
const on = (line: string, input?: string) => call(line, { cwd, ...(input !== undefined && { input }) });

beforeAll(async () => {
  cwd = await folder();
  trail = await readFile(join(cwd, 'trail.jsonl'), 'utf8');
});
afterAll(removeFolders);

describe('ledger verify', () => {
  it('ends with 1 and names each finding and its place', async () => {
    const edited = trail.replace(
      '"actor":{"kind":"agent","id":"writer"}',
      '"actor":{"kind":"agent","id":"other"}',
    );
    expect(edited).not.toBe(trail);
    const { code, stdout, stderr } = await on(`ledger verify ${await written('edited.jsonl', edited)}`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(
      'edited.jsonl: not intact; 4 records\n  record 0: edited: its hash does not match its content\n',
    );
  });

  it.each([
    ['a missing record', () => lines().toSpliced(1, 1), 'dropped'],
    ['a duplicate record', () => [lines()[0], ...lines()], 'duplicated'],
    ['a line that is not JSON', () => [...lines(), '{"seq":'], 'unreadable'],
    ['a line of another kind', () => ['[]', ...lines()], 'unreadable'],
  ])('finds %s', async (_, made, finding) => {
    const { code, stdout } = await on('ledger verify - --json', `${made().join('\n')}\n`);
    expect(code).toBe(1);
    const { intact, ledgers } = JSON.parse(stdout) as {
      intact: boolean;
      ledgers: { findings: { code: string }[] }[];
    };
    expect(intact).toBe(false);
    expect(ledgers[0]?.findings.map((one) => one.code)).toContain(finding);
  });

  it('says which large values are kept, and names an unknown file of them', async () => {
    const place = join(cwd, 'blobs.db');
    const options = { store: sqliteStore(join(cwd, 'large.db')), blobs: { store: sqliteBlobs(place) } };
    const input = z.object({});
    const read = guardTool(
      { name: 'read', input, execute: () => 'many words '.repeat(100_000) },
      { tier: 'read_only' },
    );
    const guard = createGuard({
      ...options,
      tools: [read],
      taskClasses: [defineTaskClass({ id: 'job', tools: ['read'] })],
    });
    const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
    await run.call('read', {});
    await guard.close();
    const verify = `ledger verify ${run.taskId} --store large.db`;
    expect((await on(verify)).stdout).not.toContain('large');
    expect((await on(`${verify} --blobs blobs.db`)).stdout).toContain(
      'intact; not settled: its task goes on, or its end is missing; 5 records; 1 of 1 large values',
    );
    const other = sqliteBlobs(join(cwd, 'other.db'));
    await other.erase('none', []);
    await other.close();
    expect((await on(`${verify} --blobs other.db`)).stdout).toContain(
      '0 of 1 large values, the others not kept here',
    );
    expect(await on(`${verify} --blobs none.db`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--blobs none.db: there is no such file'),
    });
  });

  it('reports a ledger that ends at a checkpoint as anchored', async () => {
    const { secret, open } = generateJwks();
    const checkpoint = await signCheckpoint({
      records: fromJsonLines(trail),
      key: { ...secret, kid: 'desk' },
      timestamp: '2026-11-22T00:00:00Z',
    });
    await written('checkpoint.txt', checkpoint);
    const jwk = { ...open, kid: 'desk' };
    await written('keys.json', JSON.stringify({ keys: [jwk] }));
    const held = '--checkpoint checkpoint.txt --keys keys.json';
    expect(await on(`ledger verify trail.jsonl --anchored ${held}`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('trail.jsonl: intact; anchored by a checkpoint; 4 records\n'),
    });
    const short = await on(`ledger verify - ${held}`, `${lines().slice(0, 3).join('\n')}\n`);
    expect(short).toMatchObject({ code: 1, stdout: expect.stringContaining('truncated') });
    expect((await on('ledger verify trail.jsonl --checkpoint checkpoint.txt')).code).toBe(2);
    expect((await on('ledger verify trail.jsonl --anchored')).code).toBe(2);
  });

  it('checks approvals against the keys that may sign them, and refuses keys that name no approver', async () => {
    const { records } = await signedWrite();
    await written('signed.jsonl', toJsonLines(records));
    await written('approvers.json', JSON.stringify(approvalKeys));
    const stranger = { keys: [trustedKey(otherKey, ['kim'])] };
    await written('strangers.json', JSON.stringify(stranger));
    await written('anyone.json', JSON.stringify({ keys: [generateJwks().open] }));
    const known = await on('ledger verify signed.jsonl --approvals approvers.json');
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('; 1 of 1 approvals signed\n') });
    const unknown = await on('ledger verify signed.jsonl --approvals strangers.json');
    expect(unknown).toMatchObject({ code: 1, stdout: expect.stringContaining('approval_key_unknown') });
    expect(await on('ledger verify signed.jsonl --approvals anyone.json')).toMatchObject({
      code: 2,
      stdout: '',
    });
  });

  it('ends with 1 under --anchored if the checkpoint covers less than the ledger', async () => {
    const { secret, open } = generateJwks();
    const records = fromJsonLines(trail).slice(0, 3);
    const key = { ...secret, kid: 'desk' };
    await written('early.txt', await signCheckpoint({ records, key, timestamp: '2026-11-22T00:00:00Z' }));
    const jwk = { ...open, kid: 'desk' };
    await written('keys.json', JSON.stringify({ keys: [jwk] }));
    const held = '--checkpoint early.txt --keys keys.json';
    expect((await on(`ledger verify trail.jsonl ${held}`)).code).toBe(0);
    expect(await on(`ledger verify trail.jsonl ${held} --anchored`)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('intact; not anchored: its end may be missing'),
    });
  });

  it('verifies every task of a store, and its emissions', async () => {
    const { code, stdout } = await on('ledger verify --store tasks.db');
    expect(code).toBe(0);
    expect(stdout).toMatch(/: intact; not settled: its task goes on, or its end is missing; \d+ records$/m);
    expect(stdout).toMatch(/: intact; not anchored: its end may be missing; 4 records$/m);
    expect((await on(`ledger verify ${settled} --store tasks.db`)).stdout).toContain(`${settled}: intact`);
  });

  it('refuses an empty ledger', async () => {
    expect(await on('ledger verify -', '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no record'),
    });
    expect((await on('ledger verify nowhere.jsonl')).code).toBe(2);
    expect((await on(`ledger verify ${settled.replace('9', '8')} --store tasks.db`)).code).toBe(2);
    expect((await on('ledger verify')).code).toBe(2);
  });
});

describe('ledger replay', () => {
  it('ends with 1 when the facts lead to other states, even with valid hashes', async () => {
    const replayed = await on(
      'ledger replay - --json',
      trail.replaceAll('request.accepted', 'task.cancelled'),
    );
    expect(replayed.code).toBe(1);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ same: false, ledgers: [{ records: 1 }] });
    expect((await on('ledger replay --store tasks.db')).code).toBe(0);
  });
});

describe('ledger show', () => {
  it('prints a page, and how to print the next one', async () => {
    const first = await on('ledger show trail.jsonl --limit 2');
    expect(first.code).toBe(0);
    expect(first.stdout.split('\n')).toHaveLength(3);
    expect(first.stderr).toBe('There are more: --from 2\n');
    const rest = await on('ledger show trail.jsonl --from 2 --limit 2');
    expect(rest.stderr).toBe('');
    expect(rest.stdout).toMatch(/^ {3}2 .*\n {3}3 .* completed\.settled {2}success\n$/);
    const json = await on(`ledger show ${settled} --store tasks.db --limit 3 --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({ records: fromJsonLines(trail).slice(0, 3), next: 3 });
  });

  it('ends with 1 on an unreadable line, and prints the others', async () => {
    const { code, stdout } = await on('ledger show -', `{}\n${trail}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^line 1: unreadable\n {3}0 /);
  });

  it('reads only the records that it prints', async () => {
    const { PassThrough } = await import('node:stream');
    const { run } = await import('../../../../src/apps/cli/run.ts');
    let pulled = 0;
    const stdin = new PassThrough({ highWaterMark: 1 });
    const feed = (): void => {
      if (pulled++ < 10_000 && !stdin.destroyed) stdin.write(trail, () => setImmediate(feed));
    };
    feed();
    const stdout = new PassThrough().resume();
    const surroundings = { stdin, stdout, stderr: new PassThrough().resume(), env: {}, cwd };
    const { signal } = new AbortController();
    expect(
      await run(['ledger', 'show', '-', '--limit', '3'], { ...surroundings, interrupted: () => signal }),
    ).toBe(0);
    expect(pulled).toBeLessThan(100);
  });
});

describe('A damaged store', () => {
  it('is reported as a finding, and hides no other task', async () => {
    const damaged = await folder();
    loosen(join(damaged, 'tasks.db'));
    const store = new Database(join(damaged, 'tasks.db'));
    store.exec(
      `UPDATE record SET summary = 'none' WHERE summary IS NOT NULL AND task = (
        SELECT id FROM task WHERE taskId = x'${settled.replaceAll('-', '')}')`,
    );
    store.exec(`UPDATE record SET body = replace(body, '"writer"', '"other"')`);
    store.close();
    const listed = await call('tasks --store tasks.db', { cwd: damaged });
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^unreadable: .*cannot be read/) });
    expect(listed.stdout.trimEnd().split('\n')).toHaveLength(1);
    const verified = await call('ledger verify --store tasks.db', { cwd: damaged });
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining('record 0: edited') });
  });

  it('is reported when its records are not JSON', async () => {
    const damaged = await folder();
    loosen(join(damaged, 'tasks.db'));
    const store = new Database(join(damaged, 'tasks.db'));
    store.exec(`UPDATE record SET body = '{' WHERE task = (SELECT min(id) FROM task) AND seq = 0`);
    store.close();
    const verified = await call('ledger verify --store tasks.db', { cwd: damaged });
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${settled}: intact`) });
    expect(verified.stderr).toContain('is not JSON');
    expect((await call('ledger verify --store tasks.db --json', { cwd: damaged })).stdout).toContain(
      '"intact":false',
    );
  });

  it('is reported when an emission was edited', async () => {
    const damaged = await folder();
    loosen(join(damaged, 'tasks.db'));
    const store = new Database(join(damaged, 'tasks.db'));
    store.exec(`UPDATE record SET body = replace(body, 'It is written.', 'It is not.')`);
    store.close();
    const verified = await call('ledger verify --store tasks.db', { cwd: damaged });
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining('emission_edited') });
  });

  it('ends with 2 when it is no database', async () => {
    await written('none.db', 'this is no database, and is long enough to be read as one by nobody');
    expect(await on('tasks --store none.db')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('A ledger of one record', () => {
  it('is counted as one', async () => {
    await written('one.jsonl', lines()[0] ?? '');
    expect((await on('ledger verify one.jsonl')).stdout).toContain('1 record\n');
  });
});

describe('A store where a ledger is expected', () => {
  it('is no store because of a later line', async () => {
    await written('line.jsonl', [...lines(), 'SQLite format 3 or not'].join('\n'));
    expect(await on('ledger verify line.jsonl')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('unreadable'),
    });
  });

  it('ends with 2, and is told apart', async () => {
    const { code, stderr } = await on('ledger verify tasks.db');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('tasks.db is a store: expected a task, with --store tasks.db'),
    });
  });
});

describe('ledger export', () => {
  it('writes records that verify reads, in any line format', async () => {
    const { code, stdout } = await on(`ledger export ${settled} --store tasks.db`);
    expect(code).toBe(0);
    expect(stdout).toBe(toJsonLines(fromJsonLines(stdout)));
    expect(fromJsonLines(stdout)).toEqual(fromJsonLines(trail));
    expect((await on('ledger verify -', stdout)).code).toBe(0);
  });
});
