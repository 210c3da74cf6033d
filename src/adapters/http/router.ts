import { Uuid } from '../../../schema/index.ts';
import { missing, problem } from './problem.ts';
import type { Text } from './reply.ts';
import type { Route } from './route.ts';
import { routes } from './routes/index.ts';

/** What is served at each kind of path, and how such a path is written. */
const places = [...new Set(routes.map(({ path }) => path))].map((path) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/, '(?<id>[^/]+)')}$`),
  methods: new Map<string, Route>(
    routes.filter((route) => route.path === path).map((route) => [route.method, route]),
  ),
}));

/** What a request names: a route and the name in its path, or what is answered at once. */
export type Destination = { readonly route: Route; readonly id: string } | { readonly reply: Text };

/** The route that a request names (RFC 9110 9.3: where something can be read, `HEAD` and `OPTIONS` are answered). */
export const routeTo = (method: string, path: string): Destination => {
  for (const { pattern, methods } of places) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const { id } = found.groups ?? {};
    if (id !== undefined && !Uuid.safeParse(id).success) break;
    const reads = methods.has('GET') ? ['HEAD'] : [];
    const allow = [...methods.keys(), ...reads, 'OPTIONS'].join(', ');
    if (method === 'OPTIONS') return { reply: { status: 204, type: '', body: '', headers: { allow } } };
    const route = methods.get(method === 'HEAD' ? 'GET' : method);
    if (route === undefined) return { reply: problem('method_refused', `Expected ${allow}.`, {}, { allow }) };
    return { route, id: id ?? '' };
  }
  return { reply: missing('place') };
};
