import { describe, expect, it } from 'vitest';
import { raisedTier, type ToolHints } from '../../../../src/base/define/hints.ts';
import { RiskTier } from '../../../../schema/index.ts';

const hintNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const words = [undefined, false, true];

const withEach = (found: readonly ToolHints[], name: (typeof hintNames)[number]): readonly ToolHints[] =>
  found.flatMap((hints) => words.map((word) => ({ ...hints, [name]: word })));
const all = hintNames.reduce(withEach, [{}]);
const cases = RiskTier.options.flatMap((declared) => all.map((hints) => ({ declared, hints })));
const rank = (tier: RiskTier): number => RiskTier.options.indexOf(tier);
const ascending = (ranks: readonly number[]): number[] => ranks.toSorted((one, other) => one - other);

/** The values of each hint, from harmless to alarming. */
const alarm: Record<(typeof hintNames)[number], readonly (boolean | undefined)[]> = {
  readOnlyHint: [true, undefined, false],
  destructiveHint: [false, undefined, true],
  idempotentHint: [true, undefined, false],
  openWorldHint: [false, undefined, true],
};

describe('hints of a server [MCP ToolAnnotations]', () => {
  it('are tested in every combination', () => {
    expect(cases.length).toBe(3 * 3 ** 4);
  });

  it('never lower the declared tier', () => {
    const lowered = cases.filter(({ declared, hints }) => rank(raisedTier(declared, hints)) < rank(declared));
    expect(lowered).toEqual([]);
  });

  it.each(hintNames)('never lower the tier when %s gets worse or the declared tier rises', (name) => {
    for (const { declared, hints } of cases) {
      const ranks = alarm[name].map((word) => rank(raisedTier(declared, { ...hints, [name]: word })));
      expect(ranks).toEqual(ascending(ranks));
      const declaredHigher = RiskTier.options.map((tier) => rank(raisedTier(tier, hints)));
      expect(declaredHigher).toEqual(ascending(declaredHigher));
    }
  });

  it.each<[RiskTier, ToolHints, RiskTier]>([
    ['read_only', {}, 'read_only'],
    ['read_only', { readOnlyHint: true, openWorldHint: true }, 'read_only'],
    ['read_only', { readOnlyHint: false }, 'write_low_risk'],
    ['read_only', { readOnlyHint: true, destructiveHint: true }, 'write_high_risk'],
    ['write_low_risk', { readOnlyHint: false, destructiveHint: true }, 'write_high_risk'],
    ['write_high_risk', { readOnlyHint: true, destructiveHint: false }, 'write_high_risk'],
  ])('turn %s with %j into %s', (declared, hints, tier) => {
    expect(raisedTier(declared, hints)).toBe(tier);
  });
});
