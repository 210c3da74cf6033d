import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedList } from '../../../../src/stores/memory/sorted-list.ts';

const compare = (one: number, other: number): number => one - other;

it('A sorted list has the same items as an array that is sorted after each change', () => {
  const change = fc.record({ isAdded: fc.boolean(), item: fc.nat({ max: 3_000 }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 2_500, size: 'max' }), fc.nat(3_000), (changes, from) => {
      const list = new SortedList(compare);
      const items = new Set<number>();
      for (const { isAdded, item } of changes) {
        if (isAdded && !items.has(item)) list.add(item);
        if (!isAdded) list.delete(item);
        if (isAdded) items.add(item);
        else items.delete(item);
      }
      const sorted = [...items].toSorted(compare);
      expect(list.isEmpty).toBe(items.size === 0);
      expect([...list.walk((item) => item >= from)]).toEqual(sorted.filter((item) => item >= from));
      expect([...list.walk((item) => item >= from, 'down')]).toEqual(
        sorted.filter((item) => item < from).toReversed(),
      );
    }),
    { numRuns: 30 },
  );
});

it('A sorted list splits a run that grows too long, and drops one that is empty', () => {
  const list = new SortedList(compare);
  const items = Array.from({ length: 2_000 }, (_, at) => at);
  for (const item of items.toReversed()) list.add(item);
  expect([...list.walk(() => true)]).toEqual(items);
  expect([...list.walk(() => false, 'down')]).toEqual(items.toReversed());
  for (const item of items.slice(0, 1_900)) list.delete(item);
  expect([...list.walk(() => true)]).toEqual(items.slice(1_900));
  for (const item of items) list.delete(item);
  expect(list.isEmpty).toBe(true);
  expect([...list.walk(() => true)]).toEqual([]);
});
