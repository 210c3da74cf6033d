import type { IncomingMessage } from 'node:http';
import { duplicateHeaderIn } from './duplicate-header.ts';
import type { FetchEnv } from './env.ts';
import type { ProblemCode } from './problem.ts';

/** Why a request is refused before routing. */
export interface GateRefusal {
  readonly code: ProblemCode;
  readonly detail: string;
}

export interface HostGateOptions {
  /** The allowed hosts, each as `name` or `name:port`. By default, the names of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * `pages`: other sites may link here, and only a page of the same origin may send a request. `programs`: no
   * page of another origin may send a request.
   */
  readonly serves: 'pages' | 'programs';
}

const ownNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

const schemeOf = ({ socket }: IncomingMessage): 'http' | 'https' =>
  'encrypted' in socket ? 'https' : 'http';

/**
 * Refuses unknown hosts (DNS rebinding) and requests of pages of other origins. Also refuses a duplicate of a
 * header that decides this.
 */
export const createHostGate = ({ hosts, serves }: HostGateOptions) => {
  const served = hosts?.map((name) => name.toLowerCase());

  /**
   * Returns the allowed hosts. Without Node's request the port is not known, so the port of a name is
   * optional.
   */
  const allowedFor = (incoming: IncomingMessage | undefined): readonly string[] =>
    served ?? ownNames.map((name) => `${name}:${incoming?.socket.localPort ?? '*'}`);

  const isOfPage = (request: Request, host: string, incoming: IncomingMessage | undefined): boolean => {
    const origin = request.headers.get('origin');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (origin === null) return serves === 'programs' || isRead;
    // behind a proxy, which `hosts` names, the page may have another scheme than the connection
    const schemes = served !== undefined || incoming === undefined ? ['http', 'https'] : [schemeOf(incoming)];
    return schemes.some((scheme) => origin === `${scheme}://${host}`);
  };

  return (request: Request, { incoming }: FetchEnv): GateRefusal | null => {
    const duplicate = duplicateHeaderIn(request, incoming);
    if (duplicate !== null) return { code: 'header_doubled', detail: `Expected one ${duplicate}.` };
    const { headers } = request;
    const host = headers.get('host') ?? new URL(request.url).host;
    const allowed = allowedFor(incoming);
    const name = host.toLowerCase();
    if (!allowed.includes(name) && !allowed.includes(name.replace(/(?::\d+)?$/, ':*')))
      return { code: 'host_refused', detail: `Expected one of ${allowed.join(', ')}.` };
    const site = headers.get('sec-fetch-site') ?? 'none';
    // pages at other ports of this machine are same-site and send cookies: they may only link here
    const isLink = serves === 'pages' && headers.get('sec-fetch-mode') === 'navigate';
    const isOurs = site === 'none' || site === 'same-origin' || isLink;
    if (isOurs && isOfPage(request, host, incoming)) return null;
    return { code: 'origin_refused', detail: 'Expected a program, or a page of this origin.' };
  };
};
