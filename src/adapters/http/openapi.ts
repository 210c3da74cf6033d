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
import { Problem } from '../../server/problem.ts';
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
  if (name === undefined) throw new TypeError('a route takes and gives documents that have a name');
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
  400: 'It cannot be read, or says twice what counts once.',
  401: 'The host does not know whose request it is.',
  403: 'This caller, host or origin may not ask that.',
  404: 'There is no such thing for this caller.',
  409: 'It is not taken now.',
  413: 'It has too many bytes.',
  415: 'It is not JSON, or is encoded.',
  422: 'It does not fit, or is refused.',
  500: 'The host was told what broke.',
  503: 'The orchestrator is closed.',
} as const;

const refusalsOf = ({ body, isKeyed, refuses }: Route): readonly number[] => [
  400,
  401,
  403,
  500,
  503,
  ...(body === undefined ? [] : [413, 415, 422]),
  ...(isKeyed === true ? [422] : []),
  ...refuses,
];

const contentOf = (gives: Route['gives']) => {
  if (gives === null) return {};
  if (gives === 'events')
    return { content: { 'text/event-stream': { schema: { type: 'string', description: 'AG-UI 1.0' } } } };
  return { content: { 'application/json': { schema: gives === anything ? {} : refTo(gives) } } };
};

/** The response of this description itself. */
export const anything = z.unknown();

const parametersOf = ({ path, isKeyed }: Route) => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  })),
  ...(isKeyed === true
    ? [
        {
          name: keyHeader,
          in: 'header',
          description: 'What is sent again under it counts once.',
          schema: { type: 'string' },
        },
      ]
    : []),
];

const operationOf = (route: Route) => {
  const refusals = Object.entries(problems)
    .filter(([status]) => refusalsOf(route).includes(Number(status)))
    .map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: refTo(Problem) } } },
    ]);
  return {
    operationId: route.operation,
    summary: route.does,
    parameters: parametersOf(route),
    ...(route.body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: refTo(route.body) } } },
    }),
    responses: {
      [route.status]: { description: 'It was answered.', ...contentOf(route.gives) },
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
    info: { title: 'AgentCharter', version: '1', summary: 'Runs that are held to their contract.' },
    servers: [{ url: '.' }],
    security: [{ host: [] }],
    paths,
    components: {
      schemas: printed(),
      securitySchemes: {
        host: { type: 'http', scheme: 'bearer', description: 'Or whatever its host authenticates by.' },
      },
    },
  };
};
