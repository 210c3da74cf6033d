// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  applyMapping,
  deriveContext,
  mediate,
  type ApplicationOptions,
  type Mapping,
  type Mediation,
} from 'agentcharter/semantics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/formats.ts';
import type { UpContext } from '../../../../../schema/index.ts';
import { isCharterError } from '../../../../../src/base/errors.ts';
import type { StandardSchema } from '../../../../../src/base/ports/schema.ts';
import { runs } from '../../../../machines/generated.ts';
import { jsonSchemas, values } from '../derive/generated.ts';
import { payloadsOf, schemas } from '../mediation/pairs/hostile-generated.ts';
import { beyond, hostile } from '../mediation/pairs/hostile.ts';
import { pairs, type Pair } from '../mediation/pairs/index.ts';
import { units } from '../mediation/units.ts';
import { forged, heavy, many } from './heavy.ts';

const mediated = ({ source, target }: Pair): Mediation =>
  mediate(deriveContext(source), deriveContext(target), { units });

const isMisled = (pair: Pair): boolean => {
  const { links, outcome } = mediated(pair);
  return outcome === 'mapping' || links.some(({ from, to }) => pair.right[to] !== from);
};

describe('A hostile pair of schemas', () => {
  it('has a unique name, and there are at least a hundred', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(100);
    expect(new Set(hostile.map(({ name }) => name)).size).toBe(hostile.length);
  });

  it('is seen through, except for the listed ones', () => {
    expect(hostile.filter(isMisled).map(({ name }) => name)).toEqual(beyond);
  });

  it.each(hostile.filter(({ name }) => !beyond.includes(name)))(
    'gets no mapping, only a question: $name',
    (pair) => {
      const { links, outcome } = mediated(pair);
      expect(
        links.filter(({ from, to }) => pair.right[to] !== from).map(({ from, to }) => [from, to]),
      ).toEqual([]);
      expect(outcome).not.toBe('mapping');
    },
  );
});

const refusalOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    if (isCharterError(error)) return error.code;
    throw error;
  }
};

const ajv = new Ajv2020({ strict: false, logger: false });
formats.default(ajv);

const linksOf = ({ links }: Mediation): readonly string[] =>
  links.map(({ from, to }) => `${from} ${to}`).toSorted();

const reversed = (context: UpContext): UpContext => ({
  ...context,
  ...(context.fields && { fields: Object.fromEntries(Object.entries(context.fields).toReversed()) }),
  ...(context.constraints && {
    constraints: Object.fromEntries(Object.entries(context.constraints).toReversed()),
  }),
});

const renamed = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll(/"(aa|bb|cc|dd)"/gu, '"zz$1yy"')) as JsonObject;

describe('The mediation of any two schemas', () => {
  it('links existing paths, each target once, whatever the order and the names', () => {
    const seen = { mappings: 0, links: 0 };
    fc.assert(
      fc.property(schemas, schemas, (one, other) => {
        const [source, target] = [deriveContext(one), deriveContext(other)];
        const mediation = mediate(source, target);
        seen.mappings += Number(mediation.outcome === 'mapping');
        seen.links += mediation.links.length;
        expect(Object.keys(source.constraints ?? {})).toEqual(
          expect.arrayContaining(mediation.links.map((link) => link.from)),
        );
        expect(Object.keys(target.constraints ?? {})).toEqual(
          expect.arrayContaining(mediation.links.map((link) => link.to)),
        );
        expect(new Set(mediation.links.map((link) => link.to)).size).toBe(mediation.links.length);
        const again = mediate(reversed(source), reversed(target));
        expect([again.outcome, linksOf(again)]).toEqual([mediation.outcome, linksOf(mediation)]);
        const elsewhere = mediate(deriveContext(renamed(one)), target);
        expect(linksOf(elsewhere)).toEqual(
          linksOf(mediation)
            .map((link) => link.replaceAll(/(?<=^\S*)(?:aa|bb|cc|dd)/gu, 'zz$&yy'))
            .toSorted(),
        );
      }),
      runs(80),
    );
    expect(seen.mappings).toBeGreaterThan(2);
    expect(seen.links).toBeGreaterThan(8);
  });

  it('maps a payload or refuses it', () => {
    const seen = { made: 0, refused: 0 };
    const cases = fc
      .tuple(schemas, schemas)
      .chain(([one, other]) => fc.tuple(fc.constant(one), fc.constant(other), payloadsOf(one)));
    fc.assert(
      fc.property(cases, ([one, other, payload]) => {
        const mediation = mediate(deriveContext(one), deriveContext(other));
        if (mediation.outcome !== 'mapping') return;
        expect(ajv.validate(one, payload), ajv.errorsText()).toBe(true);
        let made: unknown;
        const code = refusalOf(() => void (made = applyMapping(mediation.mapping, payload)));
        seen.refused += Number(code !== undefined);
        seen.made += Number(code === undefined);
        if (code !== undefined) expect(code).toBe('document_invalid');
        else expect([made, ajv.validate(other, made)]).toEqual([made, true]);
      }),
      runs(120),
    );
    expect(seen.made).toBeGreaterThan(2);
  });

  it('throws nothing but a CharterError', () => {
    fc.assert(
      fc.property(jsonSchemas, jsonSchemas, values, (one, other, value) => {
        refusalOf(() => {
          const mediation = mediate(deriveContext(one), deriveContext(other));
          if (mediation.outcome === 'mapping') applyMapping(mediation.mapping, value);
        });
      }),
      runs(100),
    );
  });
});

