import { createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';
import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { issueWords } from '../../base/boundary/issue-words.ts';
import { isBase64url } from './base64url.ts';

/** A JSON Web Key Set (RFC 7517, section 5). */
export interface KeySet {
  readonly keys: readonly Readonly<JWK>[];
}

/**
 * The exact names of the approvers that a key may sign for; `any` for an approval desk that authenticates them
 * itself.
 */
export type Subjects = readonly string[] | 'any';

/** A public JWK that may sign approvals, and its subjects (RFC 7517, section 4: other members are allowed). */
export type ApprovalJwk = Readonly<JWK> & { readonly subjects: Subjects };

/** The keys that sign approvals. */
export interface ApprovalKeySet {
  readonly keys: readonly ApprovalJwk[];
}

/** A key whose algorithm is fixed, regardless of the token's header (RFC 8725, section 3.1). */
export interface PinnedKey {
  readonly kid: string;
  /** The names of its one algorithm; signing uses the first. */
  readonly algorithms: readonly [string, ...string[]];
  readonly jwk: JWK;
}

/** A key and the approvers that it may sign for. */
export interface ApprovalKey extends PinnedKey {
  readonly subjects: Subjects;
}

const Number32 = z.string().refine((text) => text.length === 43 && isBase64url(text), {
  message: 'expected 32 bytes in base64url',
  abort: true,
});

const edwards = ['EdDSA', 'Ed25519'] as const; // the second is the name in RFC 9864

/** Returns the schema of a JWK of Ed25519 or P-256 that may do `operation`. */
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

/** The schema of a public JWK that may verify approvals: Ed25519 or P-256, with a `kid`. */
export const VerificationKey = PublicForm.refine(isPoint, offCurve).transform(pinned);

/** The schema of a private JWK that may sign approvals: Ed25519 or P-256, with a `kid`. */
export const SigningKey = PrivateForm.refine(isPoint, offCurve).transform((key) => ({
  ...pinned(key),
  d: key.d,
}));

const Subjects = z.union([z.literal('any'), z.array(Identifier).min(1)]);

/** Returns the `subjects` of an unparsed key. */
const subjectsIn = (key: unknown): unknown =>
  isObject(key) && Object.hasOwn(key, 'subjects') ? key['subjects'] : undefined;

const missingSubjects = (kid: string): string =>
  `expected the names of the people that key ${JSON.stringify(kid)} may sign for, such as ["kim"], or "any" for a desk that has authenticated them`;

/** The schema of a public JWK with its `subjects`; a key without them is refused. */
const ApprovalKey = z.unknown().transform((value, { issues }): ApprovalKey => {
  const key = VerificationKey.safeParse(value, issueWords.data);
  if (!key.success) {
    for (const { path, message } of key.error.issues)
      issues.push({ code: 'custom', path, message, input: value });
    return z.NEVER;
  }
  const subjects = Subjects.safeParse(subjectsIn(value));
  if (subjects.success) return { ...key.data, subjects: subjects.data };
  issues.push({ code: 'custom', path: ['subjects'], message: missingSubjects(key.data.kid), input: value });
  return z.NEVER;
});

const areUnique = (keys: readonly PinnedKey[], of: (key: PinnedKey) => unknown): boolean =>
  new Set(keys.map(of)).size === keys.length;

/** A set of known keys. Each key has one `kid`: two would let one key act as two approvers. */
export const ApprovalKeys = z
  .looseObject({ keys: z.array(ApprovalKey).min(1) })
  .refine(({ keys }) => areUnique(keys, ({ kid }) => kid), {
    path: ['keys'],
    message: 'expected each kid once',
  })
  .refine(({ keys }) => areUnique(keys, ({ jwk }) => jwk.x), {
    path: ['keys'],
    message: 'expected each key under one kid: one key under two is one signer',
  });

const hasKid = (key: unknown, kid: string): boolean =>
  typeof key === 'object' && key !== null && 'kid' in key && key.kid === kid;

/** Returns the only key of a set with this `kid`; `null` for none, for two, and for a key that may not verify. */
export const keyUnder = ({ keys }: KeySet, kid: string): PinnedKey | null => {
  const [found, second] = keys.filter((key) => hasKid(key, kid));
  return second === undefined ? (VerificationKey.safeParse(found).data ?? null) : null;
};

const isSameKey = (key: unknown, { jwk }: PinnedKey): boolean =>
  typeof key === 'object' && key !== null && 'x' in key && key.x === jwk.x;

/** Returns the approvers that a key of a set may sign for; none by default. */
const subjectsOf = ({ keys }: KeySet, kid: string): Subjects => {
  const found = keys.find((key) => hasKid(key, kid));
  return Subjects.catch([]).parse(subjectsIn(found));
};

/** Returns the key with this `kid` and its subjects; `null` as for `keyUnder`, and for a key that occurs twice. */
export const approvalKeyUnder = (set: KeySet, kid: string): ApprovalKey | null => {
  const key = keyUnder(set, kid);
  if (key === null || set.keys.filter((one) => isSameKey(one, key)).length > 1) return null;
  return { ...key, subjects: subjectsOf(set, kid) };
};
