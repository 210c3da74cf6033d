import * as z from 'zod';
import { checkData } from '../../../base/boundary/issues-of.ts';
import { Callable, Duration, keysIn, refuseDefinition } from '../../../base/define/definition.ts';
import type { Clock } from '../../../base/ports/clock.ts';

/** Options of a webhook. */
export interface WebhookOptions {
  /** An absolute http or https URL. Redirects are not followed. */
  readonly url: string;
  /**
   * The signing key: `whsec_` and base64 of at least 24 bytes, or text of at least 24 bytes. By default,
   * unsigned.
   */
  readonly secret?: string;
  /** Maximum attempts for a notice. By default 5, after pauses of 1, 2, 4 and 8 seconds. */
  readonly attempts?: number;
  /** Timeout of an attempt in milliseconds. By default 10 seconds. */
  readonly timeout?: number;
  readonly clock?: Clock;
}

/** The minimum of Standard Webhooks 1.0.0, against guessing. */
const minBytes = 24;

const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Returns the key bytes of a secret. */
export const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret);

const isStrong = (secret: string): boolean =>
  keyOf(secret).byteLength >= minBytes &&
  (!secret.startsWith(prefix) || base64.test(secret.slice(prefix.length)));

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const Options = z.strictObject({
  url: z.string().refine(isAddress, 'expected an absolute http or https URL'),
  secret: z
    .string()
    .refine(
      isStrong,
      `expected ${prefix} and the base64 of ${minBytes} bytes or more, or a text of ${minBytes} bytes or more`,
    )
    .optional(),
  attempts: z.int().min(1).optional(),
  timeout: Duration.optional(),
  clock: z.object({ now: Callable, wakeAt: Callable }).optional(),
});

/**
 * Throws `definition_invalid`. The error quotes neither the secret nor the URL, because each may grant
 * access.
 */
export const checkOptions = (options: WebhookOptions): void => {
  const { issues = [] } = checkData(Options, options, keysIn(Options));
  refuseDefinition('webhook notifier', null, issues);
};
