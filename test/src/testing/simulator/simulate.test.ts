import { describe, expect, it, test } from 'vitest';
import { simulate, type Law } from 'agentcharter/testing';
import { seed, share } from '../../../share.ts';
import { charters } from './charters/index.ts';

const { charter, given } = charters.refund;

const failureOf = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('expected a failure');
};

const ordersOf = (one: number) => simulate(charter, given, { orders: 15, seed: one });

const threadOf = ({ message }: Error): string => message.slice(message.indexOf('What happened:'));

/** What no order keeps in which the refund was made. */
const never: Law = { name: 'nothing is refunded', holds: ({ effects }) => effects.length === 0 };

describe('In all orders, a charter whose parts are sound keeps every law:', () => {
  test.each(Object.entries(charters))('%s', async (_, around) => {
    const orders = Number(process.env['SIMULATED'] ?? share(200, 5));
    const done = await simulate(around.charter, around.given, { orders, seed });
    expect(done).toMatchObject({ orders, seed });
    expect(Object.values(done.ends).reduce((sum, count) => sum + count, 0)).toBe(orders);
  });
});

describe('A simulation', () => {
  it('meets deaths, failures and effects, and says how many', async () => {
    const done = await simulate(charter, given, { orders: 30 });
    expect(done.deaths).toBeGreaterThan(3);
    expect(done.effects).toBeGreaterThan(15);
    expect(Object.keys(done.ends).length).toBeGreaterThan(1);
    expect(Object.isFrozen(done)).toBe(true);
  });

  it('is the same for a seed, and another for another', async () => {
    const first = await ordersOf(3);
    expect(await ordersOf(3)).toEqual(first);
    expect(await ordersOf(4)).not.toEqual(first);
  });

  it('says how far it is', async () => {
    const heard: number[] = [];
    await simulate(charter, given, { orders: 3, onProgress: (orders) => heard.push(orders) });
    expect(heard).toEqual([1, 2, 3]);
  });
});

describe('A broken law', () => {
  it('is told with a short order, as sentences, and replayed', async () => {
    const broken = { ...given, laws: [never] };
    const failure = await failureOf(simulate(charter, broken));
    expect(failure.name).toBe('AssertionError');
    expect(failure.message).toContain('Expected that nothing is refunded.');
    expect(failure.message).toMatch(/refund succeeds/);
    expect(failure.message).not.toMatch(/dies|fails|lost/); // it needs none of these
    const [, at = '', path = ''] = /seed: (\d+), path: '([\d:]+)'/.exec(failure.message) ?? [];
    const again = await failureOf(simulate(charter, broken, { seed: Number(at), path }));
    expect(threadOf(again)).toBe(threadOf(failure));
    const mended = await simulate(charter, given, { seed: Number(at), path });
    expect(mended.orders).toBe(1);
  });

  it('is told as it was drawn with `shrink: false`', async () => {
    const failure = await failureOf(
      simulate(charter, { ...given, laws: [never] }, { shrink: false, seed: 2 }),
    );
    expect(failure.message).toMatch(/path: '\d+'/);
  });

  it('may be one that throws', async () => {
    const law: Law = {
      name: 'it can be judged',
      holds: () => {
        throw new Error('not today');
      },
    };
    const failure = await failureOf(simulate(charter, { ...given, laws: [law] }, { shrink: false }));
    expect(failure.message).toContain('Expected that it can be judged.');
    expect(failure.message).toContain('not today');
  });
});

describe('What cannot be simulated is refused:', () => {
  test.each([
    ['no orders', { orders: 0 }, '/orders expected a whole number from 1'],
    ['half a seed', { seed: 0.5 }, '/seed expected a whole number'],
  ])('%s', async (_, options, message) => {
    await expect(simulate(charter, given, options)).rejects.toThrow(
      expect.objectContaining({ code: 'definition_invalid', message: `simulate: ${message}` }) as Error,
    );
  });

  const unknown: readonly (readonly [what: string, around: object, options: object, message: string])[] = [
    ['option', {}, { runs: 5 }, '/runs is unknown: expected one of seed, orders, path, shrink, onProgress'],
    ['path', {}, { path: 'x:1' }, '/path expected the path of a failure of this seed'],
    ['task class', { request: { taskClass: 'refnds', payload: {} } }, {}, 'expected one of refunds'],
    ['law', { laws: [{ name: 'no judge' }] }, {}, '/given/laws expected a list of laws: { name, holds }'],
    ['member', { law: never }, {}, '/given/law is unknown: expected one of request, model, agents'],
  ];
  test.each(unknown)('an unknown %s', async (_, around, options, message) => {
    await expect(simulate(charter, { ...given, ...around }, options)).rejects.toThrow(message);
  });

  test('an unknown tool', async () => {
    const misspelt = { ...given, tools: { refnud: { ok: true } } };
    await expect(simulate(charter, misspelt)).rejects.toThrow(
      'simulate: /given the tool "refnud" is unknown. Did you mean "refund"?',
    );
  });
});
