import type { IncomingMessage } from 'node:http';
import { doubledIn } from '../boundary/request.ts';
import { cookieIn, isSameSecret } from '../boundary/secret.ts';

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 400 | 403 | 405;
  readonly why: string;
}

/** Who is let in to a server on 127.0.0.1: who names it by its own name, comes from its own pages, and has its token. */
export class Gate {
  readonly #hosts: readonly string[];
  readonly #cookie: string;
  readonly #token: string;

  constructor(port: number, token: string) {
    this.#hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    this.#cookie = `agentcharter_${port}`; // cookies are of a host, not of a port
    this.#token = token;
  }

  /** What a browser is told to bring along. */
  get cookie(): string {
    return `${this.#cookie}=${this.#token}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Why a request is refused; `undefined` where it is not. The token comes with a cookie, or in the address. */
  refusal(request: IncomingMessage, given: string | null): Refusal | undefined {
    const { method, headers } = request;
    const doubled = doubledIn(request);
    if (doubled !== null)
      return { status: 400, why: `this header stands there twice, and counts once: ${doubled}` };
    const { host = '', origin, cookie = '' } = headers;
    if (method !== 'GET') return { status: 405, why: 'only GET is answered' };
    // a page elsewhere whose name was made to lead here still says its own name
    if (!this.#hosts.includes(host)) return { status: 403, why: 'this is not the host that was asked for' };
    const site = headers['sec-fetch-site'] ?? 'none'; // another port of this machine is of the same site, and another page
    const isElsewhere = given === null && site !== 'none' && site !== 'same-origin';
    if (isElsewhere || (origin !== undefined && origin !== `http://${host}`))
      return { status: 403, why: 'another page may not ask' };
    const brought = given ?? cookieIn(cookie, this.#cookie) ?? '';
    if (isSameSecret(brought, this.#token)) return undefined;
    return { status: 403, why: 'open the address that createInspector() gave' };
  }
}
