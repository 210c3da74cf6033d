import { describe, expect, test } from 'vitest';
import { simulate } from 'agentcharter/testing';
import { charters } from './charters/index.ts';

describe('A charter whose parts are sound keeps every law', () => {
  test.each(Object.entries(charters))('%s', async (_name, { charter, given }) => {
    const done = await simulate(charter, given, {
      orders: Number(process.env['FC_RUNS'] ?? 100),
      seed: Number(process.env['FC_SEED'] ?? 1),
    });
    console.log(done);
    expect(done.orders).toBe(100);
  });
});
