import * as fc from 'fast-check';
import { afterAll, afterEach } from 'vitest';
import { seed } from '../../share.ts';
import { forgetSettled, judgeOpen, takePartings } from './traces.ts';

fc.configureGlobal({ seed });

/** Fails where a ledger that a test wrote is not what the model makes of its facts. */
const complain = (): void => {
  const partings = takePartings();
  if (partings.length > 0)
    throw new Error(`a ledger and the model part:\n${partings.slice(0, 3).join('\n\n')}`);
};

afterEach(() => {
  forgetSettled();
  complain();
});
afterAll(() => {
  judgeOpen();
  complain();
});
