import type { IncomingMessage } from 'node:http';

/** Headers that count once (RFC 9110 5.3), and that decide who is let in, what is read and what is sent again. */
const single = [
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
] as const;

/** The scheme and host of a target that names them (RFC 9112 3.2.2), as a proxy is asked. */
const absolute = /^https?:\/\//i;

const doubledInNode = ({
  rawHeaders,
  url = '/',
  headers,
}: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'headers'>): string | null => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const doubled = single.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (doubled !== undefined) return doubled;
  const isOurs =
    !absolute.test(url) || (URL.canParse(url) && new URL(url).host === headers.host?.toLowerCase());
  return isOurs ? null : 'host';
};

/** These schemes take one token (RFC 6750, 7617): a comma joins two headers. */
const joinedToken = /^(?:bearer|basic)\b.*,/i;

/** Returns a header that was joined of several. `Cookie` cannot be told: several look like one. */
const joinedIn = (headers: Headers): string | null =>
  single.find((name) => {
    const value = headers.get(name) ?? '';
    return name === 'authorization' ? joinedToken.test(value) : name !== 'cookie' && value.includes(',');
  }) ?? null;

/**
 * Returns the header that a request has twice, of those that a server decides by; `host` as well if the target names
 * another host than the header. `null` if there is none.
 *
 * Servers keep the first of some and join the values of others, and what stands in front may read the last: a gate must
 * not choose. Node's own request has all of them; without it, a joined value is recognized by its comma.
 */
export const doubledIn = (
  { headers }: Pick<Request, 'headers'>,
  incoming?: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'headers'>,
): string | null => (incoming === undefined ? joinedIn(headers) : doubledInNode(incoming));
