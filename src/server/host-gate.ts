import type { IncomingMessage } from 'node:http';
import { doubledIn } from './doubled.ts';
import type { FetchEnv } from './env.ts';
import type { ProblemCode } from './problem.ts';

/** Why a request is refused before its path is looked at. */
export interface GateRefusal {
  readonly code: ProblemCode;
  readonly detail: string;
}

export interface HostGateOptions {
  /** The hosts that it is reached by, each as `name` or `name:port`; by default this machine's own names. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * `pages` are opened in a browser: a page elsewhere may link to them, and only a page of the same origin may send
   * something. `programs` are called by programs: no page elsewhere reaches them.
   */
  readonly serves: 'pages' | 'programs';
}

const ownNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

const schemeOf = ({ socket }: IncomingMessage): 'http' | 'https' =>
  'encrypted' in socket ? 'https' : 'http';

/**
 * Refuses requests that name a host that is not served (a foreign name can be bound to this address), and requests of
 * pages of another origin. A header that this is decided by must be there once.
 */
export const createHostGate = ({ hosts, serves }: HostGateOptions) => {
  const served = hosts?.map((name) => name.toLowerCase());

  /** Without Node's request the port is not known: a browser names the one that it connects to. */
  const allowedFor = (incoming: IncomingMessage | undefined): readonly string[] =>
    served ?? ownNames.map((name) => `${name}:${incoming?.socket.localPort ?? '*'}`);

  const isOfPage = (request: Request, host: string, incoming: IncomingMessage | undefined): boolean => {
    const origin = request.headers.get('origin');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (origin === null) return serves === 'programs' || isRead;
    // behind a proxy, which `hosts` names, the scheme of the page is not that of the connection
    const schemes = served !== undefined || incoming === undefined ? ['http', 'https'] : [schemeOf(incoming)];
    return schemes.some((scheme) => origin === `${scheme}://${host}`);
  };

  return (request: Request, { incoming }: FetchEnv): GateRefusal | null => {
    const doubled = doubledIn(request, incoming);
    if (doubled !== null) return { code: 'header_doubled', detail: `Expected one ${doubled}.` };
    const { headers } = request;
    const host = headers.get('host') ?? new URL(request.url).host;
    const allowed = allowedFor(incoming);
    const name = host.toLowerCase();
    if (!allowed.includes(name) && !allowed.includes(name.replace(/(?::\d+)?$/, ':*')))
      return { code: 'host_refused', detail: `Expected one of ${allowed.join(', ')}.` };
    const site = headers.get('sec-fetch-site') ?? 'none';
    // a page at another port of this machine is of the same site, and brings cookies along: it may only lead here
    const isLink = serves === 'pages' && headers.get('sec-fetch-mode') === 'navigate';
    const isOurs = site === 'none' || site === 'same-origin' || isLink;
    if (isOurs && isOfPage(request, host, incoming)) return null;
    return { code: 'origin_refused', detail: 'Expected a program, or a page of this origin.' };
  };
};
