import { afterEach, describe, expect, it } from 'vitest';
import { faults } from './faults.ts';
import { sound } from './trial.ts';
import { scenarios } from './scenarios.ts';
import { quiet, tryOut } from './try-out.ts';
import { forgetTraces } from '../differential/watched/traces.ts';

describe('A planted fault', () => {
  afterEach(forgetTraces);

  it.each(Object.entries(faults))('is detected: %s', async (_, { scenario: name, says, parts, law }) => {
    const scenario = scenarios.find((one) => one.name === name)!;
    const { moments } = await quiet(scenario, { call: says, rollback: says });
    const errors = new Set<string>();
    const isEffect = (at: number): boolean => moments[at]?.what !== 'commit';
    const all = [...moments.keys()];
    for (const at of [...all.filter(isEffect), ...all.filter((one) => !isEffect(one))]) {
      const story = {
        scenario,
        says: { call: says, rollback: says },
        crashes: [at],
        isForgetful: false,
      };
      try {
        await tryOut(story, { ...sound, ...parts });
      } catch (error) {
        errors.add(String(error).split(' (')[0] ?? '');
        if (String(error).includes(law)) return;
      }
    }
    expect([...errors].join('; ')).toContain(law);
  });
});
