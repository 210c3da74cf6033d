import { describe, expect, test } from 'vitest';
import { UpContext } from '../../../schema/index.ts';

const fits = (context: unknown): boolean => UpContext.safeParse(context).success;

describe('upContext', () => {
  test('accepts the five optional fields of Table 2', () => {
    expect(Object.keys(UpContext.shape)).toEqual(['entity', 'fields', 'concepts', 'constraints', 'schema']);
    expect(fits({})).toBe(true);
  });

  test('accepts a sentence as a field’s description, or an object with one', () => {
    expect(fits({ fields: { 'candidates[].email': 'contact address' } })).toBe(true);
    const predicate = { description: 'contact address', predicate: 'schema:email' };
    expect(UpContext.parse({ fields: { email: predicate } })).toEqual({ fields: { email: predicate } });
    expect(fits({ fields: { email: { predicate: 'schema:email' } } })).toBe(false);
  });

  test('accepts formal and free concepts together', () => {
    expect(fits({ concepts: ['schema:Person', 'wikidata:Q5', 'software_engineer'] })).toBe(true);
    expect(fits({ concepts: [1] })).toBe(false);
  });

  test('accepts a JSON Schema or a reference to one', () => {
    expect(fits({ schema: 'https://example.com/candidate.json' })).toBe(true);
    expect(fits({ schema: { type: 'object' } })).toBe(true);
    expect(fits({ schema: '' })).toBe(false);
    expect(fits({ schema: 7 })).toBe(false);
  });
});
