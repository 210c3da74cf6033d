import { beforeAll, describe, expect, it } from 'vitest';
import { measureApart, measureTogether, translate } from './apart.ts';
import { newDesk } from './engines/parts.ts';

beforeAll(translate);

it('measures a subject in a process of its own, and throws if it fails there', async () => {
  const given = { engine: 'switch', mode: 'gated', runs: 10 } as const;
  const figures = { first: expect.any(Number) as number, warm: expect.any(Number) as number };
  expect(await measureApart('runs', given)).toEqual(figures);
  const unknown = { ...given, engine: 'none' as 'switch' };
  await expect(measureApart('runs', unknown)).rejects.toThrow(/ended with 1 and no figures\n[^]*TypeError/);
});

const nodeOf = (engine: 'switch', node: string) =>
  ({ engine, url: '', desk: newDesk(), node, atOnce: 2, warmUp: 2, seconds: 0.1 }) as const;

const together = async (engines: readonly 'switch'[]) => {
  let starts = 0;
  const givens = engines.map((engine, at) => nodeOf(engine, `node ${at}`));
  const measured = measureTogether('load', givens, { limitMs: 30_000 }, async () => (starts += 1));
  return [await measured.catch((error: unknown) => error), starts] as const;
};

describe('Several processes at once', () => {
  it('are told to start once, when all are ready', async () => {
    const [measured, starts] = await together(['switch', 'switch']);
    const figures = { latencies: expect.arrayContaining([expect.any(Number)]), cpu: expect.any(Number) };
    expect(measured).toEqual([[figures, figures], 1]);
    expect(starts).toBe(1);
  });

  it('are not started if one of them fails', async () => {
    const [measured, starts] = await together(['switch', 'none' as 'switch']);
    expect(String(measured)).toMatch(/load .*"none".* ended with 1 and no figures\n[^]*TypeError/);
    expect(starts).toBe(0);
  });
});
