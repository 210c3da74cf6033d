import { describe, expect, test } from 'vitest';
import { handings, type Handing } from './callbacks.ts';
import { scenario } from './scenario.ts';
import { createVandal } from './vandal.ts';

const honest = scenario(() => {});

/** The callbacks that receive nothing mutable. */
const empty: ReadonlySet<string> = new Set<Handing>([
  'clock.now',
  'clock.monotonic',
  'ids.uuid',
  'ids.traceId',
  'store.close',
  'store.pause',
  'store.resume',
  'orchestrator.retry',
  'orchestrator.skip',
  'orchestrator.close',
  'taskTelemetry.close',
]);

describe.each(handings)('%s', (where) => {
  test('ends the run unchanged when the host mutates the value that it received', async () => {
    const vandal = createVandal();
    const spoilt = await scenario((at, values) => {
      if (at === where) vandal.take(values);
    });
    expect(spoilt).toEqual(await honest);
    if (!empty.has(where)) expect(vandal.seen().objects).toBeGreaterThan(0);
  });
});
