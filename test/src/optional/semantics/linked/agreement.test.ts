import { deriveContext } from 'agentcharter/semantics';
import { shapeJudge } from 'agentcharter/semantics/shacl';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCharterError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../schema/formats.ts';
import { runs } from '../../../../machines/generated.ts';
import { jsonSchemas, values } from '../derive/generated.ts';
import { validatorIfAny, validatorOf, verdict } from '../derive/validator.ts';
import { objectsFor, sayable } from './described.ts';

/** What is derived, or nothing where the schema unfolds too far. */
const derived = (schema: JsonObject): object | undefined => {
  try {
    return deriveContext(schema);
  } catch (error) {
    if (isCharterError(error, 'definition_invalid')) return undefined;
    throw error;
  }
};

describe('SHACL shapes and JSON Schema', () => {
  it('agree on everything that both can express', () => {
    const seen = { taken: 0, refused: 0 };
    const described = sayable.chain((schema) =>
      fc.tuple(fc.constant(schema), fc.array(objectsFor(schema), { minLength: 4, maxLength: 6 })),
    );
    fc.assert(
      fc.property(described, ([schema, tried]) => {
        const takes = validatorOf(schema);
        const judge = shapeJudge(deriveContext(schema));
        for (const payload of tried) {
          const expected = takes(payload);
          const { conforms, findings, unsaid } = judge(payload);
          seen[expected ? 'taken' : 'refused'] += 1;
          expect({ payload, conforms, unsaid }).toEqual({ payload, conforms: expected, unsaid: {} });
          expect(findings.length > 0).toBe(!expected);
        }
      }),
      runs(20),
    );
    expect(seen.taken).toBeGreaterThan(4);
    expect(seen.refused).toBeGreaterThan(4);
  });

  it('differ only by shapes that accept more, when they omit a keyword', () => {
    const seen = { taken: 0, refused: 0, unsaid: 0 };
    const objects = fc.array(
      values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
      { minLength: 8, maxLength: 12 },
    );
    fc.assert(
      fc.property(jsonSchemas, objects, (schema, tried) => {
        fc.pre(!/"required":\[[^\]]*""/.test(JSON.stringify(schema))); // Ajv does not miss a member without a name
        const [context, takes] = [derived(schema), validatorIfAny(schema)];
        if (context === undefined || takes === undefined) return;
        const judge = shapeJudge(context);
        for (const payload of tried) {
          const { conforms, findings, unsaid } = judge(payload);
          if (verdict(takes, payload) === true) {
            seen.taken += 1;
            expect({ payload, findings, unsaid }).toEqual({ payload, findings: [], unsaid });
          }
          seen.refused += conforms ? 0 : 1;
          seen.unsaid += Object.keys(unsaid).length > 0 ? 1 : 0;
        }
      }),
      runs(20),
    );
    expect(seen.taken).toBeGreaterThan(4);
    expect(seen.refused).toBeGreaterThan(4);
    expect(seen.unsaid).toBeGreaterThan(4);
  });
});
