import { applyMapping, deriveContext, mediate, type Mediation } from 'agentcharter/semantics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../machines/generated.ts';
import { hostile } from '../mediation/pairs/hostile.ts';
import { pairs } from '../mediation/pairs/index.ts';
import { kept } from '../mediation/pairs/kept/index.ts';
import { email, misleading, recipients, type Fields } from './literal-pairs.ts';
import { share } from '../../../../share.ts';

const between = (source: Fields, target: Fields): Mediation =>
  mediate({ fields: source }, { fields: target });

const linksOf = ({ outcome, links }: Mediation) => ({
  outcome,
  links: links.map(({ from, to }) => `${from} -> ${to}`),
});

describe('The two contexts of the paper, without schemas [UpFormat 3.1, 3.2]', () => {
  const shortlist = {
    entity: 'candidates',
    fields: { 'candidates[].name': 'full name', ...email, 'candidates[].rate': 'euros an hour' },
    concepts: ['software_engineer', 'schema:Person'],
  };
  const candidates = [
    { name: 'Inês Moreira', email: 'ines@example.org', rate: 90 },
    { name: 'Ada Byron', email: 'ada@example.org', rate: 80 },
  ];

  it.each([{ 'recipients[]': 'email addresses' }, { recipients: 'email addresses' }])(
    'map candidates[].email to recipients[]: %j',
    (fields) => {
      const mediation = mediate(shortlist, { fields });
      expect(mediation).toMatchObject({
        outcome: 'mapping',
        links: [{ from: 'candidates[].email', to: 'recipients[]', why: ['kind', 'description'] }],
      });
      if (mediation.outcome !== 'mapping') return;
      const result = applyMapping(mediation.mapping, { candidates });
      expect(result).toEqual({ recipients: ['ines@example.org', 'ada@example.org'] });
    },
  );

  it.each<readonly [string, Fields, Fields, string]>([
    ['one field', email, recipients, 'candidates[].email -> recipients[]'],
    ['flat names', { email: 'contact address' }, { recipients: 'email addresses' }, 'email -> recipients'],
    ['one value for a list', { email: 'contact address' }, recipients, 'email -> recipients[]'],
    [
      'a concept of the field',
      { 'candidates[].email': { description: 'contact address', concepts: ['schema:email'] } },
      recipients,
      'candidates[].email -> recipients[]',
    ],
    [
      'the owner in the description',
      { 'clients[].email': 'address of the client', 'clients[].age': 'years' },
      recipients,
      'clients[].email -> recipients[]',
    ],
    [
      'other names',
      { 'clients[].emailAddress': 'contact address' },
      { 'to[]': 'e-mail addresses' },
      'clients[].emailAddress -> to[]',
    ],
    [
      'web addresses',
      { 'results[].url': 'web address' },
      { 'links[]': 'web URLs' },
      'results[].url -> links[]',
    ],
  ])('map with %s', (_, source, target, link) => {
    expect(linksOf(between(source, target))).toEqual({ outcome: 'mapping', links: [link] });
  });

  it.each(['people', 'x', 'ListeDerPersonen', '候補者'])('map whatever the list is called: %s', (list) => {
    const mediation = between({ [`${list}[].email`]: 'contact address' }, recipients);
    expect(linksOf(mediation).links).toEqual([`${list}[].email -> recipients[]`]);
  });

  it('let a person choose another source for the value without brackets', () => {
    const target = { fields: { recipients: 'email addresses' } };
    const chosen = mediate(shortlist, target, { choices: { recipients: 'candidates[].name' } });
    expect(linksOf(chosen)).toEqual({ outcome: 'mapping', links: ['candidates[].name -> recipients'] });
  });
});

describe('A pair of contexts without schemas', () => {
  it.each(misleading)('is left to a person: %s', (_, source, target) => {
    expect(between(source, target).outcome).not.toBe('mapping');
    expect(between(source, target).links).toEqual([]);
  });

  it.each([
    ['constraints', { constraints: {} }],
    ['a schema', { schema: 'https://example.org/schema.json' }],
  ])('is left to a person if one has %s: a name says nothing then', (_, more) => {
    const [source, target] = [{ fields: email }, { fields: recipients }];
    expect(mediate({ ...source, ...more }, target).links).toEqual([]);
    expect(mediate(source, { ...target, ...more }).links).toEqual([]);
  });

  it('is left to a person if an entity or a name has a further word', () => {
    const word = fc.stringMatching(/^[b-df-hj-np-tv-z]{4,8}$/u); // no vowel: no word that it knows
    fc.assert(
      fc.property(word, (more) => {
        const target = { fields: { 'emails[]': 'email addresses' }, entity: `${more} list` };
        expect(mediate({ fields: email }, target).links).toEqual([]);
        for (const [source, taken] of [
          [{ 'candidates[].email': `${more} contact address` }, recipients],
          [{ [`candidates[].${more}Email`]: 'contact address' }, recipients],
          [{ [`candidates[].email_${more}`]: 'contact address' }, recipients],
          [email, { 'recipients[]': `email addresses of ${more}` }],
          [email, { [`${more}[]`]: 'email addresses' }],
          [email, { [`${more}.recipients[]`]: 'email addresses' }],
        ] as const)
          expect(between(source, taken).links).toEqual([]);
      }),
      runs(share(50, 20)),
    );
  });

  it('has no link by kind if it is made of public shapes: these say more than a kind', () => {
    const links = [...pairs, ...kept, ...hostile].flatMap(({ name, source, target, prefixes }) => {
      const [from, to] = [source, target].map((schema) => {
        const context = deriveContext(schema, prefixes ? { prefixes } : {});
        return Object.fromEntries(
          Object.entries(context).filter(([name]) => !['schema', 'constraints'].includes(name)),
        );
      });
      return mediate(from ?? {}, to ?? {})
        .links.filter(({ why }) => why.includes('kind'))
        .map((link) => `${name}: ${link.from} -> ${link.to}`);
    });
    expect(links).toEqual([]);
  });
});
