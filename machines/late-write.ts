import { wayOf, type Life } from './life.ts';
import { interpretation, uaicp } from './spec.ts';

/** The status of the rollback of a late write. */
export type LateStatus = 'owed' | 'undoing' | 'undone' | 'stuck';

/** The facts that change the status of a late write. They are recorded in the ledger, but the run ignores them. */
export type LateEvent =
  'call.succeeded' | 'rollback.started' | 'recovery.started' | 'rollback.succeeded' | 'rollback.failed';

/**
 * What the guards read: whether the run knows the outcome of the write, and whether a recovery is
 * left.
 */
type LateSubject = Readonly<{ isKnown: boolean; mayRecover: boolean }>;

/**
 * The life of a late write: one that succeeded after its run gave it up, or one of a settled child task that the
 * parent task undoes.
 *
 * It is rolled back once, outside the run that it belongs to (UAICP 5.3).
 */
export const lateWriteLife: Life<LateStatus, LateEvent, 'isUnknown' | 'mayRecover', LateSubject> = {
  id: 'lateWrite',
  guards: {
    isUnknown: ({ context }) => !context.isKnown,
    mayRecover: ({ context }) => context.mayRecover,
  },
  states: {
    new: {
      on: {
        'call.succeeded': { guard: 'isUnknown', target: 'owed', meta: uaicp('5.3') },
        'rollback.started': { target: 'undoing', meta: uaicp('5.3') },
      },
    },
    owed: { on: { 'rollback.started': { target: 'undoing', meta: uaicp('5.3') } } },
    undoing: {
      on: {
        'recovery.started': { guard: 'mayRecover', target: 'undoing', meta: interpretation('0059') },
        'rollback.succeeded': { target: 'undone', meta: uaicp('5.3') },
        'rollback.failed': { target: 'stuck', meta: uaicp('5.3') },
      },
    },
    undone: {},
    stuck: {},
  },
};

/** Returns the status of a late write after a fact, or `undefined` if the fact does not apply. */
export const lateStatusAfter = (
  status: LateStatus | 'new',
  event: LateEvent,
  subject: LateSubject,
): LateStatus | undefined => wayOf(lateWriteLife, status, event, subject)?.target;
