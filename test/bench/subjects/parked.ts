import { join } from 'node:path';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { bytesInUse } from '../driver.ts';
import { createHost } from '../engines/orchestrator.ts';
import { planOf, submissionOf, verdict } from '../engines/parts.ts';
import { inFolder } from '../folder.ts';
import { newRequest } from '../work.ts';

export interface ParkedOf {
  readonly tasks: number;
}

/** Bytes of a task that waits for an approval. */
export interface Parked {
  readonly stored: number;
  /** What the host and the model gave: the request, the plan and the decision of the policy, as JSON. */
  readonly given: number;
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Parks tasks in a file, and closes it, when they are packed; returns its bytes without free pages. */
const park = async (file: string, count: number): Promise<number> => {
  const { orchestrator, submit, asked } = createHost({ store: sqliteStore(file) });
  for (let left = count; left > 0; left -= 1) await asked(await submit(newRequest('write_high_risk')));
  await orchestrator.close();
  return bytesInUse(file);
};

/** Measures by how much a file grows for each task, so that empty pages at its beginning do not count. */
export const measureParked = ({ tasks }: ParkedOf): Promise<Parked> =>
  inFolder(async (folder) => {
    const file = join(folder, 'tasks.db');
    const before = await park(file, tasks);
    const after = await park(file, tasks);
    const request = newRequest('write_high_risk');
    const given = [submissionOf(request), planOf(request), verdict].reduce(
      (sum, one) => sum + sizeOf(one),
      0,
    );
    return { stored: (after - before) / tasks, given };
  });
