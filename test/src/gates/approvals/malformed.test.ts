import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jwsApprovals } from '../../../../src/gates/approvals/index.ts';
import { ReasonCode } from '../../../../schema/index.ts';
import { plain, runs } from '../../base/canonical/generated.ts';
import { asked, by, claims, compact, edKey, granted, header, now, options, token } from './desk.ts';

const { verify } = jwsApprovals(options);
const valid = token();
const parts = valid.split('.');

const prototypes = (): unknown =>
  [Object.prototype, Array.prototype].map((prototype) => Reflect.ownKeys(prototype));

/** A text with random cuts and insertions. */
const damaged = (text: string, insertions: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.nat(2_000), fc.nat(3), fc.constantFrom('', ...insertions)), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) =>
      changes.reduce((changed, [place, cut, inserted]) => {
        const at = place % (changed.length + 1);
        return changed.slice(0, at) + inserted + changed.slice(at + cut);
      }, text),
    );

const json = [
  '"',
  '{',
  '}',
  ',',
  ':',
  '0',
  '9',
  'e9',
  '\\u0000',
  '"__proto__":1,',
  '"exp":0,',
  '\ud800',
  'é',
];
const base64 = ['.', '=', '-', '_', '+', '\n', '\u0000', 'A', 'é', 'e30', '{}', '\ud800'];

/** A known or unknown claim with any JSON value. */
const member = fc.tuple(fc.constantFrom(...Object.keys(claims), 'constructor', 'note'), plain);

const sent: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  random: fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.base64String(), fc.anything()),
  mutated: damaged(valid, base64),
  assembled: fc
    .array(fc.oneof(fc.constantFrom('', ...parts), fc.base64String()), { maxLength: 5 })
    .map((some) => some.join('.')),
  header: damaged(JSON.stringify(header), json).map((text) => compact(text, claims, by(edKey))),
  payload: damaged(JSON.stringify(claims), json).map((text) => compact(header, text, by(edKey))),
  claim: member.map(([name, value]) =>
    compact(header, JSON.stringify({ ...claims, [name]: value }), by(edKey)),
  ),
};

const source = fc.oneof(
  ...Object.entries(sent).map(([kind, values]) => values.map((value) => ({ kind, value }))),
);

/** Returns the claims of a token that must equal the expected ones. */
const claimed = (value: unknown): object => {
  const text = Buffer.from(String(value).split('.')[1] ?? '', 'base64url').toString();
  const { iss, aud, decision, ...rest } = JSON.parse(text) as typeof claims;
  const answers = Object.keys(asked).map((name) => [name, rest[name as keyof typeof asked]]);
  return {
    iss,
    isForUs: [aud].flat().includes(claims.aud),
    decision,
    ...Object.fromEntries(answers),
  } as object;
};

test('verification accepts only a complete approval and rejects any other token with a code', async () => {
  const before = prototypes();
  const refused = new Map<string, number>();
  const codes = new Set<string>();
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(source, async ({ kind, value }) => {
      const verdict = await verify(value as string, asked, now);
      if ('refused' in verdict) {
        refused.set(kind, (refused.get(kind) ?? 0) + 1);
        codes.add(ReasonCode.parse(verdict.refused));
        expect(verdict.explanation).toMatch(/^[A-Z][^.]{20,90}\.$/);
      } else {
        granted += 1;
        expect(claimed(value)).toEqual({ iss: claims.iss, isForUs: true, decision: 'approve', ...asked });
      }
    }),
    runs(3_000),
  );
  expect(prototypes()).toEqual(before);
  expect([...refused.keys()].toSorted()).toEqual(Object.keys(sent).toSorted());
  expect(Math.min(...refused.values())).toBeGreaterThan(50);
  expect(granted).toBeGreaterThan(20);
  expect(codes.size).toBeGreaterThan(5);
});

const flipped = (bytes: Buffer, bit: number): string => {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return changed.toString('base64url');
};

test.each([
  ['header', 0],
  ['payload', 1],
  ['signature', 2],
])('verification rejects a token with one bit of its %s flipped', async (_, part) => {
  expect(await verify(valid, asked, now)).toEqual(granted);
  const bytes = Buffer.from(parts[part] ?? '', 'base64url');
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
      const verdict = await verify(parts.with(part, flipped(bytes, bit)).join('.'), asked, now);
      codes.add('refused' in verdict ? ReasonCode.parse(verdict.refused) : 'granted');
    }),
    runs(300),
  );
  expect(codes).not.toContain('granted');
  if (part > 0) expect([...codes]).toEqual(['APPROVAL_SIGNATURE_WRONG']);
  else expect(codes.size).toBeGreaterThan(2);
});
