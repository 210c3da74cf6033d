import type { IncomingMessage } from 'node:http';
import { doubledIn } from '../../boundary/request.ts';
import { isSameSecret, weakSecret } from '../../boundary/secret.ts';
import { problem } from './problem.ts';
import type { Text } from './reply.ts';

/** What a request must show before anybody asks whose it is. */
export interface GateOptions {
  /** The hosts that it is reached by, each as `name` or `name:port`; this machine's own names where left out. */
  readonly hosts?: readonly string[];
  /** What every request must bring as `Authorization: Bearer`: 16 characters or more; optional. */
  readonly token?: string;
}

/** What a bearer token may look like (RFC 6750 2.1), and not so short that it is guessed. */
const tokenForm = /^(?=.{16})[A-Za-z0-9._~+/-]+=*$/;

const checkToken = (token: unknown): void => {
  if (token === undefined || (typeof token === 'string' && tokenForm.test(token))) return;
  const message =
    'expected 16 or more letters, digits and -._~+/; give no token where your host authenticates';
  throw weakSecret('wire', '/token', message);
};

/** The names of this machine at the port where a request came in. */
const ownHosts = ({ socket: { localPort } }: IncomingMessage): readonly string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${localPort}`);

/** Asks for a bearer token. */
export const challenge = { 'www-authenticate': 'Bearer' } as const;

/**
 * What keeps a request out; `null` where it comes in.
 *
 * What it decides by stands there once. It must name a host of ours, else a foreign name could be bound to this address; and no page of another origin asks.
 *
 * Throws `definition_invalid` for a token that is empty, short, or that no header can hold.
 */
export const createGate = ({ hosts, token }: GateOptions): ((request: IncomingMessage) => Text | null) => {
  checkToken(token);
  const served = hosts?.map((name) => name.toLowerCase());
  return (request) => {
    const doubled = doubledIn(request);
    if (doubled !== null) return problem('header_doubled', `Expected one ${doubled}.`);
    const { host = '', origin, authorization = '', 'sec-fetch-site': site = 'none' } = request.headers;
    const allowed = served ?? ownHosts(request);
    if (!allowed.includes(host.toLowerCase()))
      return problem('host_refused', `Expected one of ${allowed.join(', ')}.`);
    const isOurs = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
    if (!isOurs || (site !== 'none' && site !== 'same-origin'))
      return problem('origin_refused', 'Expected a program, or a page of this origin.');
    if (token !== undefined && !isSameSecret(authorization, `Bearer ${token}`))
      return problem(
        'unauthenticated',
        'Expected the token of this host as Authorization: Bearer.',
        {},
        challenge,
      );
    return null;
  };
};
