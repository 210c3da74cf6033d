import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerSchema } from '../../../../src/adapters/openai-compatible/answer-schema.ts';
import { standardInstructions } from '../../../../src/adapters/openai-compatible/prompt.ts';
import { shapeOf } from '../../../../src/adapters/openai-compatible/shape.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import type { Turn } from '../../../../src/index.ts';
import type { Review } from '../../../../src/base/ports/model.ts';
import { runs } from '../../../machines/generated.ts';
import { draft, further, plan } from '../../core/shell/scripted.ts';
import { jsonSchemas, values } from '../../optional/semantics/derive/generated.ts';
import { validatorIfAny, validatorOf, verdict } from '../../optional/semantics/derive/validator.ts';
import { turnOf } from './endpoint.ts';
import { share } from '../../../share.ts';

const words = ['type', 'description', 'enum', 'const', 'required'];
const nested = ['properties', 'items', 'anyOf', 'additionalProperties'];

const wordsIn = (shape: unknown): readonly string[] => {
  if (typeof shape !== 'object' || shape === null) return [];
  const { properties, items, anyOf, additionalProperties } = shape as JsonObject;
  const below = [items, additionalProperties, ...Object.values(properties ?? {}), ...((anyOf ?? []) as [])];
  return [...Object.keys(shape), ...below.flatMap(wordsIn)];
};

describe('The shape of a schema', () => {
  it('accepts everything that the schema accepts, in a handful of keywords', () => {
    let seen = 0;
    fc.assert(
      fc.property(jsonSchemas, fc.array(values, { minLength: 20, maxLength: 30 }), (schema, tried) => {
        const shape = shapeOf(schema);
        expect(wordsIn(shape).filter((word) => ![...words, ...nested].includes(word))).toEqual([]);
        const [taken, shaped] = [validatorIfAny(schema), validatorOf(shape)];
        if (taken === undefined) return;
        for (const value of tried.filter((one) => verdict(taken, one) === true)) {
          expect({ shape, value, isTaken: shaped(value) }).toEqual({ shape, value, isTaken: true });
          seen += 1;
        }
      }),
      runs(share(25, 12)),
    );
    expect(seen).toBeGreaterThan(10);
  });

  it.each([
    ['a tuple', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1]],
    ['a tuple of draft 7', { items: [{ type: 'string' }], additionalItems: false }, ['a']],
    [
      'keys by pattern',
      { properties: {}, patternProperties: { a: {} }, additionalProperties: false },
      { a: 1 },
    ],
    ['a $ref with siblings in draft 7', { $ref: '#/$defs/n', type: 'string', $defs: { n: {} } }, 1],
    ['a oneOf', { oneOf: [{ type: 'number' }, { const: 'a' }] }, 'a'],
  ])('of %s is no narrower', (_, schema, value) => {
    expect(validatorOf(shapeOf(schema))(value)).toBe(true);
  });

  it('has every alternative of anyOf and oneOf', () => {
    const either = [{ type: 'number' }, { const: 'a' }];
    expect(shapeOf({ oneOf: either })).toEqual({ anyOf: either });
    expect(shapeOf({ anyOf: either })).toEqual({ anyOf: either });
  });

  it('marks a free object as free', () => {
    expect(shapeOf({ type: 'object' })).toEqual({ type: 'object', additionalProperties: true });
    const named = { type: 'object', properties: { a: {} } };
    expect(shapeOf(named)).toEqual(named);
  });
});

