import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyMemberPath,
  elementPath,
  memberPath,
  rootPath,
  segmentsOf,
  type Segment,
} from '../../../../src/optional/semantics/path.ts';
import { key } from '../../base/canonical/generated.ts';
import { runs } from '../../../machines/generated.ts';

type Step = string | number | null | undefined;

/** A text is a name, a number a place in a tuple, null any element, and undefined any member. */
const pathOf = (steps: readonly Step[]): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'string') return memberPath(path, step);
    return step === undefined ? anyMemberPath(path) : elementPath(path, step ?? undefined);
  }, rootPath);

const name = fc.oneof(key, fc.constantFrom('$', '*', '[]', '[0]', '.', 'a.b', '["a"]', '$.a', 'a[].b'));
const places = fc.array(fc.oneof(name, fc.nat({ max: 9 }), fc.constantFrom<Step>(null, undefined)), {
  maxLength: 3,
});

it('writes two different places as two different paths', () => {
  let differ = 0;
  fc.assert(
    fc.property(places, places, (one, other) => {
      fc.pre(!isDeepStrictEqual(one, other));
      differ += 1;
      expect(pathOf(one)).not.toBe(pathOf(other));
    }),
    runs(),
  );
  expect(differ).toBeGreaterThan(300);
});

const read = (step: Segment): Step => {
  switch (step.kind) {
    case 'member':
      return step.name;
    case 'element':
      return step.index;
    case 'any':
      return undefined;
  }
};

describe('A path', () => {
  it('is parsed into the steps that wrote it', () => {
    fc.assert(
      fc.property(places, (steps) => {
        expect(segmentsOf(pathOf(steps))?.map(read)).toEqual(steps);
      }),
      runs(),
    );
  });

  it('escapes control characters that JSON keeps', () => {
    const path = memberPath(rootPath, '\u007f\u0085');
    expect(path).toBe('["\\u007f\\u0085"]');
    expect(segmentsOf(path)).toEqual([{ kind: 'member', name: '\u007f\u0085' }]);
  });

  it.each(['', 'a.', '.a', 'a..b', 'a.[]', 'a[', 'a["b]', 'a["\\x"]', 'a b', 'a[]b', '[x]'])(
    'is refused as invalid: %j',
    (path) => {
      expect(segmentsOf(path)).toBeUndefined();
    },
  );
});
