import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;

type Encoded = { readonly privateKey: string; readonly publicKey: string };

const generated = {
  ed25519: (): Encoded => generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding }),
  p256: (): Encoded =>
    generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding }),
  rsa: (): Encoded =>
    generateKeyPairSync('rsa', { modulusLength: 2_048, publicKeyEncoding, privateKeyEncoding }),
};

/**
 * Generates a pair of keys that are safe to export. In Node 20, a key that is exported while the job that generated it is
 * collected waits for a lock that its own thread holds: these are read from their text, and share nothing with the job.
 */
export const generateKeys = (kind: keyof typeof generated = 'ed25519'): KeyPair => {
  const { privateKey, publicKey } = generated[kind]();
  return {
    privateKey: createPrivateKey(privateKey),
    publicKey: createPublicKey(publicKey),
  };
};

/** The same as JSON Web Keys. */
export const generateJwks = (kind: 'ed25519' | 'p256' = 'ed25519'): { secret: JWK; open: JWK } => {
  const { privateKey, publicKey } = generateKeys(kind);
  return {
    secret: privateKey.export({ format: 'jwk' }),
    open: publicKey.export({ format: 'jwk' }),
  };
};
