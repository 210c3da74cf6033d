import { CharterError } from '../../../base/errors.ts';
import type { Allowance } from '../../../base/boundary/budget.ts';

/** The address of a remote agent, and the budget of its responses. */
export interface AgentAddress {
  readonly agent: string;
  /** The URL of its agent card. */
  readonly card: URL;
  /** The allowed origins: that of its card, and those that you added. */
  readonly origins: readonly string[];
  readonly allowance: Allowance;
}

/** Checks that an origin is allowed. Throws `address_refused`. */
export const checkAddress = ({ agent, origins }: AgentAddress, url: URL): void => {
  const { origin } = url;
  if (origins.includes(origin)) return;
  throw new CharterError(
    'address_refused',
    `agent ${agent} refers to ${origin}: expected ${origins.join(' or ')}; nothing was sent there. Add it to \`origins\` if it belongs to the agent`,
    { agent, origin, accepts: origins },
  );
};

/** Returns the target of a redirect; `null` if the response is none. */
const redirectOf = (response: Response, from: URL): URL | null => {
  const to = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
  return to !== null && URL.canParse(to, from.href) ? new URL(to, from) : null;
};

/** Returns the text of a response. Disconnects a sender that exceeds the limit. */
const textOf = async (
  { body }: Response,
  { budget, exceeded }: Allowance,
  limit: 'listingBytes' | 'resultBytes',
): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // leaving the loop cancels the stream
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > budget[limit]) throw exceeded(limit, null);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

const jsonIn = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null; // the SDK reports what it expected
  }
};

/**
 * Returns a `fetch` for the SDK. It sends only to allowed origins, follows no redirect, and reads no more
 * than the agent's budget allows.
 *
 * Throws `address_refused`, `budget_exceeded` and `input_unreadable`.
 */
export const fetchWithin =
  (reach: AgentAddress): typeof fetch =>
  async (input, init) => {
    const { agent, card, allowance } = reach;
    const url = new URL(input instanceof Request ? input.url : input);
    checkAddress(reach, url);
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const isCard = url.href === card.href;
    const limit = isCard ? 'listingBytes' : 'resultBytes';
    const redirect = redirectOf(response, url);
    const text = await textOf(response, allowance, limit);
    if (redirect !== null) {
      checkAddress(reach, redirect);
      const message = `agent ${agent} redirects from ${url.href} to another of its addresses: expected no redirect; use the target address instead`;
      throw new CharterError('address_refused', message, {
        agent,
        origin: redirect.origin,
        accepts: reach.origins,
      });
    }
    const json = jsonIn(text);
    if (json !== null) allowance.read(isCard ? 'agent card' : `answer of ${agent}`, json.value, limit);
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    const { status, statusText } = response;
    return new Response(text === '' ? null : text, { status, statusText, headers });
  };
