import { createHmac } from 'node:crypto';
import { isRetryable } from '../../../base/boundary/retryable.ts';
import { systemClock, wakeAfter } from '../../../core/shell/clock.ts';
import { pause } from '../../../core/shell/pause.ts';
import type { Notice, Notifier } from './notifier.ts';
import { checkOptions, keyOf, type WebhookOptions } from './options.ts';

const second = 1_000;
/** The longest pause, in milliseconds. */
const maxPause = 60 * second;

/** Signs id, time and body as in Standard Webhooks 1.0.0, so that none can be replayed as another. */
const signed = (secret: string, id: string, at: number, body: string): string => {
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${at}.${body}`);
  return `v1,${hmac.digest('base64')}`;
};

/** A response that a retry would not change. */
class Refused extends Error {}

/**
 * Posts each notice as JSON, signed per Standard Webhooks (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature`).
 *
 * Retries a failure under the same id. Rejects after the last attempt, naming the host but never the secret.
 * Throws `definition_invalid` for an invalid option, such as a short secret.
 */
export const webhookNotifier = (options: WebhookOptions): Notifier => {
  checkOptions(options);
  const { url, secret, attempts = 5, timeout = 10 * second, clock = systemClock } = options;
  const { host } = new URL(url);

  const post = async (notice: Notice, signal: AbortSignal): Promise<void> => {
    const body = JSON.stringify(notice);
    const at = Math.floor(clock.now() / second);
    const late = new AbortController();
    const cancel = wakeAfter(clock, timeout, () => late.abort(new Error('it took too long')));
    try {
      const { status, body: responseBody } = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': notice.id,
          'webhook-timestamp': String(at),
          ...(secret !== undefined && { 'webhook-signature': signed(secret, notice.id, at, body) }),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, late.signal]),
      });
      await responseBody?.cancel();
      if (status >= 200 && status < 300) return;
      const message = `the webhook at ${host} answered ${status}`;
      throw isRetryable(status) ? new Error(message) : new Refused(message);
    } finally {
      cancel();
    }
  };

  return {
    notify: async (notice, signal) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await post(notice, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof Refused) throw error;
          if (attempt >= attempts)
            throw new Error(`the webhook at ${host} could not be reached`, { cause: error });
        }
        await pause(clock, Math.min(maxPause, second * 2 ** (attempt - 1)), signal);
      }
    },
  };
};
