import { stepOf, type Lifecycle } from './lifecycle.ts';

/** How far the rollback of a late write has come. */
export type LateStatus = 'owed' | 'undoing' | 'undone' | 'stuck';

/** The facts that move a late write. Its run does not take them: they are recorded beside it. */
export type LateEvent =
  'call.succeeded' | 'rollback.started' | 'recovery.started' | 'rollback.succeeded' | 'rollback.failed';

/** What the table reads of a late write, and of its run. */
type LateSubject = Readonly<{ isKnown: boolean; mayRecover: boolean }>;

/**
 * The life of a late write: one that landed after its run had given it up, or that a task around a settled one takes back.
 *
 * It is rolled back once, beside the run that it belongs to (UAICP 5.3).
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

/** Returns how far a late write is after a fact; `undefined` if it does not take the fact. */
export const lateStatusAfter = (
  status: LateStatus | 'new',
  event: LateEvent,
  subject: LateSubject,
): LateStatus | undefined => stepOf(lateWriteLife, status, event, subject)?.to;
