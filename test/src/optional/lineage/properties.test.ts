import { fromJsonLines, lineageOf, toJsonLines, type LineageCode } from 'agentcharter/lineage';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import { runs } from '../../../machines/generated.ts';
import { messageOf, placesIn, readable, uuid } from './made.ts';

/** Messages that reference each other at random, with few numbers and seconds, so that every fault occurs. */
const message = fc
  .record(
    {
      id: fc.nat(9),
      answers: fc.nat(11),
      second: fc.nat(4),
      thread: fc.constantFrom(0, 0, 0, 1),
      explanation: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['id', 'second', 'thread', 'explanation'] },
  )
  .map(messageOf);
const value = fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: fc.anything() });
const given = fc
  .tuple(fc.array(value, { maxLength: 14 }), fc.array(fc.nat(13), { maxLength: 3 }))
  .map(([values, again]) => [...values, ...again.filter((at) => at < values.length).map((at) => values[at])]);

const read = (value: unknown): value is UpFormatMessage =>
  typeof value === 'object' && value !== null && 'messageId' in value;

/** The definition of each code, computed directly instead of in one pass. */
const expectedOf = (values: readonly unknown[]): Readonly<Record<LineageCode, readonly number[]>> => {
  const firstOf = (messageId: string | undefined): number =>
    values.findIndex((value) => read(value) && value.messageId === messageId);
  const at = (index: number): UpFormatMessage => values[index] as UpFormatMessage; // only used for readable messages
  const time = (index: number): number => Date.parse(at(index).timestamp);
  const messages = [...values.keys()].filter((index) => read(values[index]));
  const first = messages.filter((index) => firstOf(at(index).messageId) === index);
  const again = messages.filter((index) => !first.includes(index));
  const isSame = (index: number): boolean =>
    JSON.stringify(at(index)) === JSON.stringify(at(firstOf(at(index).messageId)));
  const isOfThread = (one: number, other: number): boolean => at(one).threadId === at(other).threadId;
  const answering = first.filter((index) => at(index).parentMessageId !== undefined);
  const parentOf = (index: number): number => firstOf(at(index).parentMessageId);
  const linked = answering.filter((index) => parentOf(index) !== -1 && isOfThread(index, parentOf(index)));
  /** The ancestors up to the first repetition. */
  const above = (index: number, met: readonly number[] = []): readonly number[] =>
    !linked.includes(index) || met.includes(parentOf(index))
      ? met
      : above(parentOf(index), [...met, parentOf(index)]);
  const cut = linked.filter((index) => {
    const circle = above(index);
    return (
      circle.includes(index) &&
      circle.every((one) => time(one) > time(index) || (time(one) === time(index) && one >= index))
    );
  });
  return {
    unreadable: [...values.keys()].filter((index) => !read(values[index])),
    repeated: again.filter(isSame),
    duplicate: again.filter((index) => !isSame(index)),
    orphan: answering.filter((index) => parentOf(index) === -1),
    stranger: answering.filter((index) => parentOf(index) !== -1 && !isOfThread(index, parentOf(index))),
    cycle: cut,
    time_backwards: linked.filter((index) => !cut.includes(index) && time(index) < time(parentOf(index))),
  };
};

describe('A lineage of random messages', () => {
  it('has each readable message once, below its parent, and reports every fault', () => {
    const seen: Partial<Record<LineageCode, number>> = {};
    fc.assert(
      fc.property(given, (values) => {
        const lineage = lineageOf(values);
        const expected = expectedOf(values);
        for (const code of Object.keys(expected) as LineageCode[]) {
          const indexes = lineage.findings.filter((one) => one.code === code).map(({ index }) => index);
          expect([code, ...indexes]).toEqual([code, ...expected[code]]);
          seen[code] = (seen[code] ?? 0) + indexes.length;
        }
        const places = placesIn(lineage);
        const { unreadable, repeated, duplicate, orphan, stranger, cycle } = expected;
        expect(places).toHaveLength(values.length - unreadable.length - repeated.length - duplicate.length);
        expect(new Set(places.map(({ node }) => node.message.messageId)).size).toBe(places.length);
        const roots = [...orphan, ...stranger, ...cycle].map((index) => values[index]);
        for (const { node, threadId, parent } of places) {
          const { message: one } = node;
          const isRoot =
            one.parentMessageId === undefined ||
            roots.some((root) => read(root) && root.messageId === one.messageId);
          expect(one.threadId).toBe(threadId);
          expect(parent?.message.messageId).toBe(isRoot ? undefined : one.parentMessageId);
        }
      }),
      runs(700),
    );
    for (const code of Object.keys(expectedOf([])) as LineageCode[])
      expect([code, seen[code] ?? 0]).toEqual([code, expect.toSatisfy((times: number) => times > 50)]);
  });

  it('sorts siblings and threads by time', () => {
    fc.assert(
      fc.property(given, (values) => {
        const { threads } = lineageOf(values);
        const rank = ({ messageId, timestamp }: UpFormatMessage): [number, number] => [
          Date.parse(timestamp),
          values.findIndex((value) => read(value) && value.messageId === messageId),
        ];
        const inTime = (messages: readonly UpFormatMessage[]): readonly UpFormatMessage[] =>
          messages.toSorted((one, other) => {
            const [[at, index], [otherAt, otherIndex]] = [rank(one), rank(other)];
            return at - otherAt || index - otherIndex;
          });
        const families = [
          ...threads.map(({ roots }) => roots),
          ...placesIn({ threads, findings: [] }).map(({ node }) => node.children),
        ];
        for (const family of families) {
          const messages = family.map(({ message: one }) => one);
          expect(messages).toEqual(inTime(messages));
        }
      }),
      runs(),
    );
  });

  it('survives a round trip through JSON Lines', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 14 }), (messages) => {
        expect(lineageOf(fromJsonLines(toJsonLines(messages)))).toEqual(lineageOf(messages));
      }),
      runs(),
    );
  });

  it('does not depend on the payloads', () => {
    fc.assert(
      fc.property(fc.array(readable, { maxLength: 5 }), (messages) => {
        const renumbered = messages.map((one, index) => ({
          ...one,
          messageId: uuid(index),
        }));
        const bare = renumbered.map((one) => ({ ...one, payload: {} }));
        expect(lineageOf(renumbered).findings).toEqual(lineageOf(bare).findings);
        expect(placesIn(lineageOf(renumbered))).toHaveLength(messages.length);
      }),
      runs(300),
    );
  });
});
