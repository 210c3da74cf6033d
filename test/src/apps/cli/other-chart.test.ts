import { describe, expect, it } from 'vitest';
import {
  fixtureNames,
  fixtures,
  ledgerFile,
  ledgerText,
  storeCopy,
} from '../../../fixtures/chart-1/fixtures.ts';
import { call } from './call.ts';

const words = 'intact; written by chart 1; states not re-derived';
const count = fixtureNames.length;

describe('The command on ledgers of chart 1', () => {
  it.each(fixtureNames)('verifies "%s"', async (name) => {
    const { code, stdout } = await call(`ledger verify ${ledgerFile(name)}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(words) as string });
    const json = await call(`ledger verify ${ledgerFile(name)} --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ledgers: [{ intact: true, chart: '1', canReplay: false }],
    });
  });

  it('verifies every task of a store', async () => {
    const { code, stdout } = await call(`ledger verify --store ${storeCopy()}`);
    expect(code).toBe(0);
    expect(stdout.split(words)).toHaveLength(count + 1);
  });

  it('finds an edited ledger, in verify and in replay', async () => {
    const input = ledgerText('written').replace('"id":"dana"', '"id":"kim"');
    expect(await call('ledger verify -', { input })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^-: not intact; written by chart 1.*\n.* edited: /) as string,
    });
    expect(await call('ledger replay -', { input })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^-: not the same.*\n.* chain: edited: /) as string,
    });
  });

  it('refuses to replay them with exit code 2', async () => {
    const { code, stdout } = await call(`ledger replay --store ${storeCopy()}`);
    expect(code).toBe(2);
    expect(stdout.split(words)).toHaveLength(count + 1);
    const json = await call(`ledger replay ${ledgerFile('doubt')} --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ledgers: [{ verdict: 'not_derived', chart: '1', findings: [] }],
    });
  });

  it('counts the flows of every task of a store', async () => {
    const { code, stderr } = await call(`ledger flows --store ${storeCopy()}`);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`tasks: ${count};`) as string,
    });
  });

  it('prints and exports them unchanged', async () => {
    const shown = await call(`ledger show ${ledgerFile('written')} --from 1 --limit 3`);
    expect(shown).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('written by chart 1; states not re-derived') as string,
    });
    const json = await call(`ledger show ${ledgerFile('written')} --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({ chart: '1', next: null });
    const { taskId } = fixtures.written;
    const { stdout } = await call(`ledger export ${taskId} --store ${storeCopy()}`);
    expect(stdout).toBe(ledgerText('written'));
  });
});