const plain = forged([['a', 'b']]);
const inches: UpContext = {
  fields: { a: { description: 'height', unit: '[in_i]' } },
  constraints: { a: { type: 'number' } },
};
const metres: UpContext = {
  fields: { a: { description: 'height', unit: 'm' } },
  constraints: { a: { type: 'number' } },
};
const broken = {
  convert: () => {
    throw new TypeError('no such unit');
  },
};
const answering = (validate: () => unknown) => ({
  schema: { '~standard': { version: 1, vendor: 'hostile', validate } } as unknown as StandardSchema,
});
const thrown = (cause: unknown) => () => {
  throw cause;
};
const apply = (mapping: Mapping, options?: ApplicationOptions) => () =>
  applyMapping(mapping, { a: 1, b: 2, list: [3] }, options);

describe('A mediation with invalid input', () => {
  it.each<readonly [string, () => unknown]>([
    ['units that throw in mediation', () => mediate(inches, metres, { units: broken })],
    [
      'units that throw in application',
      () => {
        const mediation = mediate(inches, metres, { units });
        if (mediation.outcome === 'mapping') applyMapping(mediation.mapping, { a: 1 }, { units: broken });
      },
    ],
    ['a schema that throws', apply(plain, answering(thrown(new Error('no'))))],
    ['a schema that throws undefined', apply(plain, answering(thrown(null)))],
    [
      'a schema that returns undefined',
      apply(
        plain,
        answering(() => undefined),
      ),
    ],
    [
      'a schema that returns no issues',
      apply(
        plain,
        answering(() => ({ issues: [null] })),
      ),
    ],
    [
      'a schema that returns a text',
      apply(
        plain,
        answering(() => ({ issues: 'no' })),
      ),
    ],
    ['an invalid schema', apply(plain, { schema: {} as StandardSchema })],
    ['a path of 20,000 members', apply(forged([['a', Array(20_000).fill('x').join('.')]]))],
    ['a path of 3,000 arrays', apply(forged([['a', `x${'[]'.repeat(3_000)}`]]))],
    [
      'a target of 5,000 levels',
      apply(forged([['a', 'b']], { target: { constraints: { [Array(5_000).fill('x').join('.')]: {} } } })),
    ],
  ])('throws only a CharterError: %s', (_, run) => {
    refusalOf(run);
  });
});

describe('A handmade mapping', () => {
  it.each<readonly [string, Mapping]>([
    [
      'has two links to one target',
      forged([
        ['a', 'x'],
        ['b', 'x'],
      ]),
    ],
    [
      'has a link into the value of another one',
      forged([
        ['a', 'x'],
        ['b', 'x.y'],
      ]),
    ],
    [
      'has a link to the payload and one to a member',
      forged([
        ['a', '$'],
        ['b', 'x'],
      ]),
    ],
    [
      'has places and elements in one array',
      forged([
        ['a', 'x[0]'],
        ['list[]', 'x[]'],
      ]),
    ],
    [
      'has members and elements in one value',
      forged([
        ['a', 'x.y'],
        ['list[]', 'x[]'],
      ]),
    ],
    ['has a position without the positions before it', forged([['a', 'x[2]']])],
    ['has a link to members without a name', forged([['a', 'x.*']])],
    [
      'has a link and a constant for one target',
      forged([['a', 'x']], { constants: [{ to: 'x', value: 9 }] }),
    ],
  ])('is refused if it %s', (_, mapping) => {
    expect(refusalOf(apply(mapping))).toBe('document_invalid');
  });

  it('cannot reach a prototype', () => {
    expect(
      apply(
        forged([
          ['constructor.name', 'x'],
          ['toString', 'y'],
          ['a', 'z'],
        ]),
      )(),
    ).toEqual({ z: 1 });
    expect(refusalOf(apply(forged([['a', '__proto__.polluted']])))).toBe('document_invalid');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('A mapping’s result', () => {
  it('is frozen', () => {
    expect(Object.isFrozen(apply(plain)())).toBe(true);
  });

  it('is refused when its validation answers asynchronously', () => {
    const later = { then: (settle: (answer: unknown) => void) => settle({ issues: [{ message: 'no' }] }) }; // oxlint-disable-line unicorn/no-thenable -- what is tried
    expect(
      refusalOf(
        apply(
          plain,
          answering(() => later),
        ),
      ),
    ).toBe('definition_invalid');
  });
});

describe('A mediation of the largest input', () => {
  it.each(heavy)('is answered, or refused with its code: %s', (_, code, run) => {
    expect(refusalOf(run)).toBe(code);
  });
});

/** Whether each of its values is described, and no two of them alike. */
const distinct = ({ source }: Pair): boolean => {
  const texts = JSON.stringify(source);
  const descriptions = texts.match(/"description":"[^"]*"/gu) ?? [];
  const values = texts.match(/"type":"(?:string|number|integer|boolean)"/gu) ?? [];
  const isDescribed = !/"type":"(?:string|number|integer|boolean)"(?![^{}]*"description")/u.test(texts);
  return (
    isDescribed && descriptions.length >= values.length && new Set(descriptions).size === descriptions.length
  );
};

describe('A context mapped onto itself', () => {
  it('is answered with 100 identical descriptions', () => {
    const same = many(100, () => 'one of the answers');
    expect(refusalOf(() => mediate(same, same))).toBeUndefined();
  });

  it('links each described value to itself when all descriptions differ', () => {
    const own = pairs.filter(distinct).map(({ name, source }) => ({ name, context: deriveContext(source) }));
    const not = own.filter(({ context }) => {
      const { choices, links, missing } = mediate(context, context);
      const lacksDescribed = missing.some(({ description }) => description !== '');
      return lacksDescribed || choices.length > 0 || links.some(({ from, to }) => from !== to);
    });
    expect(own.length).toBeGreaterThan(10);
    expect(not.map(({ name }) => name)).toEqual([]);
  });
});
