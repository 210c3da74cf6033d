import { randomBytes } from 'node:crypto';
import { cookieIn, isSameSecret } from '../boundary/secret.ts';
import type { FetchEnv } from './env.ts';
import { createHostGate } from './host-gate.ts';
import { statusOf, text } from './problem.ts';

export interface PageGateOptions {
  readonly hosts: readonly string[] | undefined;
  /** Uses a token that came in a URL. Returns whether it lets in. */
  readonly use: (token: string) => boolean;
  /** The secret of its cookie: another one than any token, which may stay in a history, a log or on a screen. */
  readonly secret: string;
  /** What is said to who brings no token, and to who brings one that lets no one in. */
  readonly help: { readonly none: string; readonly wrong: string };
}

const back = (headers: Readonly<Record<string, string>> = {}): Response =>
  new Response('See the page.\n', {
    status: 303,
    headers: { location: './', 'content-type': 'text/plain; charset=utf-8', ...headers },
  });

/**
 * Lets in who has a link: its token comes once, in a URL. From then on a cookie lets in, which scripts cannot read.
 *
 * Hosts and origins are checked before that. Returns the answer that keeps a request out, or leads it back without the
 * token; `null` lets it in.
 */
export const createPageGate = ({ hosts, use, secret, help }: PageGateOptions) => {
  const refusalOf = createHostGate({ hosts, serves: 'pages' });
  /** Cookies are shared by all ports of a host, so two servers have two names. */
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
