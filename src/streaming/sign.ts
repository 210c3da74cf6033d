import { createHmac } from 'node:crypto';
import type { MessageEnvelope } from '../../schema/index.ts';
import { isSameSecret } from '../boundary/secret.ts';
import { canonicalize } from '../canonical/canonicalize.ts';

/** Under which an envelope's metadata has the signature of the whole envelope. */
const signatureKey = 'agentcharter:signature';

const hmac = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/**
 * Returns the key for the chunks of one task, made of the orchestrator's `streamSecret`. Give it to those who read this
 * task's streams: they need no secret, and cannot sign for another task.
 */
export const streamKey = (secret: string, taskId: string): string =>
  hmac(secret, canonicalize(['agentcharter stream', taskId]));

const signatureOf = (key: string, { metadata, ...envelope }: MessageEnvelope): string => {
  const { [signatureKey]: _, ...signed } = metadata ?? {};
  return hmac(key, canonicalize({ ...envelope, metadata: signed }, 'MessageEnvelope'));
};

/** The same envelope, signed: every member of it, with its stream and its place there. */
export const signed = (envelope: MessageEnvelope, key: string): MessageEnvelope => ({
  ...envelope,
  metadata: { ...envelope.metadata, [signatureKey]: signatureOf(key, envelope) },
});

export const isSignedWith = (key: string, envelope: MessageEnvelope): boolean => {
  const signature = envelope.metadata?.[signatureKey];
  return typeof signature === 'string' && isSameSecret(signature, signatureOf(key, envelope));
};
