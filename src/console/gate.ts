import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookieIn, isSameSecret } from '../boundary/secret.ts';
import { text, type Reply } from './reply.ts';

/** The names of this machine at the port where a request came in. */
const ownHosts = ({ socket: { localPort } }: IncomingMessage): readonly string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${localPort}`);

/**
 * Lets in whoever has the token: it comes once in a URL, and stays as a cookie that scripts cannot read.
 *
 * A request must name a host of ours (else a foreign name could be bound to this address), and where it says from which
 * page it comes, or changes something, that page must be ours.
 */
export const createGate = (hosts: readonly string[] | undefined) => {
  const token = randomBytes(24).toString('base64url');
  /** Cookies are shared by all ports of a host, so two consoles have two names. */
  const cookie = `agentcharter-${randomBytes(6).toString('hex')}`;

  const strangeness = (request: IncomingMessage): Reply | null => {
    const { host = '', origin, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = request.headers;
    const allowed = hosts ?? ownHosts(request);
    if (!allowed.includes(host.toLowerCase()))
      return text(403, `This host is not served: expected one of ${allowed.join(', ')}.\n`);
    const isOurs = origin === `http://${host}` || origin === `https://${host}`;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // a page at another port of this machine is of the same site, and brings the cookie along: it may only lead here
    const isTaken = site !== 'none' && site !== 'same-origin' && mode !== 'navigate';
    if (isTaken || (!isOurs && (origin !== undefined || !isRead)))
      return text(403, 'This page may not ask that: expected the origin of the console.\n');
    return null;
  };

  /** What keeps a request out; `null` where it comes in. */
  const refusal = (request: IncomingMessage, query: URLSearchParams): Reply | null => {
    const strange = strangeness(request);
    if (strange !== null) return strange;
    const given = query.get('token');
    if (given === null) {
      const kept = cookieIn(request.headers.cookie ?? '', cookie) ?? '';
      return isSameSecret(kept, token)
        ? null
        : text(403, 'The address that the console printed, with its token, opens it.\n');
    }
    if (!isSameSecret(given, token)) return text(403, 'This token does not open the console.\n');
    const secure = 'encrypted' in request.socket ? '; Secure' : '';
    return {
      ...text(303, 'See the console.\n'),
      headers: {
        location: './',
        'set-cookie': `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict${secure}`,
      },
    };
  };

  return { token, refusal };
};
