import type { IncomingMessage } from 'node:http';

/** Headers that must occur once (RFC 9110 5.3), because they decide about access, content or retries. */
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

/** The scheme and host of an absolute target (RFC 9112 3.2.2), as a proxy receives it. */
const absolute = /^https?:\/\//i;

const duplicateInNode = ({
  rawHeaders,
  url = '/',
  headers,
}: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'headers'>): string | null => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const duplicate = single.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (duplicate !== undefined) return duplicate;
  const isOurs =
    !absolute.test(url) || (URL.canParse(url) && new URL(url).host === headers.host?.toLowerCase());
  return isOurs ? null : 'host';
};

/** Schemes with a single token (RFC 6750, 7617). A comma shows that two headers were joined. */
const joinedToken = /^(?:bearer|basic)\b.*,/i;

/**
 * Returns the first header whose value was joined. `Cookie` is exempt: a joined value looks like a single
 * one.
 */
const joinedIn = (headers: Headers): string | null =>
  single.find((name) => {
    const value = headers.get(name) ?? '';
    return name === 'authorization' ? joinedToken.test(value) : name !== 'cookie' && value.includes(',');
  }) ?? null;

/**
 * Returns the security-relevant header that occurs twice; `host` if the target names another host. `null` if
 * there is none.
 *
 * Servers keep the first value or join all, and a proxy may read the last, so a gate must refuse duplicates.
 * Node's own request lists them all. Without it, a comma shows a joined value.
 */
export const duplicateHeaderIn = (
  { headers }: Pick<Request, 'headers'>,
  incoming?: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'headers'>,
): string | null => (incoming === undefined ? joinedIn(headers) : duplicateInNode(incoming));
