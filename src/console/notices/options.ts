import * as z from 'zod';
import { issuesOf } from '../../boundary/issues-of.ts';
import { Callable, Duration } from '../../define/definition.ts';
import { CharterError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';

/** Where notices are posted. */
export interface WebhookOptions {
  /** An absolute http or https URL; a redirect is not followed. */
  readonly url: string;
  /** Signs each notice: `whsec_` and the base64 of 24 bytes or more, or a text of 24 bytes or more; unsigned by default. */
  readonly secret?: string;
  /** How often a notice is sent at most; 5 where left out, after 1, 2, 4 and 8 seconds. */
  readonly attempts?: number;
  /** Milliseconds that an attempt may take; 10 seconds where left out. */
  readonly timeout?: number;
  readonly clock?: Clock;
}

/** As Standard Webhooks 1.0.0 asks: fewer bytes can be guessed. */
const leastBytes = 24;

const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** The key that a secret stands for. */
export const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret);

const isStrong = (secret: string): boolean =>
  keyOf(secret).byteLength >= leastBytes &&
  (!secret.startsWith(prefix) || base64.test(secret.slice(prefix.length)));

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const Options = z.strictObject({
  url: z.string().refine(isAddress, 'expected an absolute http or https URL'),
  secret: z
    .string()
    .refine(
      isStrong,
      `expected ${prefix} and the base64 of ${leastBytes} bytes or more, or a text of ${leastBytes} bytes or more`,
    )
    .optional(),
  attempts: z.int().min(1).optional(),
  timeout: Duration.optional(),
  clock: z.object({ now: Callable, wakeAt: Callable }).optional(),
});

/** Throws `definition_invalid`, which quotes neither the secret nor the address: both let their reader post. */
export const checkOptions = (options: WebhookOptions): void => {
  const read = Options.safeParse(options);
  if (read.success) return;
  const issues = issuesOf(read.error);
  const words = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  const definition = 'webhook notifier';
  throw new CharterError('definition_invalid', `${definition}: ${words}`, { definition, issues });
};
