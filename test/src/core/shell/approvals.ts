import type { Approvals } from '../../../../src/index.ts';
import type { Grant } from '../../../../src/base/ports/approvals.ts';

const century = Date.parse('2126-01-01T00:00:00Z');
let last = 0;

/** A long-lived grant with its own id. */
export const granted = (approver: string, given: Partial<Grant> = {}): Grant => ({
  approver,
  jti: `approval-${(last += 1)}`,
  expiresAt: century,
  ...given,
});

/** Accepts a token as written: `kim`, or `kim approval-7`; each token has one id. */
export const trusting: Approvals = {
  verify: async (token, { action_digest }) => {
    const [approver = '', jti = `${approver} of ${action_digest.slice(7, 23)}`] = token.split(' ');
    return granted(approver, { jti });
  },
};
