import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { deriveContext } from 'agentcharter/semantics';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { JsonObject } from '../../../../../schema/formats.ts';

declare global {
  interface ArkEnv {
    meta(): { concepts?: readonly string[] };
  }
}

const concepts = ['schema:email'];
const description = 'contact address';

const schemas = {
  zod: z.object({
    candidates: z.array(
      z.object({
        email: z.email().describe(description).meta({ concepts }),
        rate: z.number().min(1).optional(),
      }),
    ),
  }),
  'zod/mini': mini.object({
    candidates: mini.array(
      mini.object({
        email: mini.email().register(mini.globalRegistry, { description, concepts }),
        rate: mini.optional(mini.number().check(mini.minimum(1))),
      }),
    ),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      candidates: v.array(
        v.object({
          email: v.pipe(v.string(), v.email(), v.description(description), v.metadata({ concepts })),
          rate: v.optional(v.pipe(v.number(), v.minValue(1))),
        }),
      ),
    }),
  ),
  arktype: type({
    candidates: type({
      email: type('string.email').describe(description, 'self').configure({ concepts }, 'self'),
      'rate?': 'number >= 1',
    }).array(),
  }),
  'JSON Schema': {
    type: 'object',
    properties: {
      candidates: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            email: { type: 'string', format: 'email', description, concepts },
            rate: { type: 'number', minimum: 1 },
          },
          required: ['email'],
        },
      },
    },
    required: ['candidates'],
  },
};

const trees = {
  zod: (() => {
    const tree = z.object({
      name: z.string(),
      get kids() {
        return z.array(tree);
      },
    });
    return tree;
  })(),
  valibot: (() => {
    interface Tree {
      name: string;
      kids: Tree[];
    }
    const tree: v.GenericSchema<Tree> = v.object({ name: v.string(), kids: v.array(v.lazy(() => tree)) });
    return toStandardJsonSchema(tree);
  })(),
  arktype: type.module({ tree: { name: 'string', kids: 'tree[]' } }).tree,
};

const draft07Alone = ({ target }: { target: string }): JsonObject => {
  if (target !== 'draft-07') throw new Error(`no ${target}`);
  return { items: [{ $ref: '#/definitions/a' }], definitions: { a: { type: 'string' } } };
};

describe('A context from a schema library', () => {
  it.each(Object.entries(schemas))('is derived from a schema of %s', (_, schema) => {
    const { fields, concepts: tags, constraints } = deriveContext(schema);
    expect(fields).toEqual({ 'candidates[].email': { description, concepts } });
    expect(tags).toEqual(concepts);
    expect(constraints).toMatchObject({
      $: { type: 'object' },
      candidates: { type: 'array', required: true },
      'candidates[]': { type: 'object' },
      'candidates[].email': { type: 'string', format: 'email', required: true },
      'candidates[].rate': { type: 'number', minimum: 1 },
    });
    expect(constraints?.['candidates[].rate']).not.toHaveProperty('required');
    expect(deriveContext(schema)).toEqual(deriveContext(schema));
  });

  it.each(Object.entries(trees))('stops where a recursive schema of %s repeats', (_, schema) => {
    const { constraints = {} } = deriveContext(schema);
    const repeats = Object.entries(constraints).filter(([, said]) => 'repeats' in (said as object));
    expect([
      [['kids[]', { repeats: '$' }]],
      [['kids[].kids[]', { repeats: 'kids[]' }]], // valibot tells the first level twice
    ]).toContainEqual(repeats);
  });

  it('describes the input of a schema, and not its output', () => {
    const schema = z.object({ size: z.string().transform(Number), unit: z.string().default('cm') });
    expect(deriveContext(schema).constraints).toMatchObject({
      size: { type: 'string', required: true },
      unit: { type: 'string', default: 'cm' },
    });
  });

  it('is derived from a library that prints draft-07 only', () => {
    const standard = {
      version: 1 as const,
      vendor: 'older',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: draft07Alone },
    };
    expect(deriveContext({ '~standard': standard }).constraints).toEqual({
      $: {},
      '[0]': { type: 'string' },
    });
  });
});
