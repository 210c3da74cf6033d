import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { journeys, type Journey } from './journeys.ts';
import { runsOf } from './malformed.ts';
import { opaque, parameters, prototypes } from './trying.ts';

test.each(Object.entries(journeys))(
  '%s with malformed input brings its task to an end, and does nothing else',
  async (_, journey: Journey) => {
    const before = prototypes();
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(opaque(journey), async ({ value }) => {
        const end = await journey.run(value);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      parameters(journey.isAlone === true ? Math.ceil(runsOf(240) / 4) : Math.ceil(runsOf(600) / 10)),
    );
    expect(prototypes()).toEqual(before);
    expect([...ends.keys()].filter((end) => !/^(?:completed\.settled|failed|refused)$/.test(end))).toEqual(
      [],
    );
  },
);
