import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonOf, replacing, written } from '../../../../src/apps/inspect/written.ts';
import { runs } from '../../../schema/arbitraries.ts';

const all = replacing([]);
const hostile = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

describe('The inspector’s JSON', () => {
  it('equals JSON.stringify for plain JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonOf(value, all)).toBe(JSON.stringify(value));
      }),
      runs,
    );
  });

  it('is one object on one line for any value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), hostile), (content) => {
        const text = written({ type: 'fact' }, () => content, all);
        expect(text).not.toMatch(/[\n\r]/);
        expect(Object(JSON.parse(text))).toMatchObject({ type: expect.anything() });
      }),
      runs,
    );
  });

  it('contains nothing below a redacted name, at any depth', () => {
    const secret = 'S3CR3T';
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(1, 'public'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('tree')),
        fc.dictionary(fc.constant('token'), fc.constantFrom<unknown>(secret, [secret], { token: secret })),
        fc
          .dictionary(fc.constant('token'), fc.constant(secret))
          .map((given) => new Map(Object.entries(given))),
        fc.array(tie('tree'), { maxLength: 3 }).map((items) => new Set(items)),
      ),
    }));
    fc.assert(
      fc.property(tree, (given) => {
        expect(written({}, () => ({ given }), replacing(['token']))).not.toContain(secret);
      }),
      runs,
    );
  });
});
