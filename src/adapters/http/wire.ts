import type { Context } from 'hono';
import type { Guard } from '../../guard/guard.ts';
import type { FetchEnv } from '../../server/env.ts';
import { createFace, type App, type Face, type FaceEnv, type MountOptions } from '../../server/face.ts';
import { createHostGate } from '../../server/host-gate.ts';
import { missing, problem } from '../../server/problem.ts';
import { createAccess, ownOrPerson, type MayRead } from './access.ts';
import { answering } from './answer.ts';
import type { Caller } from './caller.ts';
import { routes } from './routes/index.ts';
import { bearerOf, challenge } from './token.ts';

/** What a wire is made of beside its guard. */
export interface WireOptions extends MountOptions {
  /** What every request must bring as `Authorization: Bearer`: 16 characters or more; optional. */
  readonly token?: string;
  /**
   * Names whose request it is, as the host authenticated it: exactly `{ agent }` or `{ person }`, or `null` for no one (401).
   * For anything else the caller gets 500, and `onError` is told. What a body says of it is never read. `env` is what the
   * host passed to `fetch`; under a Node server, `env.incoming` is Node's request.
   */
  readonly identity: (request: Request, env: FetchEnv) => Caller | null | Promise<Caller | null>;
  /**
   * Who reads which runs; by default an agent those that it began, and a person all. A person answers what they may read, if
   * `mayRespond` of the guard lets them.
   */
  readonly mayRead?: MayRead;
  /** Milliseconds that a request with `waits` waits in place for people; by default 25 seconds. */
  readonly patience?: number;
  /** Told of errors that are not the caller's. */
  readonly onError?: (error: unknown) => void;
}

/** A guard for agents of any language, over HTTP and JSON. The guard goes on when the wire is closed. */
export type Wire = Face;

/** No one on the way keeps an answer, takes it for a page, or shows it in one. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

const honoPath = (path: string): string => path.replace(/\{\w+\}/, ':id');

/** Answers what no route of a path takes: `OPTIONS` with the methods that it takes, any other with a refusal. */
const otherwise = (path: string) => {
  const methods = routes.flatMap((route) => (route.path === path ? route.method : []));
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return ({ req }: Context<FaceEnv>): Response =>
    req.method === 'OPTIONS'
      ? new Response(null, { status: 204, headers: { allow } })
      : problem('method_refused', `Expected ${allow}.`, {}, { allow });
};

/** Builds a wire: UpFormat messages, UAICP documents and AG-UI events over plain HTTP (UAICP 10). Throws `definition_invalid` for a weak token. */
export const createWire = (guard: Guard, options: WireOptions): Wire => {
  const { identity, mayRead = ownOrPerson, patience = 25_000, onError = () => {}, hosts, basePath } = options;
  const hasToken = bearerOf(options.token);
  const refusalOf = createHostGate({ hosts, serves: 'programs' });
  const access = createAccess(guard.orchestrator, mayRead, onError);
  const answer = answering({ guard, access, identity, patience, onError });

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

  return createFace({ name: 'wire', addTo, headers, onError, basePath });
};
