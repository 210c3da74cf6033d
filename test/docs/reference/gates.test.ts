import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ReasonCode } from '../../../schema/index.ts';
import { later } from '../../attacks/attack.ts';
import { attacks } from '../../attacks/index.ts';
import { findingMeaning, replayMeaning } from '../../../src/core/ledger/index.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { errorCodes } from './errors.ts';
import { gatesPage, rows } from './gates.ts';
import { rowsIn } from './markdown.ts';

const all = Object.values(attacks).flat();
const printed = gatesPage(attacks);

describe('docs/reference/gates.md', () => {
  test('contains every attack', async () => {
    const traps = new Set(all.flatMap(({ trap }) => trap ?? []));
    expect(rowsIn(printed)).toBe(traps.size);
    const counts = [...printed.matchAll(/^(\d+) in \[/gm)].map(([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);
    expect(all.length).toBeGreaterThan(400);
    expect(traps.size).toBe(5);
    await expectPrinted('docs/reference/gates.md', printed);
  });

  test('has a heading for each row of the threat model', () => {
    expect(Object.keys(rows).length).toBeGreaterThan(36);
    const headings = [...printed.matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(headings.toSorted((one, other) => one - other)).toEqual(Object.keys(rows).map(Number));
    const tried = new Set(all.map(({ number }) => number));
    expect(Object.keys(rows).filter((row) => !tried.has(Number(row)))).toEqual(Object.keys(later));
  });

  test('names existing codes and files', () => {
    const codes = [
      ...ReasonCode.options,
      ...errorCodes,
      ...Object.keys(findingMeaning),
      ...Object.keys(replayMeaning),
      'output.rejected',
    ];
    for (const { expected } of all) {
      expect(codes).toContain(expected);
      expect(printed).toContain(`\`${expected}\``);
    }
    for (const file of Object.keys(attacks))
      expect(existsSync(new URL(`../../attacks/${file}`, import.meta.url)), file).toBe(true);
  });
});

test('SECURITY.md links to every row, by existing headings', () => {
  const security = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
  const linked = [...security.matchAll(/gates\.md#([\w-]+)\)/g)].map(([, anchor]) => anchor);
  const anchors = Object.entries(rows).map(([row, about]) =>
    `${row} ${about}`
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const anchor of linked) expect(anchors).toContain(anchor);
  expect(linked).toHaveLength(Object.keys(rows).length - Object.keys(later).length);
  expect(security.split('\n').length).toBeLessThan(90);
});

testEveryPageIsPrinted();
