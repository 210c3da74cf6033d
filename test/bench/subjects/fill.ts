import { sqliteStore } from 'agentcharter/stores/sqlite';
import { withoutSync } from '../driver.ts';
import { createHost } from '../engines/orchestrator.ts';
import { copiesOf, stepsToQuestion } from '../steps.ts';
import { newRequest } from '../work.ts';

export interface FillOf {
  readonly file: string;
  /** How many tasks to add by their steps alone: copies of those of a real one, under other ids. */
  readonly copies: number;
  /** How many to add by an orchestrator. */
  readonly real: number;
}

const inFlight = 64;

/** Adds tasks that wait for an approval. Returns the ids of those that an orchestrator added. */
export const fill = ({ file, copies, real }: FillOf): Promise<readonly string[]> =>
  withoutSync(async () => {
    const { orchestrator, submit, asked } = createHost({ store: sqliteStore(file) });
    const ids: string[] = [];
    for (let left = real; left > 0; left -= 1) {
      const id = await submit(newRequest('write_high_risk'));
      await asked(id);
      ids.push(id);
    }
    await orchestrator.close();
    const copy = copiesOf(await stepsToQuestion());
    const store = sqliteStore(file);
    await store.taskIndex({ isOwed: true }); // opens the file, and reads none of its tasks
    for (let left = copies; left > 0; left -= inFlight)
      await Promise.all(
        Array.from({ length: Math.min(inFlight, left) }, async () => {
          for (const step of copy())
            if ((await store.commit(step)) !== 'ok') throw new Error('a step was not written');
        }),
      );
    await store.close();
    return ids;
  });
