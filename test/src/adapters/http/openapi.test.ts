// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type * as documents from '../../../../src/adapters/http/documents.ts';
import { routes } from '../../../../src/adapters/http/routes/index.ts';
import type { CallOutcome, Conclusion } from '../../../../src/guard/index.ts';
import type { Progress } from '../../../../src/core/shell/progress.ts';
import type { InboxEntry } from '../../../../src/core/kernel/summary.ts';
import type { Emission } from '../../../../src/base/ports/emission.ts';
import { ajv, description, undescribed, validatorOf } from './described.ts';
import { raw, served } from './served.ts';

const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Every object that refers to another, wherever it stands. */
const refsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
};

/** As `readonly` as what is answered with. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;
type Documented<Name extends keyof typeof documents> = Frozen<z.input<(typeof documents)[Name]>>;

describe('The OpenAPI description', () => {
  it('is served as OpenAPI 3.1', async () => {
    const { get } = await served();
    expect(await get('/openapi.json', { as: null })).toEqual(description);
    expect(description.openapi).toMatch(/^3\.1\./);
  });

  it('holds every served route and no other, each under a unique name', () => {
    const described = operations.map(({ path, method }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(routes.map(({ path, method }) => `${method} ${path}`).toSorted());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(routes.length);
    expect(routes.length).toBeGreaterThan(12);
  });

  it.each(operations)('describes $method $path as it is', async ({ path, method }) => {
    const { url } = await served();
    const place = path.replace(/\{\w+\}/, crypto.randomUUID());
    const sent = { method, as: 'kim', ...(method === 'POST' && { body: '"nonsense"' }) };
    const { status } = await raw(`${url}${place}`, sent);
    expect([200, 403, 404, 422]).toContain(status);
    const { headers } = await raw(`${url}${place}`, { method: 'OPTIONS' });
    expect(headers.allow?.split(', ')).toContain(method);
  });

  it('refers only to schemas that it holds', () => {
    const known = Object.keys(description.components.schemas).map((name) => `#/components/schemas/${name}`);
    const named = new Set(refsIn(description));
    expect([...named].filter((ref) => !known.includes(ref))).toEqual([]);
    expect(named.size).toBeGreaterThan(15);
  });

  it.each(Object.keys(description.components.schemas))('has JSON Schema for %s', (name) => {
    const schema = description.components.schemas[name] ?? {};
    expect(new Ajv2020().validateSchema(schema)).toBe(true);
    expect(Object.keys(schema).length).toBeGreaterThan(0);
    const validate = validatorOf({ $ref: `#/components/schemas/${name}` });
    expect(validate(Symbol.iterator), ajv.errorsText()).toBe(false);
  });

  it('rejects an answer of another shape', () => {
    const answered = { status: 200, type: 'application/json', body: '{"status":"done"}' };
    expect(undescribed('POST', `/runs/${crypto.randomUUID()}/calls`, answered)).toContain('call:');
    expect(undescribed('POST', '/runs', { ...answered, status: 418 })).toContain('not described');
  });

  it('describes every answer as its type does', () => {
    expectTypeOf<Progress & { readonly questions: readonly InboxEntry[] }>().toExtend<
      Documented<'RunView'>
    >();
    expectTypeOf<CallOutcome>().toExtend<Documented<'CallOutcome'>>();
    expectTypeOf<Conclusion>().toExtend<Documented<'Conclusion'>>();
    expectTypeOf<{ readonly documents: readonly Emission[] }>().toExtend<Documented<'Documents'>>();
  });
});
