import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { classNames, type ClassName } from './classes.ts';

const file = new URL('last.json', import.meta.url);

const LastRun = z.strictObject({
  /** The day on which it ended. */
  on: z.iso.date(),
  commit: z.string(),
  seconds: z.int(),
  passed: z.boolean(),
  /** How many tests passed or failed; `null` if the check counts none. */
  tests: z.int().nullable(),
});
export type LastRun = z.infer<typeof LastRun>;

const LastRuns = z.partialRecord(z.enum(classNames), LastRun);
export type LastRuns = z.infer<typeof LastRuns>;

/** Returns the last run of each class that has been run. */
export const readLast = (): LastRuns => LastRuns.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Keeps a run as the last of its class. */
export const keepLast = (name: ClassName, run: LastRun): void => {
  const runs = { ...readLast(), [name]: run };
  const ordered = classNames.flatMap((one) => (runs[one] === undefined ? [] : [[one, runs[one]] as const]));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`);
};
