import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageEnvelope, documents, jsonSchemas } from '../../schema/index.ts';
import type { DocumentName } from '../../schema/index.ts';
import { fitting, runs } from './arbitraries.ts';
import { mutated } from './mutation.ts';

const printed = jsonSchemas();
const names = Object.keys(documents) as DocumentName[];
const folder = new URL('../../schema/json/', import.meta.url);

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

describe('schema/json', () => {
  test.each(names)('contains the JSON Schema of %s as zod prints it', async (name) => {
    const file = new URL(`${name}.schema.json`, folder).pathname;
    await expect(`${JSON.stringify(printed[name], null, 2)}\n`).toMatchFileSnapshot(file);
  });

  test('contains one file for each document, that of the gateway, and no other', () => {
    const others = ['charter']; // the file of the gateway: test/src/apps/gateway/file-schema.test.ts
    const all = [...names, ...others].map((name) => `${name}.schema.json`);
    expect(readdirSync(folder).toSorted()).toEqual(all.toSorted());
    expect(names).toHaveLength(13);
  });
});

describe('The zod schema and its printed JSON Schema', () => {
  test.each(names)('agree on any %s', (name) => {
    const accepts = ajv.compile(printed[name]);
    const seen = { valid: 0, invalid: 0 };
    const once = mutated(fitting[name]);
    const any = fc.oneof(fitting[name], once, mutated(once));
    fc.assert(
      fc.property(any, (document) => {
        const verdict = documents[name].safeParse(document).success;
        seen[verdict ? 'valid' : 'invalid'] += 1;
        expect(accepts(document)).toBe(verdict);
      }),
      runs,
    );
    expect(seen.valid).toBeGreaterThan(runs.numRuns / 20);
    expect(seen.invalid).toBeGreaterThan(runs.numRuns / 20);
  });
});

describe('A valid document', () => {
  test.each(names)('is unchanged after parsing %s', (name) => {
    fc.assert(
      fc.property(fitting[name], (document) => {
        const before = structuredClone(document);
        expect(isDeepStrictEqual(documents[name].parse(document), before)).toBe(true);
        expect(isDeepStrictEqual(document, before)).toBe(true);
      }),
      runs,
    );
  });
});

test('An envelope with any unknown key is refused', () => {
  const known = Object.keys(MessageEnvelope.shape);
  const key = fc.string({ maxLength: 12 }).filter((key) => key !== '__proto__' && !known.includes(key));
  fc.assert(
    fc.property(fitting['message-envelope'], key, fc.jsonValue({ maxDepth: 1 }), (envelope, key, value) => {
      expect(MessageEnvelope.safeParse({ ...(envelope as object), [key]: value }).success).toBe(false);
    }),
    runs,
  );
});
