import type * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import type { Guard } from '../../guard/guard.ts';
import type { Link } from '../../server/link.ts';
import type { Access } from './access.ts';
import type { AgentCaller, Caller, PersonCaller } from './caller.ts';

/**
 * Who is let in: anyone; an agent; a person; the agent whose run it is; whoever may read the run; that agent, or a person
 * who may read it; any caller, where what they see is up to the route.
 */
export type Admission = 'anyone' | 'agent' | 'person' | 'caller' | 'owner' | 'reader' | 'owner or person';

/** A request that was let in. */
export interface Asked<By = Caller> {
  readonly guard: Guard;
  readonly access: Access;
  readonly caller: By;
  /** What stands in the place of the name in the path. */
  readonly id: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** Who waits for the answer. */
  readonly link: Link;
  /** Milliseconds that it may wait in place for people. */
  readonly patience: number;
  readonly onError: (error: unknown) => void;
}

/** One thing that is served, and all that its description says of it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** One name in braces stands for one part, which is a UUID. */
  readonly path: `/${string}`;
  readonly operation: string;
  readonly does: string;
  readonly admits: Admission;
  readonly body?: z.ZodType;
  /** Whether `Idempotency-Key` makes a repeated request harmless. */
  readonly isKeyed?: true;
  readonly status: 200 | 201 | 204;
  /** What is answered: a document, events, or nothing. */
  readonly gives: z.ZodType | 'events' | null;
  /** Statuses of refusals beside those that every route has. */
  readonly refuses: readonly number[];
  readonly answer: (asked: Asked) => Promise<Response>;
}

/** Whom an admission leaves. */
type By<Admits> = Admits extends 'agent' | 'owner'
  ? AgentCaller
  : Admits extends 'person'
    ? PersonCaller
    : Caller;

type Common<Admits extends Admission> = Omit<Route, 'method' | 'body' | 'answer' | 'admits'> & {
  readonly admits: Admits;
};

/** A route that reads; the caller's kind was checked by its admission. */
export const get = <Admits extends Admission>(
  route: Common<Admits> & { readonly answer: (asked: Asked<By<Admits>>) => Promise<Response> },
): Route => ({ ...route, method: 'GET', answer: (asked) => route.answer(asked as Asked<By<Admits>>) });

/** A route that is sent a document, which its schema has read before it is answered. */
export const post = <Admits extends Admission, Body extends z.ZodType>(
  route: Common<Admits> & {
    readonly body: Body;
    readonly answer: (asked: Asked<By<Admits>>, said: z.output<Body>) => Promise<Response>;
  },
): Route => ({
  ...route,
  method: 'POST',
  answer: async (asked) =>
    route.answer(asked as Asked<By<Admits>>, parseDocument('request', route.body, asked.body)),
});
