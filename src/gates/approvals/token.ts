import * as z from 'zod';
import { Identifier, RiskTier } from '../../../schema/index.ts';
import { isDigest } from '../../base/canonical/digest.ts';

/** The media type of an approval, so that a token for another use is refused (RFC 8725, section 3.11). */
export const approvalType = 'approval+jwt';

/** The maximum lifetime of an approval: 30 days, in seconds. */
const longestLife = 2_592_000;

const Digest = z.string().refine(isDigest, 'expected sha256: and 64 lower-case hex digits');

/** Seconds since 1970, within the range of a Date. */
const Seconds = z.int().min(0).max(8_640_000_000_000);

/** A name that may be a URI: 1 to 512 characters of printable ASCII. */
export const LongName = z.string().regex(/^[\x20-\x7e]{1,512}$/);

/** The claims of an approval token (UAICP 5.3; RFC 7519). Times in seconds since 1970; additional claims are kept. */
export const ApprovalToken = z
  .looseObject({
    iss: LongName,
    /** The approver, as the host's authentication knows them. */
    sub: Identifier,
    aud: z.union([LongName, z.array(LongName)]),
    jti: Identifier,
    iat: Seconds,
    nbf: Seconds,
    exp: Seconds,
    decision: z.enum(['approve', 'reject']),
    request_id: Identifier,
    tool: Identifier,
    tool_version: Identifier,
    action_digest: Digest,
    tier: RiskTier,
    policy_version: LongName.nullable(),
    summary_digest: Digest,
  })
  .refine(({ nbf, exp }) => nbf < exp && exp - nbf <= longestLife, {
    path: ['exp'],
    message: 'expected a time after nbf and at most 30 days later',
  });
export type ApprovalToken = z.infer<typeof ApprovalToken>;
