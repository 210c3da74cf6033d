import { postgresStore } from 'agentcharter/stores/postgres';
import { createHost, engineOn } from './orchestrator.ts';
import { approvalsOf, type Desk } from './parts.ts';
import type { Connected } from './served.ts';

/** A node of a cluster, with the person who answers the questions of the tasks that it began. */
export const connectNode = async (url: string, desk: Desk): Promise<Connected> => {
  const host = createHost({
    store: postgresStore({ connectionString: url }),
    approvals: approvalsOf(desk),
    concurrency: 256,
  });
  await host.orchestrator.recover();
  return { engine: engineOn(() => host, desk), close: host.orchestrator.close };
};
