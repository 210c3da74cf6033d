import { z } from 'zod';
import { Identifier, ReasonCode } from '../../schema/index.ts';
import { reported } from '../change.ts';
import { isReportOwed } from '../owed.ts';
import { family } from './family.ts';
import { attempt, digest } from './fields.ts';

const report = {
  ...attempt,
  verifier: Identifier,
  of: digest,
  /** The number of evidence objects collected when the verifier was called. */
  evidence: z.int().nonnegative(),
  status: z.enum(['pass', 'fail']),
  /** Why the report does not count, if the reason is not a failed check. */
  code: ReasonCode.optional(),
};

const outcomes = { pass: 'success', fail: 'failure' } as const;

const verbs = { pass: 'passes', fail: 'fails' } as const;

/** The fact that a verifier reported (UAICP 5.2). */
export const verificationFacts = family({
  'verifier.reported': {
    cites: 'UAICP 5.2',
    shape: report,
    accepts: (c, { request, attempt: of, evidence, ...about }) =>
      request === c.request && of === c.attempt && evidence === c.collected && isReportOwed(c, about),
    apply: (c, { verifier, of, evidence, status, code }) =>
      reported(c, { verifier, of, evidence, status, code: status === 'pass' ? null : (code ?? null) }),
    outcome: ({ status }) => outcomes[status],
    isHoped: ({ status }) => status === 'pass',
    mayBeLate: true,
    says: ({ verifier, status, of }, words) =>
      `the verifier ${verifier} ${verbs[status]} ${words.action(of)}`,
  },
});
