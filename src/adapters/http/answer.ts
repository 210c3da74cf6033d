import type { Context } from 'hono';
import { Uuid } from '../../../schema/index.ts';
import type { FetchEnv } from '../../optional/server/env.ts';
import { readBody } from '../../optional/server/body.ts';
import type { FaceEnv } from '../../optional/server/face.ts';
import { missing, problem } from '../../optional/server/problem.ts';
import type { Access } from './access.ts';
import { isAgent, readCaller, type Caller } from './caller.ts';
import type { Asked, Route } from './route.ts';
import { challenge } from './token.ts';

/** The dependencies of a route. */
export interface RouteDependencies extends Pick<
  Asked,
  'guard' | 'access' | 'trusts' | 'patience' | 'onError'
> {
  readonly identity: (request: Request, env: FetchEnv) => Caller | null | Promise<Caller | null>;
}

/** Returns the response that denies access to a route; `null` if it is allowed. */
const refusalOf = async (
  { admits }: Route,
  access: Access,
  caller: Caller,
  id: string,
): Promise<Response | null> => {
  const mayRead = () => access.mayRead(caller, id);
  switch (admits) {
    case 'anyone':
    case 'caller':
      return null;
    case 'agent':
      return isAgent(caller) ? null : problem('identity_refused', 'Expected an agent.');
    case 'person':
      return isAgent(caller) ? problem('identity_refused', 'Expected a person.') : null;
    case 'owner':
      return (await access.owns(caller, id)) ? null : missing('run');
    case 'reader':
      return (await mayRead()) ? null : missing('run');
    case 'owner or person':
      return (await (isAgent(caller) ? access.owns(caller, id) : mayRead())) ? null : missing('run');
  }
};

const unauthorized: Caller = { person: '' };

/** Answers requests of routes: authentication, then authorization, then the body. */
export const answering =
  ({ identity, ...parts }: RouteDependencies) =>
  async (route: Route, { req, env: { link, given } }: Context<FaceEnv>): Promise<Response> => {
    const id = req.param('id') ?? '';
    if (route.path.includes('{') && !Uuid.safeParse(id).success) return missing('place');
    const caller = route.admits === 'anyone' ? unauthorized : readCaller(await identity(req.raw, given));
    if (caller === null)
      return problem('unauthenticated', 'Expected an authenticated caller.', {}, challenge);
    const refusal = await refusalOf(route, parts.access, caller, id);
    if (refusal !== null) return refusal;
    const body = route.body === undefined ? { value: undefined } : await readBody(req.raw, given);
    if ('refusal' in body) return body.refusal;
    const { headers } = req.raw;
    const ref = req.param('ref') ?? '';
    return route.answer({ ...parts, caller, id, ref, headers, body: body.value, link });
  };
