import { Uuid } from '../../schema/index.ts';
import type { Context, Effect } from '../context.ts';
import { moveEffect } from '../effect.ts';
import { runOf } from '../owed.ts';
import { family } from './family.ts';
import { digest } from './fields.ts';

interface OfEffect {
  readonly request: string;
  readonly digest: string;
}

/** Returns whether a fact is about the next rollback. Rollbacks are made one at a time. */
const isNextToUndo = (c: Context, { request, digest: of }: OfEffect, status: Effect['status']): boolean => {
  const next = runOf(c).undoOwed[0];
  return request === c.request && next?.digest === of && next.status === status;
};

const shape = { request: Uuid, digest };

/** The facts of a rollback: its intent and its outcome (UAICP 5.3). */
export const rollbackFacts = family({
  'rollback.started': {
    cites: 'UAICP 5.3',
    shape,
    accepts: (c, fact) => isNextToUndo(c, fact, 'committed'),
    apply: (c, fact) => moveEffect(c, fact.digest, 'rollback.started'),
    says: (fact, words) => `the rollback of ${words.action(fact.digest)} begins`,
  },
  'rollback.succeeded': {
    cites: 'UAICP 5.3',
    shape,
    accepts: (c, fact) => isNextToUndo(c, fact, 'undoing'),
    apply: (c, fact) => moveEffect(c, fact.digest, 'rollback.succeeded'),
    outcome: () => 'success',
    mayBeLate: true,
    says: (fact, words) => `the rollback of ${words.action(fact.digest)} succeeds`,
  },
  'rollback.failed': {
    cites: 'UAICP 5.3',
    shape,
    accepts: (c, fact) => isNextToUndo(c, fact, 'undoing'),
    apply: (c, fact) => moveEffect(c, fact.digest, 'rollback.failed'),
    outcome: () => 'failure',
    mayBeLate: true,
    says: (fact, words) => `the rollback of ${words.action(fact.digest)} fails`,
  },
});
