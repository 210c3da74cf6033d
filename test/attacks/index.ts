import { approvals } from './approvals.ts';
import type { Attack } from './attack.ts';
import { lateResults, races } from './races.ts';
import { forged } from './tokens.ts';

/** Every attack, by the file that tries it. */
export const attacks: Readonly<Record<string, readonly Attack[]>> = {
  'tokens.ts': forged,
  'approvals.ts': approvals,
  'races.ts': [...races, ...lateResults],
};
