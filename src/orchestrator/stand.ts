import { outcomeOf, stateName, type Duty } from '../../machines/index.ts';
import type { LedgerEntry } from '../ports/ledger.ts';
import { CharterError } from '../errors.ts';
import type { Standing } from '../ports/store.ts';
import type { Tool } from '../ports/tool.ts';
import { unheard } from './begun.ts';
import type { Dossier } from './dossier.ts';
import type { Emit } from './events.ts';
import { isOurs } from './intents.ts';
import type { TaskSnapshot } from './record.ts';
import type { InboxEntry, TaskSummary } from './summary.ts';

/** What is stored of a task for those who do not load it. */
export interface Told {
  readonly summary: TaskSummary;
  readonly open: readonly InboxEntry[];
}

const isTold = (value: unknown): value is Told =>
  typeof value === 'object' &&
  value !== null &&
  'summary' in value &&
  typeof value.summary === 'object' &&
  'open' in value &&
  Array.isArray(value.open);

/** Reads what `standingOf` wrote; throws `task_corrupted`. */
export const toldOf = ({ taskId, size, summary }: Standing): Told => {
  let told: unknown;
  try {
    told = JSON.parse(summary);
  } catch {
    // it is none, and said so below
  }
  if (isTold(told)) return told;
  const reason = 'how it stands cannot be read';
  const message = `task ${taskId} is not what was recorded: ${reason}`;
  throw new CharterError('task_corrupted', message, { taskId, seq: size - 1, reason });
};

/** What is told of tasks; one that cannot be read is told of as an error, and hides no other. */
export const toldOfAll = (standings: readonly Standing[], emit: Emit): readonly Told[] =>
  standings.flatMap((standing) => {
    try {
      return [toldOf(standing)];
    } catch (error) {
      emit('error', { taskId: standing.taskId, error });
      return [];
    }
  });

/** The task that another is a call of. */
export const parentOf = ({ request: { parent } }: Dossier): string | null => parent?.path.at(-1) ?? null;

/** The tasks that a task is nested in, the outermost first, and itself. */
export const pathOf = (
  taskId: string,
  { request: { parent } }: Pick<Dossier, 'request'>,
): readonly string[] => [...(parent?.path ?? []), taskId];

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
  { taskId, seq, timestamp }: LedgerEntry,
  { snapshot, dossier, duties, open }: After,
  tools: ReadonlyMap<string, Tool>,
): Omit<Standing, 'head'> => {
  const told: Told = { summary: summaryOf(taskId, snapshot, dossier), open };
  const { context } = snapshot;
  return {
    taskId,
    threadId: dossier.request.threadId,
    parent: parentOf(dossier),
    size: seq + 1,
    at: Date.parse(timestamp),
    isSettled: told.summary.isSettled,
    isOwed:
      dossier.compensating.length > 0 ||
      unheard(dossier.begun, { tools }).length > 0 ||
      duties.some((duty) => isOurs(duty, context, dossier, { tools })),
    asking: open.length,
    summary: JSON.stringify(told),
  };
};
