import * as z from 'zod';
import { Identifier, Identity, JsonObject, Uuid } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import type { RequestDocument } from '../ports/ledger.ts';
import { isTracestate, parseTraceparent } from '../trace/traceparent.ts';
import type { Environment } from './environment.ts';
import { redactedText } from './redact.ts';

/** The ports of reading submissions. */
export type SubmissionPorts = Pick<Environment, 'ids' | 'redact'>;

/** A request as it comes in from outside. */
export const Submission = z
  .strictObject({
    taskClass: z.string(),
    payload: JsonObject,
    explanation: z.string().default(''),
    identity: Identity.extend({
      agent_id: Identifier,
      owner_id: Identifier,
      user_id: Identifier.optional(),
    }),
    /** The conversation that the task belongs to; a new one where left out. */
    threadId: Uuid.optional(),
    parentMessageId: Uuid.optional(),
    /** The trace of the orchestrator that this task is nested in (UAICP 4.3). */
    parentTraceId: Identifier.optional(),
    /** Where the request comes from in a distributed trace: the task goes on in that trace (W3C Trace Context). */
    traceparent: z
      .string()
      .refine(
        (text) => parseTraceparent(text) !== null,
        'expected a W3C traceparent: 00-<32 hex>-<16 hex>-<2 hex>',
      )
      .optional(),
    tracestate: z.string().refine(isTracestate, 'expected a W3C tracestate: key=value, ...').optional(),
  })
  .refine(({ traceparent, tracestate }) => tracestate === undefined || traceparent !== undefined, {
    path: ['tracestate'],
    message: 'expected a traceparent beside it',
  });
export type Submission = z.input<typeof Submission>;

/** Reads a request: what is used is the frozen and redacted copy, not the object that came in. */
export const readSubmission = (value: unknown, { ids, redact }: SubmissionPorts): RequestDocument => {
  const read = parseDocument('Submission', Submission, frozenCopy(value, 'Submission'));
  const { threadId = ids.uuid(), parentMessageId, parentTraceId, payload, explanation, ...rest } = read;
  const { traceparent, tracestate, ...request } = rest;
  return deepFreeze({
    ...request,
    payload: parseDocument('payload', JsonObject, redact(payload, 'request')),
    explanation: redactedText(redact, explanation),
    threadId,
    ...(parentMessageId !== undefined && { parentMessageId }),
    ...(parentTraceId !== undefined && { parentTraceId }),
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
  });
};

/** What a request says, without the identifiers that are made for it. */
export const submittedIn = (request: RequestDocument | undefined): unknown =>
  request && {
    taskClass: request.taskClass,
    payload: request.payload,
    explanation: request.explanation,
    identity: request.identity,
  };
