import { expect, it } from 'vitest';
import { measureApart, translate } from './apart.ts';

it('measures a subject in a process of its own, and throws if it fails there', async () => {
  await translate();
  const given = { engine: 'switch', mode: 'gated', runs: 10 } as const;
  const figures = { first: expect.any(Number) as number, warm: expect.any(Number) as number };
  expect(await measureApart('runs', given)).toEqual(figures);
  const unknown = { ...given, engine: 'none' as 'switch' };
  await expect(measureApart('runs', unknown)).rejects.toThrow(/ended with 1 and no figures\n[^]*TypeError/);
});
