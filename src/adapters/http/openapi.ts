import * as z from 'zod';
import {
  EvidenceObject,
  MessageEnvelope,
  UpContext,
  UpFeedback,
  UpFormatMessage,
  UpThought,
  VerificationReport,
} from '../../../schema/index.ts';
import * as documents from './documents.ts';
import { RunInput } from './ag-ui/resume.ts';
import { keyHeader } from './keyed.ts';
import { Problem } from '../../optional/server/problem.ts';
import type { Route } from './route.ts';

/** The schemas of all documents, by name. */
const named: Readonly<Record<string, z.ZodType>> = {
  EvidenceObject,
  MessageEnvelope,
  UpContext,
  UpFeedback,
  UpFormatMessage,
  UpThought,
  VerificationReport,
  ...documents,
  RunInput,
  Problem,
};

const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

const placeOf = (name: string): string => `#/components/schemas/${name}`;

const refTo = (schema: z.ZodType) => {
  const name = names.get(schema);
  if (name === undefined) throw new TypeError('every document of a route must have a name');
  return { $ref: placeOf(name) };
};

const printed = (): Readonly<Record<string, unknown>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { target: 'draft-2020-12', io: 'input', uri: placeOf });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
};

const problems = {
  400: 'The request cannot be read, or a header that must occur once occurs twice.',
  401: 'The caller is not authenticated.',
  403: 'The caller, host or origin is not allowed.',
  404: 'Not found, or not visible to this caller.',
  409: 'Not accepted in the current state.',
  413: 'The body is too large.',
  415: 'The body is not JSON, or it is encoded.',
  422: 'The document is invalid, or it was refused.',
  500: 'Internal error. The host has its details.',
  503: 'The orchestrator is closed.',
} as const;

const errorStatusesOf = ({ body, isKeyed, errorStatuses }: Route): readonly number[] => [
  400,
  401,
  403,
  500,
  503,
  ...(body === undefined ? [] : [413, 415, 422]),
  ...(isKeyed === true ? [422] : []),
  ...errorStatuses,
];

const contentOf = (response: Route['response']) => {
  if (response === null) return {};
  if (response === 'events')
    return { content: { 'text/event-stream': { schema: { type: 'string', description: 'AG-UI 1.0' } } } };
  return { content: { 'application/json': { schema: response === anything ? {} : refTo(response) } } };
};

/** The response of this description itself. */
export const anything = z.unknown();

const parametersOf = ({ path, isKeyed }: Route) => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'ref' ? { type: 'string' } : { type: 'string', format: 'uuid' },
  })),
  ...(isKeyed === true
    ? [
        {
          name: keyHeader,
          in: 'header',
          description: 'Makes retries safe: a request is executed once for each key.',
          schema: { type: 'string' },
        },
      ]
    : []),
];

const operationOf = (route: Route) => {
  const refusals = Object.entries(problems)
    .filter(([status]) => errorStatusesOf(route).includes(Number(status)))
    .map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: refTo(Problem) } } },
    ]);
  return {
    operationId: route.operation,
    summary: route.summary,
    parameters: parametersOf(route),
    ...(route.body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: refTo(route.body) } } },
    }),
    responses: {
      [route.status]: { description: 'Success.', ...contentOf(route.response) },
      ...Object.fromEntries(refusals),
    },
  };
};

/** Returns the routes as OpenAPI 3.1, with their documents as JSON Schema. */
export const describe = (routes: readonly Route[]): Readonly<Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'AgentCharter',
      version: '1',
      summary: 'Governed runs of AI agents: calls, evidence, approvals and answers.',
    },
    servers: [{ url: '.' }],
    security: [{ host: [] }],
    paths,
    components: {
      schemas: printed(),
      securitySchemes: {
        host: { type: 'http', scheme: 'bearer', description: 'Or the authentication of the host.' },
      },
    },
  };
};
