import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RiskTier } from '../../../../schema/index.ts';
import { raisedTier } from '../../../../src/base/define/hints.ts';
import { tierOf, type Trust } from '../../../../src/adapters/mcp/index.ts';
import { isUntrusted } from '../../../../src/adapters/mcp/tier.ts';
import { runs } from '../../../machines/generated.ts';

const high = 'write_high_risk';
const low = 'write_low_risk';
const read = 'read_only';
const trusted: Trust = { isTrusted: true };
const untrusted: Trust = { isTrusted: false };

const readOnly = (openWorldHint: boolean) => ({ readOnlyHint: true, openWorldHint });
const writes = (destructiveHint: boolean, idempotentHint: boolean) => ({
  readOnlyHint: false,
  destructiveHint,
  idempotentHint,
});

const hint = fc.option(fc.boolean(), { nil: undefined });
const annotations = fc.record({
  readOnlyHint: hint,
  destructiveHint: hint,
  idempotentHint: hint,
  openWorldHint: hint,
});
const rank = (tier: RiskTier): number => RiskTier.options.indexOf(tier);

describe('The default tier of an MCP tool [UAICP 5.3]', () => {
  it.each([
    ['it only reads, in a closed world', readOnly(false), read],
    ['it only reads, in an open world', readOnly(true), read],
    ['it only reads, without other hints', { readOnlyHint: true }, read],
    ['it adds, and is idempotent', writes(false, true), low],
    ['it adds, and is not idempotent', writes(false, false), low],
    ['it does not destroy, without other hints', { destructiveHint: false }, low],
    ['it destroys', writes(true, true), high],
    ['it destroys, and only reads', { readOnlyHint: true, destructiveHint: true }, high],
    ['it writes, without other hints', { readOnlyHint: false }, high],
    ['it has a title only', { title: 'Harmless' }, high],
    ['it has no hints', {}, high],
    ['it has no annotations', undefined, high],
  ] as const)('follows only the hints of a trusted server: %s', (_, said, tier) => {
    expect(tierOf(said, trusted)).toBe(tier);
    expect(tierOf(said, untrusted)).toBe(high);
  });

  it.each([
    [readOnly(false), trusted, false],
    [readOnly(true), trusted, true],
    [{ readOnlyHint: true }, trusted, true],
    [undefined, trusted, true],
    [readOnly(false), untrusted, true],
  ] as const)('marks results as untrusted except from a closed, trusted server', (said, trust, is) => {
    expect(isUntrusted(said, trust)).toBe(is);
  });

  it('is never below its hints, and trust never raises it', () => {
    fc.assert(
      fc.property(annotations, (said) => {
        const tier = tierOf(said, trusted);
        expect(rank(tier)).toBeGreaterThanOrEqual(rank(raisedTier('read_only', said)));
        expect(rank(tier)).toBeLessThanOrEqual(rank(tierOf(said, untrusted)));
      }),
      runs(),
    );
  });

  it('is raised but never lowered by hints when the host declares one', () => {
    fc.assert(
      fc.property(annotations, fc.constantFrom(...RiskTier.options), (said, declared) => {
        expect(rank(raisedTier(declared, said))).toBeGreaterThanOrEqual(rank(declared));
      }),
      runs(),
    );
  });
});
