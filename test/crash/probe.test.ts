import { expect, it } from 'vitest';
import { scenarios } from './scenarios.ts';
import { Trial } from './trial.ts';
import { told } from './life.ts';
it('probe', async () => {
  let n = 0;
  for (const scenario of scenarios) {
    const trial = new Trial({
      scenario,
      says: { call: 'idempotent', rollback: 'idempotent' },
      crashes: [],
      isForgetful: false,
    });
    const t = performance.now();
    try {
      await trial.run();
    } catch (error) {
      console.log(scenario.name, error);
    }
    const { settled, world, lives } = trial;
    n += lives[0]!.moments.length;
    console.log(
      scenario.name,
      (performance.now() - t).toFixed(1),
      settled?.state,
      settled?.outcome,
      JSON.stringify(settled?.reasons),
      JSON.stringify(settled?.message.payload),
      JSON.stringify(settled?.followup),
      'done',
      world.done.map((e) => e.action),
      lives[0]!.moments.length,
      trial.broken,
      trial.errors,
      trial.attempts.map(({ name, error }) => [name, String(error)]),
      trial.written.map(({ record }) => record.fact?.type ?? record.kind).join(' '),
    );
  }
  console.log(n);
  expect(told).toBeDefined();
});
