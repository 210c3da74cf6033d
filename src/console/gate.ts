import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createLinks, randomSecret } from '../boundary/links.ts';
import { doubledIn } from '../boundary/request.ts';
import { cookieIn, isSameSecret } from '../boundary/secret.ts';
import { text, type Reply } from './reply.ts';

/** The names of this machine at the port where a request came in. */
const ownHosts = ({ socket: { localPort } }: IncomingMessage): readonly string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${localPort}`);

const howToOpen = [
  'For a new one, press Enter in the terminal where "agentcharter console" runs, or run it again.',
  'A program that serves the console gets one from newToken().\n',
].join('\n');

const back: Reply = { ...text(303, 'See the console.\n'), headers: { location: './' } };

/**
 * Lets in who has a link that no one used: its token comes once, in a URL. From then on a cookie lets in, which scripts
 * cannot read and whose secret is another one.
 *
 * A request must name a host of ours (else a foreign name could be bound to this address), and where it says from which
 * page it comes, or changes something, that page must be ours.
 */
export const createGate = (hosts: readonly string[] | undefined) => {
  const links = createLinks();
  const secret = randomSecret();
  /** Cookies are shared by all ports of a host, so two consoles have two names. */
  const cookie = `agentcharter-${randomBytes(6).toString('hex')}`;

  const strangeness = (request: IncomingMessage): Reply | null => {
    const doubled = doubledIn(request);
    if (doubled !== null) return text(400, `This header stands there twice, and counts once: ${doubled}.\n`);
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
    const given = request.method === 'GET' ? query.get('token') : null;
    const isNew = given !== null && links.use(given);
    const isIn = isSameSecret(cookieIn(request.headers.cookie ?? '', cookie) ?? '', secret);
    if (isIn) return given === null ? null : back;
    if (given === null) return text(403, `A link opens the console: each link works once.\n${howToOpen}`);
    if (!isNew) return text(403, `This link does not open the console: each link works once.\n${howToOpen}`);
    const secure = 'encrypted' in request.socket ? '; Secure' : '';
    const kept = `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict${secure}`;
    return { ...back, headers: { ...back.headers, 'set-cookie': kept } };
  };

  return { newToken: links.make, refusal };
};
