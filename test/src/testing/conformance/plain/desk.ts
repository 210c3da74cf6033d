import { isDeepStrictEqual } from 'node:util';
import type { Approval, ProposedCall } from '../../../../../src/testing/conformance/index.ts';
import type { Has } from './flaws.ts';

/** Who may approve. */
const approvers = ['dana'];

/** Where one write at a time waits for a person. */
export const createReviewer = (now: () => number, has: Has) => {
  const spent = new Set<string>();
  let asked: ProposedCall | null = null;
  let tell: ((isApproved: boolean) => void) | null = null;
  const counts = ({ id, approver, isForged, decision, action, request_id, expiresAt }: Approval): boolean =>
    ((!isForged && approvers.includes(approver)) || has('takes an approval of anybody')) &&
    (decision === 'approve' || has('takes no for yes')) &&
    (isDeepStrictEqual(action, asked) || has('takes an approval of other arguments')) &&
    (request_id === null || has('takes an approval of another request')) &&
    (expiresAt > now() || has('takes an expired approval')) &&
    (!spent.has(id) || has('uses an approval twice'));
  return {
    isAsking: () => asked !== null,
    ask: (write: ProposedCall): Promise<boolean> => {
      asked = write;
      return new Promise((resolve) => {
        tell = (isApproved) => {
          asked = null;
          resolve(isApproved);
        };
      });
    },
    /** Whether the approval counts: where it does, the write goes on. */
    present: (approval: Approval): boolean => {
      if (asked === null || !counts(approval)) return false;
      spent.add(approval.id);
      tell?.(true);
      return true;
    },
    refuse: (): void => tell?.(false),
    /** Nobody waits any more. */
    withdraw: (): void => {
      asked = null;
    },
  };
};
