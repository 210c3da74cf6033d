import { anything, describe } from '../openapi.ts';
import { json } from '../../../optional/server/problem.ts';
import { get, type Route } from '../route.ts';
import { agUiRoutes } from './ag-ui.ts';
import { messageRoutes } from './messages.ts';
import { runRoutes } from './runs.ts';

let description: Readonly<Record<string, unknown>> | undefined;

/** All routes. */
export const routes: readonly Route[] = [
  ...runRoutes,
  ...messageRoutes,
  ...agUiRoutes,
  get({
    path: '/openapi.json',
    operation: 'describe',
    summary: 'Returns this description, as OpenAPI 3.1.',
    admits: 'anyone',
    status: 200,
    response: anything,
    errorStatuses: [],
    answer: async () => json((description ??= describe(routes))),
  }),
];
