import type * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import type { Guard } from '../../guard/guard.ts';
import type { Link } from '../../optional/server/link.ts';
import type { Access } from './access.ts';
import type { AgentCaller, Caller, PersonCaller } from './caller.ts';

/**
 * Who may use a route: anyone; an agent; a person; any caller; the agent that owns the run; readers of the
 * run; or its owner and people who may read it.
 */
export type Admission = 'anyone' | 'agent' | 'person' | 'caller' | 'owner' | 'reader' | 'owner or person';

/** An authorized request. */
export interface Asked<By = Caller> {
  readonly guard: Guard;
  readonly access: Access;
  readonly caller: By;
  /** The id in the path. */
  readonly id: string;
  /** The agent's name for a call, in the path. */
  readonly ref: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** The link to the client. */
  readonly link: Link;
  /** Returns whether the requests of this agent are trusted. */
  readonly trusts: (caller: AgentCaller) => boolean | Promise<boolean>;
  /** Maximum milliseconds to wait for people. */
  readonly patience: number;
  readonly onError: (error: unknown) => void;
}

/** A route and its description. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** A path. A name in braces is a parameter: a UUID, or the `ref` of a call. */
  readonly path: `/${string}`;
  readonly operation: string;
  readonly summary: string;
  readonly admits: Admission;
  readonly body?: z.ZodType;
  /** Whether `Idempotency-Key` makes retries safe. */
  readonly isKeyed?: true;
  readonly status: 200 | 201 | 204;
  /** The response: a document, events, or nothing. */
  readonly response: z.ZodType | 'events' | null;
  /** Additional error statuses of this route. */
  readonly errorStatuses: readonly number[];
  readonly answer: (asked: Asked) => Promise<Response>;
}

/** The type of caller that an admission permits. */
type By<Admits> = Admits extends 'agent' | 'owner'
  ? AgentCaller
  : Admits extends 'person'
    ? PersonCaller
    : Caller;

type Common<Admits extends Admission> = Omit<Route, 'method' | 'body' | 'answer' | 'admits'> & {
  readonly admits: Admits;
};

/** Defines a GET route. Its admission determines the type of the caller. */
export const get = <Admits extends Admission>(
  route: Common<Admits> & { readonly answer: (asked: Asked<By<Admits>>) => Promise<Response> },
): Route => ({ ...route, method: 'GET', answer: (asked) => route.answer(asked as Asked<By<Admits>>) });

/** Defines a POST route. Its schema parses the body first. */
export const post = <Admits extends Admission, Body extends z.ZodType>(
  route: Common<Admits> & {
    readonly body: Body;
    readonly answer: (asked: Asked<By<Admits>>, body: z.output<Body>) => Promise<Response>;
  },
): Route => ({
  ...route,
  method: 'POST',
  answer: async (asked) =>
    route.answer(asked as Asked<By<Admits>>, parseDocument('request', route.body, asked.body)),
});
