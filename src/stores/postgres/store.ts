import type { Store, Transfer } from '../../base/ports/store.ts';
import { longestAnswer, type Statement } from './driver.ts';
import { holdsIn, keepStatement, letGoStatement, takeStatement } from './holds.ts';
import { listenersStatement, noSnapshot } from './layout.ts';
import {
  dueIn,
  dueStatement,
  loadStatement,
  placeIn,
  placeStatement,
  stepIn,
  taskIn,
  type StepRow,
} from './read.ts';
import {
  obstacleIn,
  obstacleStatement,
  pausesIn,
  pausesStatement,
  pauseStatement,
  resumeStatement,
  writePausesStatement,
} from './regulation.ts';
import { createRenewal } from './renewal.ts';
import {
  isPruned,
  prunedIn,
  prunedPageStatement,
  prunedStatement,
  pruneStatement,
  writePrunedStatement,
} from './retention.ts';
import { createSession, type Opening } from './session.ts';
import { erasureOf } from './steps.ts';
import {
  countsIn,
  countsStatement,
  cursorIn,
  cursorStatement,
  entriesIn,
  indexStatement,
  type IndexRow,
} from './task-index.ts';
import {
  copyIn,
  copyStatement,
  namesConflict,
  namesIn,
  namesStatement,
  releaseStatement,
  writeCopyStatement,
  writeNamesStatement,
} from './transfer.ts';
import { hasCode, inUse } from './trouble.ts';
import { createWatch } from './watch.ts';
import {
  figuresIn,
  figuresStatement,
  setAttemptsStatement,
  stalledIn,
  stalledStatement,
} from './workload.ts';
import { answerIn, commitStatement, type Writer } from './write.ts';

/**
 * Returns the milliseconds to wait for a connection, and again for an answer, so that both are over before a lease is; of
 * leases under five seconds, two seconds all the same.
 */
const answerWithin = (lease: number): number => Math.min(longestAnswer, Math.max(2_000, lease * 0.4));

/** How the leases of a store are renewed beside the event loop. */
export interface Renewing {
  readonly connectionString: string;
  readonly maxStall: number;
}

