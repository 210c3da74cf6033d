import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../../../src/base/canonical/deep-freeze.ts';
import { Effort } from '../../../../src/gates/origins/effort.ts';
import { normalForm } from '../../../../src/gates/origins/leaves.ts';
import { isRepeating, spellingOf } from '../../../../src/gates/origins/spelling.ts';
import { placesIn } from '../../../../src/gates/origins/text-index.ts';
import { locales, type Locale } from './mail-locales.ts';
import { dice, mailOf, plainValue, valueKinds, type Mail, type Written } from './mail.ts';

const isFound = ({ text }: Mail, value: string): boolean =>
  placesIn({ text }, value, new Effort()).length > 0;

const telling = ({ written }: Mail): readonly Written[] =>
  written.filter(({ value }) => normalForm(value) !== undefined);

const how = (written: readonly Written[]): readonly string[] =>
  written.map((one) => `${one.value}: ${one.how}`);

/** Returns values of people that a mail has nothing of. */
const unrelated = (seed: number, locale: Locale, { written }: Mail): readonly string[] => {
  const said = new Set(written.map(({ value }) => value));
  return valueKinds
    .map((kind) => plainValue(dice(seed), locale, kind))
    .filter((value) => normalForm(value) !== undefined && !said.has(value));
};

/** Tries mail of a language, of many seeds. */
const eachMail = (locale: Locale, check: (mail: Mail, seed: number) => void): void =>
  fc.assert(
    fc.property(fc.nat(), (seed) => check(deepFreeze(mailOf(seed, locale)), seed)),
    { numRuns: Number(process.env['FC_RUNS'] ?? 6) },
  );

/** Effort that counts what it allows. */
class CountedEffort extends Effort {
  pairs = 0;
  characters = 0;

  override allows(characters: number): boolean {
    const isAllowed = super.allows(characters);
    this.pairs += isAllowed ? 1 : 0;
    this.characters += isAllowed ? characters : 0;
    return isAllowed;
  }
}

describe.each(locales)('mail in $language', (locale) => {
  it('gives trust to no part of a token, and to nothing from elsewhere', () => {
    const seen = { whole: 0, found: 0, encoded: 0, foundEncoded: 0, parts: 0 };
    eachMail(locale, (mail, seed) => {
      const written = telling(mail);
      const parts = written.filter(({ form }) => form === 'part');
      expect(how(parts.filter(({ value }) => isFound(mail, value)))).toEqual([]);
      expect(unrelated(seed + 1, locale, mail).filter((value) => isFound(mail, value))).toEqual([]);
      const whole = written.filter(({ form }) => form === 'whole');
      const encoded = written.filter(({ form }) => form === 'encoded');
      seen.parts += parts.length;
      seen.whole += whole.length;
      seen.found += whole.filter(({ value }) => isFound(mail, value)).length;
      seen.encoded += encoded.length;
      seen.foundEncoded += encoded.filter(({ value }) => isFound(mail, value)).length;
    });
    expect(seen.found / seen.whole).toBeGreaterThan(0.9);
    expect(seen.parts).toBeGreaterThan(20);
  });

  it('takes trust from every value that a person repeats, and seldom from others', () => {
    const seen = { others: 0, taken: 0 };
    eachMail(locale, (mail, seed) => {
      const text = spellingOf(mail.text);
      const isTaken = (value: string): boolean => isRepeating(spellingOf(value), text);
      expect(how(telling(mail).filter(({ value }) => !isTaken(value)))).toEqual([]);
      const others = unrelated(seed + 1, locale, mail);
      seen.others += others.length;
      seen.taken += others.filter(isTaken).length;
    });
    expect(seen.taken / seen.others).toBeLessThan(0.2);
  });
});

describe('a mail of 200,000 characters and 100 values', () => {
  const [english] = locales;
  const mails = Array.from({ length: 80 }, (_, seed) => mailOf(seed, english!, 8));
  const text = mails
    .map((mail) => mail.text)
    .join('\r\n')
    .slice(0, 200_000);
  const document = deepFreeze({ text });
  const values = mails
    .flatMap(telling)
    .filter(({ form }) => form === 'whole')
    .slice(0, 100);

  it('are compared once each, and only with texts that have a token of them', () => {
    expect([text.length, values.length]).toEqual([200_000, 100]);
    const whole = new CountedEffort();
    for (const { value } of values) placesIn(document, value, whole);
    expect(whole.pairs).toBeLessThanOrEqual(100);
    expect(whole.characters).toBeLessThanOrEqual(20_000_000);
    const lines = deepFreeze({ lines: text.split('\r\n') });
    const byLine = new CountedEffort();
    for (const { value } of values) placesIn(lines, value, byLine);
    expect(byLine.characters).toBeLessThan(2_000_000);
    const foreign = new CountedEffort();
    for (let at = 0; at < 100; at += 1) placesIn(document, `DE0000${at}1111`, foreign);
    expect(foreign.pairs).toBe(0);
  });

  it('are compared no further than the effort of a call allows', () => {
    const effort = new CountedEffort();
    const mail = spellingOf(text);
    for (const { value } of values) effort.allowsPair(spellingOf(value), mail);
    expect(effort.characters).toBeLessThanOrEqual(20_000_000);
    expect(mail.plain.length).toBeLessThan(8 * text.length);
  });
});
