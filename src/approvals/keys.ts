import { createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';
import * as z from 'zod';
import { Identifier } from '../../schema/index.ts';
import { isBase64url } from './base64url.ts';

/** A JSON Web Key Set (RFC 7517, section 5). */
export interface KeySet {
  readonly keys: readonly Readonly<JWK>[];
}

/** A key of which the algorithm is known beforehand, whatever a token says (RFC 8725, section 3.1). */
export interface PinnedKey {
  readonly kid: string;
  /** The names of its one algorithm, the one to sign under first. */
  readonly algorithms: readonly [string, ...string[]];
  readonly jwk: JWK;
}

const Number32 = z.string().refine((text) => text.length === 43 && isBase64url(text), {
  message: 'expected 32 bytes in base64url',
  abort: true,
});

const edwards = ['EdDSA', 'Ed25519'] as const; // the second is the fully specified name of RFC 9864

/** A JWK of Ed25519 or P-256 that may do `operation`. */
const keySchema = <Private extends z.ZodType>(operation: 'sign' | 'verify', d: Private) => {
  const shared = {
    kid: Identifier,
    use: z.literal('sig').optional(),
    key_ops: z
      .array(z.string())
      .refine((operations) => operations.includes(operation), `expected one of them to be ${operation}`)
      .optional(),
    x: Number32,
    d,
  };
  return z.discriminatedUnion('kty', [
    z.looseObject({
      ...shared,
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.enum(edwards).optional(),
    }),
    z.looseObject({
      ...shared,
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      alg: z.literal('ES256').optional(),
      y: Number32,
    }),
  ]);
};

type Form = z.infer<typeof PublicForm> | z.infer<typeof PrivateForm>;

const pinned = (key: Form): PinnedKey =>
  key.kty === 'OKP'
    ? { kid: key.kid, algorithms: edwards, jwk: { kty: key.kty, crv: key.crv, x: key.x } }
    : { kid: key.kid, algorithms: ['ES256'], jwk: { kty: key.kty, crv: key.crv, x: key.x, y: key.y } };

const isPoint = (key: Form): boolean => {
  try {
    createPublicKey({ key: pinned(key).jwk, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
};

const offCurve = 'expected a point of its curve';
const PublicForm = keySchema('verify', z.never('expected a public key, without d').optional());
const PrivateForm = keySchema('sign', Number32);

/** A public JWK that may verify approvals: Ed25519 or P-256, with a `kid`; anything else does not parse. */
export const VerificationKey = PublicForm.refine(isPoint, offCurve).transform(pinned);

/** A private JWK that may sign approvals: Ed25519 or P-256, with a `kid`. */
export const SigningKey = PrivateForm.refine(isPoint, offCurve).transform((key) => ({
  ...pinned(key),
  d: key.d,
}));

const hasKid = (key: unknown, kid: string): boolean =>
  typeof key === 'object' && key !== null && 'kid' in key && key.kid === kid;

/** The one key of a set under `kid`; `null` for none, for two, and for one that may not verify. */
export const keyUnder = ({ keys }: KeySet, kid: string): PinnedKey | null => {
  const [found, second] = keys.filter((key) => hasKid(key, kid));
  return second === undefined ? (VerificationKey.safeParse(found).data ?? null) : null;
};
