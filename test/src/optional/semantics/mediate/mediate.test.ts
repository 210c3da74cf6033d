import * as fc from 'fast-check';
import { deriveContext, mediate, type Mediation } from 'agentcharter/semantics';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { UpContext } from '../../../../../schema/index.ts';
import { isCharterError } from '../../../../../src/base/errors.ts';
import { segmentsOf } from '../../../../../src/optional/semantics/path.ts';
import { runs } from '../../../../machines/generated.ts';
import { key } from '../../../base/canonical/generated.ts';
import { pairs } from '../mediation/pairs/index.ts';
import { share } from '../../../../share.ts';

const linksOf = ({ links }: Mediation): Readonly<Record<string, string>> =>
  Object.fromEntries(links.map(({ to, from }) => [to, from]));

const asked = ({ choices }: Mediation): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(choices.map(({ to, alternatives }) => [to, alternatives.map(({ from }) => from)]));

/** A context of plain members, each with what is said of it. */
const context = (fields: Readonly<Record<string, string | z.ZodType>>, entity?: string): UpContext => {
  const schemas = Object.entries(fields).map(([name, said]) => [
    name,
    typeof said === 'string' ? z.string().describe(said) : said,
  ]);
  return deriveContext(z.object(Object.fromEntries(schemas)), entity === undefined ? {} : { entity });
};

const refusal = (mediation: () => unknown): unknown => {
  try {
    mediation();
  } catch (error) {
    return isCharterError(error) ? { code: error.code, details: error.details } : error;
  }
  return undefined;
};

describe('Two payloads without a common name [UpFormat 3.2]', () => {
  const candidate = z.object({
    name: z.string().describe('full name'),
    email: z.email().describe('contact address'),
  });
  const shortlist = deriveContext(z.object({ candidates: z.array(candidate) }));
  const invitation = deriveContext(z.object({ recipients: z.array(z.email()).describe('email addresses') }));

  it('are mapped by descriptions: candidates[].email becomes recipients[]', () => {
    const mediation = mediate(shortlist, invitation);
    expect(mediation.outcome).toBe('mapping');
    expect(mediation.links).toEqual([
      {
        from: 'candidates[].email',
        to: 'recipients[]',
        score: expect.any(Number),
        why: ['description', 'format'],
        conversions: [{ kind: 'rename' }],
      },
    ]);
  });

  it('are mapped alike whatever their fields are called', () => {
    const names = fc.uniqueArray(
      key.filter((name) => name !== '__proto__'),
      { minLength: 3, maxLength: 3 },
    );
    fc.assert(
      fc.property(names, ([list = '', one = '', other = '']) => {
        const { name, email } = candidate.shape;
        const source = deriveContext(
          z.object({ [list]: z.array(z.object({ [one]: name, [other]: email })) }),
        );
        const mediation = mediate(source, invitation);
        expect(mediation).toMatchObject({ outcome: 'mapping', links: [{ to: 'recipients[]' }] });
        expect(segmentsOf(mediation.links[0]?.from ?? '')?.at(-1)).toEqual({ kind: 'member', name: other });
      }),
      runs(share(200, 60)),
    );
  });

  it('are not mapped by a name alone', () => {
    const one = context({ reference: z.string() });
    expect(mediate(one, one)).toMatchObject({ outcome: 'none', missing: [{ to: 'reference' }] });
  });
});

const termed = (predicate: string) => z.object({ a: z.string().meta({ predicate }) });

const named = (said: string) => z.string().describe(said).meta({ predicate: 'schema:name' });

