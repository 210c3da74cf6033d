import { describe, expect, it } from 'vitest';
import { isMet, rows } from './goals.ts';
import { medianRatio } from './measurements/ratio.ts';
import { scaleLines } from './scale-rows.ts';
import type { Scale } from './subjects/scale.ts';
import { cellsOf, columns, heads, shown } from './table.ts';

const figure = (value: number) => ({ value, of: '2 us beside 1 us' });

const scale = (of: number): Scale => ({
  recover: of,
  submit: 1,
  question: 1,
  answer: 1,
  inbox: 1,
  list: 1,
  consoleInbox: 1,
  consoleTasks: 1,
});

describe('A goal', () => {
  it.each([
    ['chart', 80, true],
    ['chart', 80.1, false],
    ['durable', 1, true],
    ['durable', 0.99, false],
    ['xstate', 5, null],
  ] as const)('of %s with a figure of %d is met: %s', (name, value, verdict) => {
    expect(isMet(rows[name], figure(value))).toBe(verdict);
  });

  it('is missed by a figure that is no number', () => {
    expect(isMet(rows.chart, figure(Number.NaN))).toBe(false);
    expect(isMet(rows.durable, figure(Number.NaN))).toBe(false);
  });
});

describe('The table', () => {
  it('shows a figure, its goal and its verdict', () => {
    expect(cellsOf(rows.chart, figure(80.04))).toEqual([
      'the chart alone in that run',
      'hand-written switch',
      '80.0 x',
      'at most 80 x',
      'missed',
      '2 us beside 1 us',
    ]);
    expect(cellsOf(rows.parked, figure(1_000)).slice(1, 5)).toEqual([
      '',
      '1,000 bytes',
      'at most 1,024 bytes',
      'met',
    ]);
    expect(cellsOf(rows.mastra, figure(2)).slice(3, 5)).toEqual(['', '']);
  });

  it('says what was not measured, goal or not', () => {
    for (const row of [rows.chart, rows.mastra])
      expect(cellsOf(row, undefined).slice(2)).toEqual(['', cellsOf(row, undefined)[3], 'not measured', '']);
    expect(heads).toHaveLength(cellsOf(rows.chart, undefined).length);
  });

  it.each([
    [1_234.5, '1,235'],
    [12.34, '12.3'],
    [0.5, '0.50'],
    [Number.NaN, 'none'],
  ])('writes %d as %s', (value, text) => {
    expect(shown(value)).toBe(text);
  });

  it('lays out lines in columns', () => {
    expect(
      columns([
        ['a', 'b'],
        ['long', 'c'],
      ]),
    ).toBe('a     b\nlong  c');
  });
});

describe('The table of a growing store', () => {
  it('compares the largest store with the smallest, in the order of their sizes', () => {
    const lines = scaleLines({ 10000: scale(2.1), 1000: scale(1), 2000: scale(50) });
    expect(lines[0]).toEqual(['CPU ms', '1,000', '2,000', '10,000', 'growth', 'verdict']);
    expect(lines.find(([what]) => what === 'recover()')?.slice(1)).toEqual([
      '1.00',
      '50.0',
      '2.10',
      '2.10 x',
      'missed',
    ]);
    expect(lines.filter((line) => line.at(-1) === 'met')).toHaveLength(7);
  });
});

describe('The median of ratios', () => {
  it('comes with the two figures of its own round', () => {
    const rounds = [
      [10, 1],
      [60, 3],
      [8, 2],
    ] as const;
    expect(medianRatio(rounds, 'us')).toEqual({ value: 10, of: '10.0 us beside 1.00 us' });
  });
});