/** Creates a store over a schema; lease and poll interval in milliseconds. */
export const createStore = (
  opening: Opening,
  lease: number,
  poll: number,
  renewing: Renewing | null = null,
): Store => {
  const { schema } = opening;
  const session = createSession({ hasTasks: true, answer: answerWithin(lease), ...opening });
  const { coding } = session;
  const watch = createWatch(session, schema, poll);
  /** A change that follows an operation is reported, if `watch` was called before the operation. */
  const rows = async (operation: string, statement: Statement): Promise<readonly object[]> => {
    session.check(operation);
    await watch.begun();
    return session.rows(operation, statement);
  };
  const writer = async (): Promise<Writer> => ({ node: await session.node(), lease });

  const renewal =
    renewing &&
    createRenewal({
      ...renewing,
      lease,
      answer: answerWithin(lease),
      node: session.node,
      statement: (holds, node) => keepStatement(schema, holds, { node, lease }),
    });

  const commit = async (operation: string, statement: Statement) => {
    try {
      return answerIn(await rows(operation, statement));
    } catch (error) {
      if (error instanceof Error && hasCode(error.cause, noSnapshot))
        throw new TypeError('the first step of a task has a snapshot', { cause: error });
      throw error;
    }
  };

  const steps = async (taskId: string) => {
    const found = await rows('erase', loadStatement(schema, taskId));
    return (found as readonly StepRow[]).slice(1).map((step) => stepIn(step, taskId, coding));
  };

  const transferred = (statement: Statement) => rows('transfer', statement);
  const transfer: Transfer = {
    readTask: async (taskId) => copyIn(await transferred(copyStatement(schema, taskId)), taskId, coding),
    writeTask: async (copy) => {
      session.check('transfer');
      const statement = writeCopyStatement(schema, copy, await writer(), coding);
      const [row] = (await transferred(statement)) as readonly {
        readonly count: number;
      }[];
      return row?.count === 1 ? 'ok' : 'conflict';
    },
    readNames: async (kind, after, limit) =>
      namesIn(await transferred(namesStatement(schema, kind, after, limit))),
    writeNames: async (kind, names) => {
      try {
        await transferred(writeNamesStatement(schema, kind, names));
        return 'ok';
      } catch (error) {
        if (error instanceof Error && hasCode(error.cause, namesConflict)) return 'conflict';
        throw error;
      }
    },
    readPruned: async (after, limit) =>
      prunedIn(await transferred(prunedPageStatement(schema, after, limit))),
    writePruned: async (tasks) => void (await transferred(writePrunedStatement(schema, tasks))),
    writePauses: async (pauses) => void (await transferred(writePausesStatement(schema, pauses))),
    checkUnused: async () => {
      const [row] = (await transferred(listenersStatement(schema))) as readonly { readonly count: number }[];
      if (row !== undefined && row.count > 0) throw inUse(session.name);
    },
    release: async () => void (await transferred(releaseStatement(schema))),
  };

  return {
    lease,
    ...(renewal && { renewedAgo: renewal.ago }),
    take: async (capabilities, limit, only) => {
      session.check('take');
      renewal?.begin();
      const statement = takeStatement(schema, capabilities, limit, only, await writer());
      const taken = async () => holdsIn(await rows('take', statement));
      return renewal === null ? taken() : renewal.adding(taken, (holds) => holds);
    },
    keep: async (holds) => {
      session.check('keep');
      renewal?.begin();
      const kept = holdsIn(await rows('keep', keepStatement(schema, holds, await writer())));
      const names = new Set(kept.map(({ taskId }) => taskId));
      renewal?.remove(holds.filter(({ taskId }) => !names.has(taskId)));
      return kept;
    },
    letGo: async (holds) => {
      session.check('letGo');
      renewal?.remove(holds);
      if (holds.length > 0) await rows('letGo', letGoStatement(schema, holds, await writer()));
    },
    now: session.now,
    commit: async (step) => {
      session.check('commit');
      const { taskId, fence, record } = step;
      const statement = commitStatement(schema, step, await writer(), coding);
      const committed = () => commit('commit', statement);
      if (renewal === null || fence === null) return committed();
      const hold = { taskId, fence, lapsed: null, attempts: 0 };
      if (record.seq === 0) return renewal.adding(committed, (answer) => (answer === 'ok' ? [hold] : []));
      const answer = await committed();
      if (answer === 'fenced') renewal.remove([hold]);
      return answer;
    },
    load: async (taskId) => taskIn(await rows('load', loadStatement(schema, taskId)), taskId, coding),
    taskIndex: async (query = {}) => {
      const { after } = query;
      const cursor =
        after === undefined
          ? null
          : cursorIn(await rows('taskIndex', cursorStatement(schema, after.taskId)), after.taskId);
      const found = await rows('taskIndex', indexStatement(schema, query, cursor));
      return entriesIn(found as readonly IndexRow[], coding);
    },
    counts: async () => countsIn(await rows('counts', countsStatement(schema))),
    figures: async (now) =>
      figuresIn(await rows('figures', figuresStatement(schema, now, await session.node()))),
    stalled: async (before, limit) =>
      stalledIn(await rows('stalled', stalledStatement(schema, before, limit)), coding),
    setAttempts: async (taskId, attempts) =>
      (await rows('setAttempts', setAttemptsStatement(schema, taskId, attempts))).length > 0,
    prune: async (tasks, at) => isPruned(await rows('prune', pruneStatement(schema, tasks, at))),
    pruned: async (by) => prunedIn(await rows('pruned', prunedStatement(schema, by)))[0],
    pause: async (...given) => (await rows('pause', pauseStatement(schema, ...given))).length > 0,
    resume: async (...given) => (await rows('resume', resumeStatement(schema, ...given))).length > 0,
    pauses: async (ended) => pausesIn(await rows('pauses', pausesStatement(schema, ended))),
    obstacle: async (regulated) => obstacleIn(await rows('obstacle', obstacleStatement(schema, regulated))),
    find: async (by) => placeIn(await rows('find', placeStatement(schema, by))),
    due: async (until) => dueIn(await rows('due', dueStatement(schema, until)), until, coding),
    watch: (changed) => {
      session.check('watch');
      return watch.add(changed);
    },
    erase: async (step, digest) => {
      session.check('erase');
      const { record, emissions } = step;
      // if another step is written after these are read, the number of this one refuses it
      const erasure = erasureOf({ record, emissions }, await steps(step.taskId), digest);
      const kept = { ...step, consumedApprovals: [] };
      const answer = await commit('erase', commitStatement(schema, kept, await writer(), coding, erasure));
      return answer === 'ok' || answer === 'fenced' ? answer : 'conflict';
    },
    transfer,
    close: async () => {
      watch.close();
      renewal?.close();
      await session.close();
    },
  };
};
