import { describe, expect, test } from 'vitest';
import { UpContext } from '../../../schema/index.ts';

const fits = (context: unknown): boolean => UpContext.safeParse(context).success;

describe('upContext', () => {
  test('holds the five fields of Table 2, each optional', () => {
    expect(Object.keys(UpContext.shape)).toEqual(['entity', 'fields', 'concepts', 'constraints', 'schema']);
    expect(fits({})).toBe(true);
  });

  test('describes a field by a sentence, or by an object with a description', () => {
    expect(fits({ fields: { 'candidates[].email': 'contact address' } })).toBe(true);
    const predicate = { description: 'contact address', predicate: 'schema:email' };
    expect(UpContext.parse({ fields: { email: predicate } })).toEqual({ fields: { email: predicate } });
    expect(fits({ fields: { email: { predicate: 'schema:email' } } })).toBe(false);
  });

  test('mixes formal and free concepts', () => {
    expect(fits({ concepts: ['schema:Person', 'wikidata:Q5', 'software_engineer'] })).toBe(true);
    expect(fits({ concepts: [1] })).toBe(false);
  });

  test('refers to a JSON Schema, or holds it', () => {
    expect(fits({ schema: 'https://example.com/candidate.json' })).toBe(true);
    expect(fits({ schema: { type: 'object' } })).toBe(true);
    expect(fits({ schema: '' })).toBe(false);
    expect(fits({ schema: 7 })).toBe(false);
  });
});
