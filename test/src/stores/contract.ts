import { describe } from 'vitest';
import { erases, keepsSteps, refusesSteps, spendsApprovals } from './contract/commit.ts';
import { sharesTasks } from './contract/connections.ts';
import type { Open } from './contract/database.ts';
import { copiesTasks } from './contract/transfer.ts';
import { fencesSteps } from './contract/holds.ts';
import { pagesTasks } from './contract/pages.ts';
import { pausesAndCounts } from './contract/regulation.ts';
import { prunesTasks } from './contract/retention.ts';
import { tellsOfTasks } from './contract/views.ts';
import { tellsOperators } from './contract/workload.ts';

/** The contract of every store, with the parts that only some have; `open` returns an empty database. */
export const storeContract = (name: string, open: Open, more: readonly ((open: Open) => void)[]): void => {
  describe(`a store ${name}`, () => {
    for (const part of [
      keepsSteps,
      refusesSteps,
      spendsApprovals,
      erases,
      tellsOfTasks,
      pagesTasks,
      sharesTasks,
      fencesSteps,
      copiesTasks,
      tellsOperators,
      pausesAndCounts,
      prunesTasks,
      ...more,
    ])
      part(open);
  });
};
