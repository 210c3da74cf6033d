/**
 * Returns the headers of a page. Only this server's scripts, styles and requests are allowed. `more` adds
 * directives.
 *
 * `no-referrer`: until the redirect, the URL holds a token.
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

/** Answers with a text file: HTML, script, style or SVG. */
export const asset = (type: string, body: string): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });
