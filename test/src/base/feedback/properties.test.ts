import { applyFeedback, rankAlternatives } from 'agentcharter/feedback';
import * as fc from 'fast-check';
import { createPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import { isCharterError } from '../../../../src/base/errors.ts';
import { runs } from '../../../machines/generated.ts';
import { edit } from './cases.ts';

const names = fc.constantFrom('a', 'b', '0', '1', '-', 'a/b', '~1', '', 'toString', 'constructor');
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, 1.5, '', 'text', 'a😀b'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const pointers = fc
  .array(fc.oneof(names, fc.constant('2')), { maxLength: 3 })
  .map((tokens) => tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
const operations = fc.array(
  fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointers, value: values }),
    fc.record({ op: fc.constantFrom('move', 'copy'), path: pointers, from: pointers }),
    fc.record({ op: fc.constant('remove'), path: pointers }),
  ),
  { maxLength: 4 },
);

/** Returns the result of feedback on a value, or nothing if it cannot be applied. */
const applied = (value: unknown, feedback: object): { readonly value: unknown } | undefined => {
  try {
    return applyFeedback(value, feedback);
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable')) return undefined;
    throw error;
  }
};

const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted();

describe('For random values', () => {
  it('a diff made by another library leads from one value to the other', () => {
    let changes = 0;
    fc.assert(
      fc.property(values, values, (from, to) => {
        // that library drops `constructor` from pointers and finds inherited members
        fc.pre(!/constructor|toString/.test(JSON.stringify([from, to])));
        const diff = createPatch(from, to);
        changes += diff.length;
        expect(applyFeedback(from, edit({ diff })).value).toEqual(to);
      }),
      runs(),
    );
    expect(changes).toBeGreaterThan(500);
  });

  it('a patch applies fully or not at all and never mutates its input', () => {
    const seen = { applied: 0, refused: 0 };
    fc.assert(
      fc.property(values, operations, (value, diff) => {
        const [before, asked] = [JSON.stringify(value), JSON.stringify(diff)];
        const after = applied(value, edit({ diff }));
        expect(JSON.stringify(value)).toBe(before);
        expect(JSON.stringify(diff)).toBe(asked);
        seen[after === undefined ? 'refused' : 'applied'] += 1;
        if (after === undefined) return;
        // applied one by one, they give the same
        const steps = diff.reduce<unknown>(
          (so, one) => applyFeedback(so, edit({ diff: [one] })).value,
          value,
        );
        expect(after.value).toEqual(steps);
      }),
      runs(3000),
    );
    expect(seen.applied).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(200);
  });

  it('a merge patch is idempotent', () => {
    fc.assert(
      fc.property(values, fc.dictionary(names, values, { noNullPrototype: true }), (value, diff) => {
        const once = applyFeedback(value, edit({ diff })).value;
        expect(applyFeedback(once, edit({ diff })).value).toEqual(once);
      }),
      runs(),
    );
  });

  it('text edits equal the same edits applied one at a time from the end', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '\n'), maxLength: 12 });
    const edits = fc.array(fc.record({ offset: fc.nat(14), length: fc.nat(4), text: texts }), {
      maxLength: 4,
    });
    const seen = { applied: 0, refused: 0 };
    fc.assert(
      fc.property(texts, edits, (text, given) => {
        const inOrder = given.toSorted(
          (one, other) => one.offset - other.offset || one.length - other.length,
        );
        const fits = inOrder.every(({ offset, length }, at) => {
          const pieces = [
            text.slice(0, offset),
            text.slice(offset, offset + length),
            text.slice(offset + length),
          ];
          const before = inOrder[at - 1];
          const isFree = before === undefined || before.offset + before.length <= offset;
          return offset + length <= text.length && pieces.every(isWhole) && isFree;
        });
        const naive = inOrder.reduceRight(
          (so, { offset, length, text: put }) => so.slice(0, offset) + put + so.slice(offset + length),
          text,
        );
        seen[fits ? 'applied' : 'refused'] += 1;
        expect(applied(text, edit({ edits: given }))?.value).toBe(fits ? naive : undefined);
      }),
      runs(3000),
    );
    expect(seen.applied).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(200);
  });

  it('a ranking loses and adds no alternative', () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 6 }), fc.func(fc.nat()), (alternatives, order) => {
        const chosen = alternatives.filter((_, at) => order(at) % 2 === 0).toReversed();
        const ranked = rankAlternatives(alternatives, chosen);
        expect(ranked.slice(0, chosen.length)).toEqual(chosen);
        expect(sorted(ranked)).toEqual(sorted(alternatives));
      }),
      runs(),
    );
  });
});
