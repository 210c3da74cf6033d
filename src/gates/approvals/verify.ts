import * as z from 'zod';
import type { ReasonCode } from '../../../schema/index.ts';
import { Callable, checkDefinition } from '../../base/define/definition.ts';
import type { ApprovalRefusal, Approvals } from '../../base/ports/approvals.ts';
import { checks } from './checks.ts';
import { createClaimsReader } from './claims.ts';
import { headerOf } from './compact.ts';
import { approvalKeyUnder, ApprovalKeys, type ApprovalKey, type ApprovalKeySet } from './keys.ts';
import { approvalType, LongName } from './token.ts';

/** The accepted issuer, audience and keys of approvals. */
export interface JwsApprovalsOptions {
  /** The required `iss` of a token. */
  readonly issuer: string;
  /** The required `aud` of a token, or a member of it. */
  readonly audience: string;
  /**
   * Public keys of Ed25519 or P-256, each with its own `kid` and the `subjects` that it may sign for. A function is
   * called at each verification, so that keys can rotate. A key without `subjects` verifies no one.
   */
  readonly keys: ApprovalKeySet | (() => ApprovalKeySet | Promise<ApprovalKeySet>);
  /** The permitted clock difference of the issuer in milliseconds: 30,000 by default, at most 60,000. */
  readonly leeway?: number;
}

const Options = z.strictObject({
  issuer: LongName,
  audience: LongName,
  keys: z.union([Callable, ApprovalKeys]),
  leeway: z.number().min(0).max(60_000).optional(),
});

const refusal = (refused: ReasonCode, explanation: string): ApprovalRefusal => ({ refused, explanation });

type Lookup = (kid: string) => Promise<ApprovalKey | null>;

const lookup = (keys: JwsApprovalsOptions['keys']): Lookup => {
  if (typeof keys !== 'function') {
    const known = new Map(ApprovalKeys.parse(keys).keys.map((key) => [key.kid, key]));
    return async (kid) => known.get(kid) ?? null;
  }
  return async (kid) => {
    try {
      return approvalKeyUnder(await keys(), kid);
    } catch {
      return null; // `keys` threw or returned no key set
    }
  };
};

/**
 * Verifies approvals as compact JWS of Ed25519 or P-256 (UAICP 5.3; RFC 7515, 7519, 8725). The orchestrator enforces
 * single use.
 *
 * The checks run in this order, and the first failure is reported: form, type, key, algorithm and signature of the
 * token, form of its claims, subjects of the key, issuer, audience, times, decision, and the approved action. Throws
 * `definition_invalid`.
 */
export const jwsApprovals = (options: JwsApprovalsOptions): Approvals => {
  checkDefinition('approvals', options.issuer, Options, options);
  const { issuer, audience, leeway = 30_000 } = options;
  const trusted = lookup(options.keys);
  const readClaims = createClaimsReader();
  return Object.freeze<Approvals>({
    verify: async (token, expected, now) => {
      const header = headerOf(token);
      if (header === null)
        return refusal(
          'APPROVAL_MALFORMED',
          'Send a compact JWS of at most 8 KiB with alg, typ and kid alone.',
        );
      if (header.typ !== approvalType)
        return refusal(
          'APPROVAL_TYPE_WRONG',
          `Send a token of type ${approvalType}: this one is of another.`,
        );
      const key = header.kid === undefined ? null : await trusted(header.kid);
      if (key === null)
        return refusal(
          'APPROVAL_KEY_UNKNOWN',
          'Sign with a key that is trusted here, and name it by its kid.',
        );
      if (!key.algorithms.includes(header.alg))
        return refusal(
          'APPROVAL_ALGORITHM_WRONG',
          `Sign with ${key.algorithms[0]}: that is what this key is for.`,
        );
      const claims = await readClaims(token, key);
      if (claims === 'unsigned')
        return refusal(
          'APPROVAL_SIGNATURE_WRONG',
          'Ask again: the key that the token names has not signed it.',
        );
      if (claims === 'malformed')
        return refusal('APPROVAL_MALFORMED', 'Sign each claim of an approval, for 30 days at most.');
      const { subjects } = key;
      const against = { subjects, issuer, audience, leeway, now, expected };
      const failed = checks.find(({ holds }) => !holds(claims, against));
      if (failed !== undefined) return refusal(failed.code, failed.explanation);
      return { approver: claims.sub, jti: claims.jti, expiresAt: claims.exp * 1_000 };
    },
  });
};
