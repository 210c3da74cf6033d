import type { IncomingMessage } from 'node:http';

/** Headers that count once (RFC 9110 5.3), and that decide who is let in, what is read and what is sent again. */
const single: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'cookie',
  'sec-fetch-site',
  'sec-fetch-mode',
  'idempotency-key',
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
]);

/** The scheme and host of a target that names them (RFC 9112 3.2.2), as a proxy would be asked. */
const absolute = /^https?:\/\//i;

/** The URL that a request asks for; `null` if its target is none. A path that begins with two slashes names no host. */
export const targetIn = ({ url = '/' }: Pick<IncomingMessage, 'url'>): URL | null => {
  const text = url.startsWith('/') ? `http://here${url}` : url;
  return absolute.test(text) && URL.canParse(text) ? new URL(text) : null;
};

/**
 * Returns the header that a request has twice, of those that a server decides by; `host` as well if the target names
 * another host than the header. `null` if there is none.
 *
 * Node keeps the first of some and joins the values of others, and what stands in front of it may read the last: a gate
 * must not choose.
 */
export const doubledIn = ({
  rawHeaders,
  url = '/',
  headers,
}: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'headers'>): string | null => {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (single.has(name) && seen.has(name)) return name;
    seen.add(name);
  }
  const target = absolute.test(url) ? targetIn({ url }) : null;
  return target === null || target.host === headers.host?.toLowerCase() ? null : 'host';
};