describe('The schema of a model answer', () => {
  const listed = { description: '', tier: 'read_only' as const };
  const Id = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const tools = [
    { ...listed, name: 'lookup', input: Id },
    { ...listed, name: 'free', input: null },
  ];
  const isTaken = (turn: Partial<Turn>, answer: unknown): boolean =>
    validatorOf(answerSchema(turnOf({ tools, ...turn }), Id))({ answer });
  const lookup = { tool: 'lookup', arguments: { id: 'a' } };
  const drafts: Partial<Turn> = { asks: 'draft', wants: 'draft' };
  const explained = { explanation: 'So it is.' };
  const lacking = plan([lookup], { missing: { city: 'Where?' } }); // only a plan may lack something

  it('accepts a plan, with each tool’s own arguments', () => {
    const asked = {
      canProceed: false,
      missing: { city: 'Where?' },
      questions: ['Where?'],
      alternatives: [1],
    };
    expect(isTaken({}, plan([], asked))).toBe(true);
    expect(isTaken({}, plan([lookup, { tool: 'free', arguments: { any: [1] } }]))).toBe(true);
    expect(isTaken({}, plan([{ tool: 'lookup', arguments: {} }]))).toBe(false);
    expect(isTaken({}, plan([{ tool: 'unknown', arguments: {} }]))).toBe(false);
    expect(isTaken({}, draft({ id: 'a' }))).toBe(false);
  });

  it('accepts a draft with the wanted payload, or further calls if there are tools', () => {
    expect(isTaken(drafts, draft({ id: 'a' }))).toBe(true);
    expect(isTaken(drafts, draft({ other: 1 }))).toBe(false);
    expect(isTaken(drafts, further(lookup))).toBe(true);
    expect(isTaken(drafts, { ...explained, calls: [lookup] })).toBe(false);
    expect(isTaken({ ...drafts, tools: [] }, further())).toBe(false);
    expect(isTaken(drafts, lacking)).toBe(false);
  });

  it.each([
    ['plan', plan([lookup]), draft({ id: 'a' })],
    ['draft', draft({ id: 'a' }), lacking],
  ] as const)('accepts each correction, with a complete %s as the fix', (wants, output, other) => {
    const correction: Partial<Turn> = { asks: 'correction', wants };
    expect(isTaken(correction, { choice: 'fixed', output, ...explained })).toBe(true);
    expect(isTaken(correction, { choice: 'fixed', output: other, ...explained })).toBe(false);
    expect(isTaken(correction, { choice: 'needHuman', ...explained })).toBe(true);
    expect(isTaken(correction, { choice: 'beyondCapability', ...explained })).toBe(true);
    expect(isTaken(correction, output)).toBe(false);
  });

  it('accepts the adoption of a review that the turn has, and no other', () => {
    const messageId = '00000000-0000-4000-8000-00000000abcd';
    const message = { messageId } as Review['message'];
    const reviews: readonly Review[] = [
      { by: 'critic', feedback: { type: 'edit', target: messageId }, message },
    ];
    const adoption = { adopts: messageId, canProceed: true, confidence: 0.9, ...explained };
    for (const turn of [{}, drafts]) {
      expect(isTaken({ ...turn, reviews }, adoption)).toBe(true);
      expect(isTaken({ ...turn, reviews }, { ...adoption, adopts: 'another' })).toBe(false);
      expect(isTaken({ ...turn, reviews }, { ...adoption, calls: [] })).toBe(false);
      expect(isTaken(turn, adoption)).toBe(false);
    }
    const fixed = { choice: 'fixed', output: adoption, ...explained };
    expect(isTaken({ asks: 'correction', reviews }, fixed)).toBe(true);
    expect(standardInstructions(turnOf({ reviews }))).toContain('"adopts"');
    expect(standardInstructions(turnOf())).not.toContain('"adopts"');
  });

  it('names references only where a call may have one', () => {
    const sources = [{ alias: 'request' }];
    expect(standardInstructions(turnOf({ sources }))).toContain('"$from"');
    expect(standardInstructions(turnOf())).not.toContain('"$from"');
  });

  it('has no place for a state, a tier or an identity', () => {
    for (const claimed of ['state', 'tier', 'identity', 'approved'])
      expect(isTaken({}, plan([], { [claimed]: 'completed' }))).toBe(false);
  });
});
