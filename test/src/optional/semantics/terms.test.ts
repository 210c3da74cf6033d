import { deriveContext } from 'agentcharter/semantics';
import { describe, expect, it } from 'vitest';
import {
  iriOf,
  isProperty,
  knownPrefixes,
  namespaceOf,
  Prefixes,
} from '../../../../src/optional/semantics/terms.ts';

describe('A term [UpFormat 2.4]', () => {
  it.each([
    ['schema:Person', 'https://schema.org/Person'],
    ['wikidata:Q5', 'http://www.wikidata.org/entity/Q5'],
    ['http://schema.org/Person', 'https://schema.org/Person'],
    ['https://example.org/hr#grade', 'https://example.org/hr#grade'],
    ['urn:example:grade', 'urn:example:grade'],
    ['hr:grade', 'https://example.org/hr#grade'],
  ])('of an ontology has one IRI: %s', (term, iri) => {
    expect(iriOf(term, { hr: 'https://example.org/hr#' })).toBe(iri);
  });

  it.each(['software_engineer', 'level:high', 'a b:c', ':x', 'constructor:x', 'toString:y', ''])(
    'without a known prefix is a free tag: %j',
    (tag) => {
      expect(iriOf(tag)).toBeUndefined();
    },
  );

  it('belongs to one vocabulary, and may be too general to match', () => {
    expect(namespaceOf('https://example.org/hr#grade')).toBe('https://example.org/hr#');
    expect(namespaceOf('https://schema.org/Person')).toBe(knownPrefixes['schema']);
    expect(isProperty('https://schema.org/name')).toBe(false);
    expect(isProperty('https://schema.org/email')).toBe(true);
    expect(isProperty('https://schema.org/Person')).toBe(false);
  });
});

describe('A prefix', () => {
  it.each([
    [{ schema: 'https://example.org/' }, 'always means'],
    [{ https: 'https://example.org/' }, 'always means itself'],
    [{ hr: 'https://example.org/hr' }, 'expected an absolute IRI'],
    [{ hr: 'javascript:alert(1)/' }, 'expected an absolute IRI'],
    [{ 'h:r': 'https://example.org/' }, 'expected a name'],
  ])('that is ambiguous or has no absolute IRI is refused: %j', (prefixes, message) => {
    expect(JSON.stringify(Prefixes.safeParse(prefixes).error?.issues)).toContain(message);
  });

  it('of a hint is copied into the context whose terms use it', () => {
    const prefixes = { hr: 'https://example.org/hr#' };
    const schema = { type: 'object', properties: { grade: { predicate: 'hr:grade', unit: '1' } } };
    expect(deriveContext(schema, { prefixes })).toMatchObject({
      fields: { grade: { description: 'hr:grade', predicate: 'hr:grade', unit: '1' } },
      prefixes,
    });
    expect(() => deriveContext(schema, { prefixes: { schema: 'https://example.org/' } })).toThrow(
      /prefixes/u,
    );
  });

  it('of a unit is dropped when alternatives disagree', () => {
    const one = { type: 'number', unit: 'cm', predicate: 'schema:height' };
    const schema = { properties: { height: { anyOf: [one, { ...one, unit: 'm' }] } } };
    expect(deriveContext(schema).fields).toEqual({
      height: { description: 'schema:height', predicate: 'schema:height' },
    });
  });
});