describe('A common term', () => {
  const email = z.string().meta({ predicate: 'schema:email' });
  it('maps two fields, whatever their descriptions', () => {
    const mediation = mediate(
      context({ a: email.describe('where to reach her'), b: 'the nickname' }),
      context({ to: email }),
    );
    expect(linksOf(mediation)).toEqual({ to: 'a' });
    expect(mediation.links[0]?.score).toBeGreaterThanOrEqual(0.9);
  });

  it('maps two fields under different prefixes of one namespace', () => {
    const source = deriveContext(termed('sdo:email'), { prefixes: { sdo: 'https://schema.org/' } });
    expect(mediate(source, deriveContext(termed('http://schema.org/email'))).outcome).toBe('mapping');
  });

  it('overrides a description, and keeps two terms of one vocabulary apart', () => {
    const telephone = z
      .string()
      .describe('the address of the person')
      .meta({ predicate: 'schema:telephone' });
    const target = context({
      to: z.string().describe('the address of the person').meta({ predicate: 'schema:email' }),
    });
    expect(mediate(context({ telephone }), target).outcome).toBe('none');
    expect(linksOf(mediate(context({ telephone, mail: email }), target))).toEqual({ to: 'mail' });
  });

  it('is not enough if it fits any field', () => {
    const source = context({ a: named('name of the bank') });
    expect(mediate(source, context({ b: named('name of the passenger') })).outcome).toBe('ambiguous');
  });
});

describe('A description', () => {
  it.each([
    ['last day of the offer', 'first day of the offer'],
    ['price including tax', 'price excluding tax'],
    ['minimum salary of the job', 'maximum salary of the job'],
    ['the member wants the newsletter', 'the member does not want the newsletter'],
    ['email address of the sender', 'email address of the recipient'],
  ])('never maps opposites: %s, %s', (one, other) => {
    expect(mediate(context({ a: one }), context({ a: other })).outcome).not.toBe('mapping');
    expect(mediate(context({ a: one }), context({ b: one })).outcome).toBe('mapping');
  });

  it('that fits two values leaves the choice to a person', () => {
    const mediation = mediate(
      context({ home: 'street and number', work: 'street and number' }),
      context({ to: 'street and number' }),
    );
    expect(mediation).toMatchObject({
      outcome: 'ambiguous',
      upThought: { canProceed: false, confidence: 0, alternatives: [{ to: 'home' }, { to: 'work' }] },
    });
    expect(mediation.upThought.questions).toEqual(['Which source field becomes to (street and number)?']);
  });

  it('is disambiguated by the parent', () => {
    const address = z.object({ line: z.string().describe('street and number') });
    const source = context({
      a: address.describe('billing address'),
      b: address.describe('shipping address'),
    });
    const target = context({ to: address.describe('shipping address') });
    expect(linksOf(mediate(source, target))).toEqual({ 'to.line': 'b.line' });
  });
});

describe('A person’s choice', () => {
  const source = context({ home: 'street and number', work: 'street and number' });
  const target = context({ to: 'street and number' });

  it('becomes the mapping', () => {
    const mediation = mediate(source, target, { choices: { to: 'work' } });
    expect(mediation).toMatchObject({
      outcome: 'mapping',
      links: [{ from: 'work', to: 'to', score: 1, why: ['choice'] }],
    });
  });

  it.each([
    [{ elsewhere: 'work' }, 'expected one of to'],
    [{ to: 'nothing' }, 'expected one of home, work'],
  ])('of an unknown path is refused with the known ones: %j', (choices, message) => {
    expect(refusal(() => mediate(source, target, { choices }))).toMatchObject({
      code: 'document_invalid',
      details: { document: 'choices', issues: [{ message }] },
    });
  });

  it('of an incompatible value is refused', () => {
    const number = context({ to: z.number().describe('street and number') });
    const list = context({ many: z.array(z.array(z.boolean())).describe('flags') });
    expect(refusal(() => mediate(list, number, { choices: { to: 'many[][]' } }))).toMatchObject({
      code: 'document_invalid',
    });
  });
});

const prices = (value: z.ZodType) =>
  context({ prices: z.record(z.string(), value).describe('price by article') });

