/**
 * Headers of pages. Nothing but what their server serves may run, be styled or be reached. `more` are further directives.
 *
 * The URL holds a token until its first answer, so it is sent to no one (`no-referrer`).
 */
export const pageHeaders = (...more: readonly string[]): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** Answers with a text of a page: its document, its script, its style, a picture. */
export const asset = (type: string, body: string): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });
