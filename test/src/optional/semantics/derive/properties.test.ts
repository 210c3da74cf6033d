import { deriveContext } from 'agentcharter/semantics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UpContext } from '../../../../../schema/index.ts';
import { isCharterError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../schema/formats.ts';
import { runs } from '../../../../machines/generated.ts';
import { jsonSchemas, values } from './generated.ts';
import { validatorIfAny, validatorOf, verdict } from './validator.ts';

/** What is derived, or nothing where the schema unfolds too far. */
const derived = (schema: JsonObject): UpContext | undefined => {
  try {
    return deriveContext(schema);
  } catch (error) {
    if (isCharterError(error, 'definition_invalid') && error.message.includes('unfolds too far'))
      return undefined;
    throw error;
  }
};

describe('A context derived from any schema', () => {
  it('fits UpContext, is deterministic, and accepts a hint for each of its paths', () => {
    const seen = { derived: 0, paths: 0, repeats: 0 };
    fc.assert(
      fc.property(jsonSchemas, (schema) => {
        const context = derived(schema);
        if (context === undefined) return;
        const paths = Object.keys(context.constraints ?? {});
        seen.derived += 1;
        seen.paths += paths.length;
        seen.repeats += JSON.stringify(context.constraints).includes('"repeats"') ? 1 : 0;
        expect(UpContext.parse(context)).toEqual(context);
        expect(deriveContext(structuredClone(schema))).toEqual(context);
        expect(paths).toEqual(expect.arrayContaining(Object.keys(context.fields ?? {})));
        const fields = Object.fromEntries(paths.map((path) => [path, 'hinted']));
        expect(Object.keys(deriveContext(schema, { fields }).fields ?? {}).toSorted()).toEqual(
          paths.toSorted(),
        );
      }),
      runs(300),
    );
    expect(seen.derived).toBeGreaterThan(150);
    expect(seen.paths).toBeGreaterThan(seen.derived * 2);
    expect(seen.repeats).toBeGreaterThan(3);
  });

  it('adds no demand on the payload beyond the schema', () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(jsonSchemas, fc.array(values, { minLength: 10, maxLength: 20 }), (schema, tried) => {
        const rootConstraints = derived(schema)?.constraints?.['$'] as JsonObject | undefined;
        if (rootConstraints === undefined || Object.keys(rootConstraints).length === 0) return;
        const [takes, fits] = [validatorIfAny(schema), validatorOf(rootConstraints)];
        if (takes === undefined) return;
        const taken = tried.filter((value) => verdict(takes, value) === true);
        seen.taken += taken.length;
        seen.refused += tried.filter((value) => verdict(fits, value) === false).length;
        expect(taken.filter((value) => verdict(fits, value) === false)).toEqual([]);
      }),
      runs(60),
    );
    expect(seen.taken).toBeGreaterThan(40);
    expect(seen.refused).toBeGreaterThan(40);
  });
});
