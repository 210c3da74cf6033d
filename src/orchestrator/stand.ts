import { outcomeOf, stateName, type Duty } from '../../machines/index.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Standing } from '../ports/store.ts';
import type { Dossier } from './dossier.ts';
import type { Environment } from './environment.ts';
import { isOurs } from './intents.ts';
import type { TaskSnapshot } from './record.ts';
import type { InboxEntry, TaskSummary } from './summary.ts';

/** What is stored of a task for those who do not load it. */
export interface Told {
  readonly summary: TaskSummary;
  readonly open: readonly InboxEntry[];
}

/** Reads what `standingOf` wrote. */
export const toldOf = ({ summary }: Standing): Told => JSON.parse(summary) as Told;

/** The task that another is a call of. */
export const parentOf = ({ request: { parent } }: Dossier): string | null => parent?.path.at(-1) ?? null;

/** The tasks that a task is nested in, the outermost first, and itself. */
export const pathOf = (taskId: string, { request: { parent } }: Dossier): readonly string[] => [
  ...(parent?.path ?? []),
  taskId,
];

/** How a task stands. */
export const summaryOf = (
  taskId: string,
  snapshot: TaskSnapshot,
  { request: { threadId, taskClass } }: Dossier,
): TaskSummary => ({
  taskId,
  threadId,
  taskClass,
  state: stateName(snapshot.value),
  outcome: outcomeOf(snapshot.context),
  reasons: snapshot.context.reasons,
  isSettled: snapshot.hasTag('settled'),
});

interface After {
  readonly snapshot: TaskSnapshot;
  readonly dossier: Dossier;
  readonly duties: readonly Duty[];
  readonly open: readonly InboxEntry[];
}

/** How a task stands after a record, for whoever reads its store. */
export const standingOf = (
  { taskId, seq, hash, timestamp }: LedgerRecord,
  { snapshot, dossier, duties, open }: After,
  environment: Environment,
): Standing => {
  const told: Told = { summary: summaryOf(taskId, snapshot, dossier), open };
  const { context } = snapshot;
  return {
    taskId,
    threadId: dossier.request.threadId,
    parent: parentOf(dossier),
    size: seq + 1,
    head: hash,
    at: Date.parse(timestamp),
    isSettled: told.summary.isSettled,
    isOwed:
      dossier.compensating.length > 0 || duties.some((duty) => isOurs(duty, context, dossier, environment)),
    asking: open.length,
    summary: JSON.stringify(told),
  };
};
