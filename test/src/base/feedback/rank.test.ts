import { rankAlternatives } from 'agentcharter/feedback';
import { describe, expect, it } from 'vitest';
import { refusal } from './cases.ts';

const ana = { id: 'ana', rate: 40 };
const bo = { id: 7, rate: 30 };
const cy = { rate: 20 };

describe('A ranking', () => {
  it.each([
    [
      ['skill', 'price'],
      ['price', 'skill'],
    ],
    [[], ['skill', 'price']],
  ])('orders texts: %j', (ranking, texts) => {
    expect(rankAlternatives(texts, ranking)).toEqual(ranking.length === 0 ? texts : ranking);
  });

  it('names an alternative by id or by its whole value in any key order', () => {
    expect(rankAlternatives([ana, bo, cy], [7, { rate: 20 }, 'ana'])).toEqual([bo, cy, ana]);
    expect(rankAlternatives([ana, bo, cy], [{ rate: 30, id: 7 }])).toEqual([bo, ana, cy]);
  });

  it('keeps unnamed alternatives in order after the named ones', () => {
    expect(rankAlternatives(['a', 'b', 'c', 'd'], ['c'])).toEqual(['c', 'a', 'b', 'd']);
  });

  it('uses equal alternatives one after the other', () => {
    expect(rankAlternatives(['a', 'b', 'a'], ['a', 'a'])).toEqual(['a', 'a', 'b']);
  });

  it.each([
    ['zoe', 1],
    [1, 1],
    ['7', 1],
    [{ id: 'ana' }, 1],
  ])('with an unknown alternative is rejected: %j', (entry, at) => {
    expect(refusal(() => rankAlternatives([ana, bo, cy], ['ana', entry]))).toEqual({
      path: `/content/${at}`,
      reason: 'it names none of the 3 alternatives: expected one whole, or its id',
    });
  });

  it.each([
    ['ana', 'ana'],
    ['ana', ana],
    [ana, 'ana'],
  ])('with an alternative named twice is rejected: %j, %j', (...ranking) => {
    expect(refusal(() => rankAlternatives([ana, bo], ranking))).toEqual({
      path: '/content/1',
      reason: 'the alternative is ranked already',
    });
  });
});