describe('A required value', () => {
  it('without a source is listed as missing', () => {
    const mediation = mediate(context({ a: 'colour' }), context({ b: 'weight of the parcel' }));
    expect(mediation).toMatchObject({
      outcome: 'none',
      missing: [{ to: 'b', description: 'weight of the parcel' }],
      upThought: { canProceed: false },
    });
  });

  it('inside itself is listed as missing', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#', description: 'the next one' }, at: { description: 'place' } },
      required: ['next'],
    };
    const mediation = mediate(deriveContext(node), deriveContext(node));
    expect(mediation).toMatchObject({ outcome: 'none', missing: [{ to: 'next' }], links: [{ to: 'at' }] });
  });

  it('with free member names is mapped when the members have one type', () => {
    expect(mediate(prices(z.number()), prices(z.number())).outcome).toBe('mapping');
    expect(mediate(prices(z.number()), prices(z.string())).outcome).toBe('ambiguous');
  });

  it('with one possible constant needs a person’s confirmation', () => {
    const source = context({ b: 'colour' });
    const target = context({ kind: z.literal('invoice'), a: 'colour' });
    expect(mediate(source, target)).toMatchObject({
      outcome: 'ambiguous',
      choices: [{ to: 'kind', only: 'invoice', alternatives: [] }],
    });
    expect(mediate(source, target, { choices: { kind: { value: 'invoice' } } })).toMatchObject({
      outcome: 'mapping',
      mapping: { constants: [{ to: 'kind', value: 'invoice' }] },
    });
  });

  it('of an optional part omits the part when it has no source', () => {
    const part = z.object({ city: z.string().describe('city'), zone: z.string().describe('tariff zone') });
    const target = deriveContext(z.object({ name: z.string().describe('name'), at: part.optional() }));
    const mediation = mediate(context({ n: 'name', c: 'city' }), target);
    expect(mediation.outcome).toBe('mapping');
    expect(linksOf(mediation)).toEqual({ name: 'n' });
    expect(asked(mediation)).toEqual({ 'at.city': ['c'] });
  });

  it('is every field of a context without requirements', () => {
    const mediation = mediate({ fields: { a: 'colour' } }, { fields: { b: 'colour', c: 'weight' } });
    expect(mediation).toMatchObject({ outcome: 'none', missing: [{ to: 'c' }] });
  });
});

const many = (count: number): UpContext => ({
  fields: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`f${at}`, `number ${at} of the list`]),
  ),
});

describe('A mediated context', () => {
  const honest = context({ a: 'colour' });

  it.each([
    ['an unknown field', { ...honest, fields: { z: 'colour' } }, '/fields/z'],
    ['a different constraint', { ...honest, constraints: { a: { type: 'number' } } }, '/constraints/a/type'],
    [
      'an extra requirement',
      { ...deriveContext(z.object({ a: z.string().optional() })), constraints: { a: { required: true } } },
      '/constraints/a/required',
    ],
    ['an invalid path', { fields: { 'a..b': 'colour' } }, '/fields/a..b'],
    ['a position that is too large', { fields: { 'a[1000000]': 'colour' } }, '/fields/a[1000000]'],
    ['a well-known prefix redefined', { prefixes: { schema: 'https://example.org/' } }, '/prefixes/schema'],
  ])('that contradicts its schema is refused: %s', (_, lying, path) => {
    for (const [one, other] of [
      [lying, honest],
      [honest, lying],
    ] as const)
      expect(refusal(() => mediate(one as UpContext, other as UpContext))).toMatchObject({
        code: 'document_invalid',
        details: { issues: [{ path }] },
      });
  });

  it('of 10,000 fields is refused, and one of 500 is accepted', () => {
    expect(refusal(() => mediate(many(10_000), honest))).toMatchObject({ code: 'document_invalid' });
    expect(linksOf(mediate(many(500), { fields: { to: 'number 77 of the list' } }))).toEqual({ to: 'f77' });
  });

  it('gives the same frozen result each time', () => {
    for (const { source, target, prefixes } of pairs) {
      const hints = prefixes === undefined ? {} : { prefixes };
      const [from, to] = [deriveContext(source, hints), deriveContext(target, hints)];
      const mediation = mediate(from, to);
      expect(JSON.stringify(mediate(from, to))).toBe(JSON.stringify(mediation));
      expect(Object.isFrozen(mediation.links)).toBe(true);
    }
  });
});
