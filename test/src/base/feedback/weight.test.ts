import { byPriority, bySeverity, type Weighed } from 'agentcharter/feedback';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankOf } from '../../../../src/base/feedback/weight.ts';
import { runs } from '../../../machines/generated.ts';

const entry = (weight: object, deadline: string | null = null): Weighed => ({
  ...weight,
  question: { deadline },
});

const order = (one: string, other: string): number => Number(one > other) - Number(one < other);

describe('An inbox', () => {
  it('is sorted by priority, highest first and unweighted entries last', () => {
    const sorted = [5, 'Critical', 3.5, 'high', 2, 'low', 0, -1, 'whenever', undefined];
    const entries = sorted.map((priority) => entry(priority === undefined ? {} : { priority }));
    expect(entries.toReversed().toSorted(byPriority)).toEqual(entries);
  });

  it('is sorted by the other weight and then by the deadline when the first is equal', () => {
    const [soon, late] = ['2026-01-01T10:00:00+02:00', '2026-01-01T09:00:00Z'];
    const entries = [
      entry({ severity: 'high', priority: 1 }),
      entry({ severity: 'low', priority: 2 }, soon),
      entry({ severity: 1, priority: 2 }, late),
      entry({ severity: 'low', priority: 2 }),
    ];
    expect(entries.toReversed().toSorted(bySeverity)).toEqual(entries);
    const [first, ...rest] = entries;
    expect(entries.toSorted(byPriority)).toEqual([...rest, first]);
  });

  it('has a consistent order for random weights', () => {
    const weights = fc.option(
      fc.oneof(fc.double({ noNaN: true }), fc.constantFrom('critical', 'LOW', 'odd')),
      {
        nil: undefined,
      },
    );
    const entries = fc.record({ severity: weights, priority: weights }).map((weight) => entry(weight));
    fc.assert(
      fc.property(entries, entries, entries, (one, other, third) => {
        expect(Math.sign(byPriority(one, other)) + Math.sign(byPriority(other, one))).toBe(0);
        if (byPriority(one, other) <= 0 && byPriority(other, third) <= 0)
          expect(byPriority(one, third)).toBeLessThanOrEqual(0);
      }),
      runs(),
    );
  });

  it('has ranks whose texts sort as byPriority does', () => {
    const weights = fc.option(
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: -2, max: 5 }),
        fc.constantFrom('critical', 'LOW', 'odd'),
      ),
      { nil: undefined },
    );
    const deadlines = fc.option(
      fc.date({ noInvalidDate: true, min: new Date(-1), max: new Date('9999-12-31') }),
    );
    const entries = fc
      .record({ severity: weights, priority: weights, at: deadlines })
      .map(({ at, ...weight }) => entry(weight, at === null ? null : at.toISOString()));
    fc.assert(
      fc.property(entries, entries, (one, other) => {
        expect(rankOf(one)).toMatch(/^[0-9a-fz]{3,48}$/);
        expect(order(rankOf(one), rankOf(other))).toBe(Math.sign(byPriority(one, other)));
      }),
      runs(),
    );
  });
});
