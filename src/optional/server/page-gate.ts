import { randomBytes } from 'node:crypto';
import { cookieIn, isSameSecret } from '../../base/boundary/secret.ts';
import type { FetchEnv } from './env.ts';
import { createHostGate } from './host-gate.ts';
import { statusOf, text } from './problem.ts';

export interface PageGateOptions {
  readonly hosts: readonly string[] | undefined;
  /** Uses a token of a URL. Returns whether it is valid. */
  readonly use: (token: string) => boolean;
  /**
   * The secret of the cookie. It differs from every token, because a token can leak through history, logs or
   * screens.
   */
  readonly secret: string;
  /** The messages for a missing token and for an invalid one. */
  readonly help: { readonly none: string; readonly wrong: string };
}

const back = (headers: Readonly<Record<string, string>> = {}): Response =>
  new Response('See the page.\n', {
    status: 303,
    headers: { location: './', 'content-type': 'text/plain; charset=utf-8', ...headers },
  });

/**
 * Admits clients that open a link with a valid token. After that, an HTTP-only cookie admits them.
 *
 * Requires the host gate before it. Returns the response that refuses the request or redirects it to the URL
 * without the token; `null` admits it.
 */
export const createPageGate = ({ hosts, use, secret, help }: PageGateOptions) => {
  const refusalOf = createHostGate({ hosts, serves: 'pages' });
  /** Cookies are shared by all ports of a host, so each server has its own cookie name. */
  const cookie = `agentcharter-${randomBytes(6).toString('hex')}`;

  return (request: Request, env: FetchEnv): Response | null => {
    const refusal = refusalOf(request, env);
    if (refusal !== null) return text(statusOf(refusal.code), `${refusal.detail}\n`);
    const { protocol, searchParams } = new URL(request.url);
    const token = request.method === 'GET' ? searchParams.get('token') : null;
    const isNew = token !== null && use(token);
    if (isSameSecret(cookieIn(request.headers.get('cookie') ?? '', cookie) ?? '', secret))
      return token === null ? null : back();
    if (!isNew) return text(403, token === null ? help.none : help.wrong);
    const secure = protocol === 'https:' ? '; Secure' : '';
    return back({ 'set-cookie': `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict${secure}` });
  };
};
