import * as z from 'zod';
import { withoutUndefined } from '../../../machines/without-undefined.ts';
import { type ControlClass, Identifier, Identity, JsonObject, Uuid } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument, refusal } from '../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { LabelDefinition } from '../../base/define/labels.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { trusted } from '../../gates/origins/label.ts';
import type { RequestDocument } from '../../base/ports/ledger.ts';
import type { Label } from '../../base/ports/origin.ts';
import { isTracestate, parseTraceparent } from '../../base/trace/traceparent.ts';
import { unknownTools } from './declared-tools.ts';
import type { Environment } from './environment.ts';
import { redactedText } from './redact.ts';

const Traceparent = z
  .string()
  .refine(
    (text) => parseTraceparent(text) !== null,
    'expected a W3C traceparent: 00-<32 hex>-<16 hex>-<2 hex>',
  );

const Tracestate = z.string().refine(isTracestate, 'expected a W3C tracestate: key=value, ...');

/** The schema of a request from outside. */
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
    /** The conversation that the task belongs to; by default a new one. */
    threadId: Uuid.optional(),
    parentMessageId: Uuid.optional(),
    /** The trace of the orchestrator that encloses this task (UAICP 4.3). */
    parentTraceId: Identifier.optional(),
    /** The caller's place in a distributed trace; the task continues that trace (W3C Trace Context). */
    traceparent: Traceparent.optional(),
    /**
     * The places of callers that you do not trust to sample: the task begins a trace of its own, which links to them. The
     * list may be empty.
     */
    linkedTraces: z
      .array(z.strictObject({ traceparent: Traceparent, tracestate: Tracestate.exactOptional() }).readonly())
      .max(32)
      .readonly()
      .optional(),
    /** The tools of the run, fixed before it begins; a call of another one is held. */
    mandate: z.union([z.literal('plan'), z.array(Identifier).max(100).readonly()]).optional(),
    /**
     * The label of what the agent is shown besides the request, such as the messages of an earlier conversation. It lowers
     * the label that the task class gives; by default `trusted`.
     */
    context: z.lazy(() => LabelDefinition()).optional(),
    /**
     * The label of the payload and the explanation, if another agent or a model wrote them. It lowers the label that the
     * task class gives; by default `trusted`.
     */
    label: z.lazy(() => LabelDefinition()).optional(),
    tracestate: Tracestate.optional(),
  })
  .refine(({ traceparent, tracestate }) => tracestate === undefined || traceparent !== undefined, {
    path: ['tracestate'],
    message: 'expected a traceparent beside it',
  })
  .refine(({ traceparent, linkedTraces }) => traceparent === undefined || linkedTraces === undefined, {
    path: ['linkedTraces'],
    message: 'expected none beside a traceparent, which the task would continue',
  });
/** The acting agent and who answers for it (UAICP 5.4), with further claims. */
export interface SubmittedIdentity {
  readonly agent_id: string;
  readonly owner_id: string;
  /** The person on whose behalf the agent acts. */
  readonly user_id?: string | undefined;
  /** One of `ControlClass`; another text is refused. Any text compiles, so that an identity needs no `as const`. */
  readonly control_class: ControlClass | (string & {});
  readonly [claim: string]: unknown;
}

/** A request to begin a task. */
export type Submission<Id extends string = string, Name extends string = string> = Omit<
  z.input<typeof Submission>,
  'taskClass' | 'identity' | 'mandate'
> & {
  /** The name of a task class. */
  readonly taskClass: Id;
  readonly identity: SubmittedIdentity;
  /** The tools of the run, fixed before it begins; a call of another one is held. */
  readonly mandate?: 'plan' | readonly Name[] | undefined;
};

/** Throws `document_invalid` for a mandate that names a tool which the task class does not have. */
export const checkMandate = (
  { mandate = 'plan' }: RequestDocument,
  { tools }: Pick<DefinedTaskClass, 'tools'>,
): void => {
  const issues = mandate === 'plan' ? [] : unknownTools(mandate, tools);
  if (issues.length === 0) return;
  throw refusal(
    'Submission',
    issues.map((issue) => ({ ...issue, path: `/mandate${issue.path}` })),
  );
};

const labelFrom = ({ integrity, readers }: NonNullable<Submission['context' | 'label']>): Label => ({
  integrity: integrity ?? trusted.integrity,
  readers: readers ?? trusted.readers,
});

/** Returns a request without members that are `undefined`, as a caller without exact types passes them. */
const present = (value: unknown): unknown => {
  try {
    if (!isObject(value)) return value;
    const request = withoutUndefined(value);
    const { identity } = request;
    const given = isObject(identity) ? withoutUndefined(identity) : identity;
    return given === identity ? request : { ...request, identity: given };
  } catch {
    return value; // of a proxy that throws, `frozenCopy` says so
  }
};

/** Reads a request as a frozen and redacted copy; `newThread` names its thread if it names none. */
export const readSubmission = (
  value: unknown,
  { redact }: Pick<Environment, 'redact'>,
  newThread: () => string,
): RequestDocument => {
  const read = parseDocument('Submission', Submission, frozenCopy(present(value), 'Submission'));
  const { threadId = newThread(), parentMessageId, parentTraceId, payload, explanation, ...rest } = read;
  const { traceparent, tracestate, linkedTraces, mandate, context, label, ...request } = rest;
  const labels = {
    ...(label !== undefined && { request: { '': labelFrom(label) } }),
    ...(context !== undefined && { context: labelFrom(context) }),
  };
  return deepFreeze({
    ...request,
    payload: parseDocument('payload', JsonObject, redact(payload, 'request')),
    explanation: redactedText(redact, explanation),
    threadId,
    ...(mandate !== undefined && { mandate }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(parentMessageId !== undefined && { parentMessageId }),
    ...(parentTraceId !== undefined && { parentTraceId }),
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(linkedTraces !== undefined && { linkedTraces }),
  });
};

/** Returns the content of a request, without generated identifiers. */
export const submittedIn = (request: RequestDocument | undefined): unknown =>
  request && {
    taskClass: request.taskClass,
    payload: request.payload,
    explanation: request.explanation,
    identity: request.identity,
  };
