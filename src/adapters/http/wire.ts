import type { Context } from 'hono';
import { warnWithout } from '../../base/boundary/warn-of-error.ts';
import type { Guard } from '../../guard/guard.ts';
import type { FetchEnv } from '../../optional/server/env.ts';
import {
  createFace,
  type App,
  type Face,
  type FaceEnv,
  type MountOptions,
} from '../../optional/server/face.ts';
import { createHostGate } from '../../optional/server/host-gate.ts';
import { missing, problem } from '../../optional/server/problem.ts';
import { createAccess, ownOrPerson, type MayRead } from './access.ts';
import { answering } from './answer.ts';
import type { AgentCaller, Caller } from './caller.ts';
import { routes } from './routes/index.ts';
import { bearerOf, challenge } from './token.ts';

/** Options of a wire. */
export interface WireOptions extends MountOptions {
  /** The bearer token that every request must carry: at least 16 characters. Optional. */
  readonly token?: string;
  /**
   * Returns the authenticated caller: exactly `{ agent }` or `{ person }`, or `null` for 401. Anything else
   * causes 500 and calls `onError`. The body never decides it. `env` is what your server passed to `fetch`;
   * on Node, `env.incoming` is Node's request.
   */
  readonly identity: (request: Request, env: FetchEnv) => Caller | null | Promise<Caller | null>;
  /**
   * Decides who may read which runs. By default, agents read their own runs and people read all. A person can
   * answer what they may read, if `mayRespond` of the guard agrees.
   */
  readonly mayRead?: MayRead;
  /**
   * Whether what this agent writes as a request is trusted, such as that of your own backend on behalf of a signed-in
   * user. Only `true` trusts it. By default it is untrusted: arguments that must be trusted are held for a person.
   */
  readonly trusts?: (caller: AgentCaller) => boolean | Promise<boolean>;
  /** Milliseconds that a request with `waits` waits for people. By default 25 seconds. */
  readonly patience?: number;
  /** Called with errors that the caller did not cause. By default, a Node.js warning. */
  readonly onError?: (error: unknown) => void;
}

/** A guard for agents in any language, over HTTP and JSON. Closing it does not close the guard. */
export type Wire = Face;

/** Responses must not be cached, sniffed as a page, or framed. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

const honoPath = (path: string): string => path.replace(/\{\w+Id\}/, ':id').replace('{ref}', ':ref');

/** Answers other methods of a path: `OPTIONS` with the allowed ones, any other with 405. */
const otherwise = (path: string) => {
  const methods = routes.flatMap((route) => (route.path === path ? route.method : []));
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return ({ req }: Context<FaceEnv>): Response =>
    req.method === 'OPTIONS'
      ? new Response(null, { status: 204, headers: { allow } })
      : problem('method_refused', `Expected ${allow}.`, {}, { allow });
};

/**
 * Creates a wire: UpFormat messages, UAICP documents and AG-UI events over HTTP (UAICP 10). Throws
 * `definition_invalid` for a weak token.
 */
export const createWire = (guard: Guard, options: WireOptions): Wire => {
  const {
    identity,
    mayRead = ownOrPerson,
    trusts = () => false,
    patience = 25_000,
    onError = warnWithout('the wire failed'),
    hosts,
    basePath,
  } = options;
  const hasToken = bearerOf(options.token);
  const refusalOf = createHostGate({ hosts, serves: 'programs' });
  const access = createAccess(guard.orchestrator, mayRead, onError);
  const answer = answering({ guard, access, identity, trusts, patience, onError });

  const addTo = (app: App): void => {
    app.use(async ({ req: { raw }, env }, next) => {
      const refusal = refusalOf(raw, env.given);
      if (refusal !== null) return problem(refusal.code, refusal.detail);
      if (hasToken(raw)) return next();
      const detail = 'Expected the token of this host as Authorization: Bearer.';
      return problem('unauthenticated', detail, {}, challenge);
    });
    for (const route of routes)
      app.on(route.method, honoPath(route.path), (context) => answer(route, context));
    for (const path of new Set(routes.map((route) => route.path))) app.all(honoPath(path), otherwise(path));
    app.notFound(() => missing('place'));
  };

  return createFace({
    name: 'wire',
    addTo,
    readiness: guard.orchestrator.readiness,
    headers,
    onError,
    basePath,
  });
};
