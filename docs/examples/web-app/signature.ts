import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns whether Slack signed this body, as it arrived, within the last five minutes. */
export const isSigned = (secret: string, headers: Headers, body: string): boolean => {
  const at = headers.get('x-slack-request-timestamp') ?? '';
  const given = Buffer.from(headers.get('x-slack-signature') ?? '');
  const hmac = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  const expected = Buffer.from(`v0=${hmac}`);
  const isRecent = Math.abs(Date.now() / 1000 - Number(at)) <= 300;
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
};
