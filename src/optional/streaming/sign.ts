import { createHmac } from 'node:crypto';
import type { MessageEnvelope } from '../../../schema/index.ts';
import { isSameSecret } from '../../base/boundary/secret.ts';
import { canonicalize } from '../../base/canonical/canonicalize.ts';

/** The metadata key of the envelope's signature. */
const signatureKey = 'agentcharter:signature';

const hmac = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/**
 * Returns the key for the chunks of one task, derived from the orchestrator's `streamSecret`. Give it to readers of
 * this task's streams: they do not need the secret, and cannot sign for another task.
 */
export const streamKey = (secret: string, taskId: string): string =>
  hmac(secret, canonicalize(['agentcharter stream', taskId]));

const signatureOf = (key: string, { metadata, ...envelope }: MessageEnvelope): string => {
  const { [signatureKey]: _, ...signed } = metadata ?? {};
  return hmac(key, canonicalize({ ...envelope, metadata: signed }, 'MessageEnvelope'));
};

/** Returns the envelope with a signature over all its members. */
export const signed = (envelope: MessageEnvelope, key: string): MessageEnvelope => ({
  ...envelope,
  metadata: { ...envelope.metadata, [signatureKey]: signatureOf(key, envelope) },
});

export const isSignedWith = (key: string, envelope: MessageEnvelope): boolean => {
  const signature = envelope.metadata?.[signatureKey];
  return typeof signature === 'string' && isSameSecret(signature, signatureOf(key, envelope));
};
