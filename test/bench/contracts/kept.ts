import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { z } from 'zod';
import { attackers } from './agents.ts';
import { faults } from './faults.ts';
import { columns, tallyWith, type Findings } from './study.ts';

const file = new URL('kept.json', import.meta.url);

const Tally = z
  .array(z.int())
  .length(columns.length)
  .transform((counts) => tallyWith((_, at) => counts[at] ?? 0));

const Kept = z.array(
  z.object({
    suite: z.string(),
    digest: z.string(),
    tasks: z.int(),
    allTasks: z.int(),
    every: z.int(),
    kinds: z.array(z.enum(['honest', ...attackers, ...faults])),
    tallies: z.record(z.string(), Tally),
  }),
);

/** Returns the findings of the last study, from which docs/reference/study.md is printed. */
export const readFindings = (): readonly Findings[] => Kept.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Keeps the findings of a study. */
export const keepFindings = async (findings: readonly Findings[]): Promise<void> => {
  const kept = findings.map(({ tallies, ...found }) => ({
    ...found,
    tallies: Object.fromEntries(
      Object.entries(tallies).flatMap(([name, tally]) =>
        tally === undefined ? [] : [[name, columns.map((column) => tally[column])]],
      ),
    ),
  }));
  writeFileSync(file, await format(JSON.stringify(kept), { parser: 'json', printWidth: 110 }));
};
