import { stepOf, type Lifecycle } from './lifecycle.ts';

/** The status of the rollback of a late write. */
export type LateStatus = 'owed' | 'undoing' | 'undone' | 'stuck';

/** The facts that change the status of a late write. They are recorded in the ledger, but the run ignores them. */
export type LateEvent =
  'call.succeeded' | 'rollback.started' | 'recovery.started' | 'rollback.succeeded' | 'rollback.failed';

/**
 * What the conditions of the table read: whether the run knows the outcome of the write, and whether a recovery is
 * left.
 */
type LateSubject = Readonly<{ isKnown: boolean; mayRecover: boolean }>;

/**
 * The lifecycle of a late write: one that succeeded after its run gave it up, or one of a settled child task that the
 * parent task undoes.
 *
 * It is rolled back once, outside the run that it belongs to (UAICP 5.3).
 */
export const lateWriteLife: Lifecycle<LateStatus, LateEvent, 'isUnknown' | 'mayRecover', LateSubject> = {
  id: 'lateWrite',
  conditions: {
    isUnknown: ({ isKnown }) => !isKnown,
    mayRecover: ({ mayRecover }) => mayRecover,
  },
  steps: [
    { from: ['new'], on: ['call.succeeded'], when: 'isUnknown', to: 'owed', cites: 'UAICP 5.3' },
    { from: ['new', 'owed'], on: ['rollback.started'], to: 'undoing', cites: 'UAICP 5.3' },
    {
      from: ['undoing'],
      on: ['recovery.started'],
      when: 'mayRecover',
      to: 'undoing',
      cites: 'interpretation 0059',
    },
    { from: ['undoing'], on: ['rollback.succeeded'], to: 'undone', cites: 'UAICP 5.3' },
    { from: ['undoing'], on: ['rollback.failed'], to: 'stuck', cites: 'UAICP 5.3' },
  ],
};

/** Returns the status of a late write after a fact, or `undefined` if the fact does not apply. */
export const lateStatusAfter = (
  status: LateStatus | 'new',
  event: LateEvent,
  subject: LateSubject,
): LateStatus | undefined => stepOf(lateWriteLife, status, event, subject)?.to;
