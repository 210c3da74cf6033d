import { deepFreeze } from '../../canonical/deep-freeze.ts';
import type { Environment } from '../environment.ts';
import type { TaskSnapshot } from '../record.ts';
import type { LedgerEntry, RequestDocument } from '../../ports/ledger.ts';
import type { TaskBegun, TraceContext, Work } from '../../ports/telemetry.ts';
import { quiet } from './guard.ts';
import { stepTaken } from './moments.ts';
import { bareSpan, followedSpan, type Span } from './span.ts';
import { formatTraceparent, parseTraceparent, type Traceparent } from '../../trace/traceparent.ts';

/** Where a task stands in its trace, and what telemetry is told of it. */
export interface Tracing {
  /** The trace of the task's records (UAICP 5.4). */
  readonly traceId: string;
  /** The `traceparent` of a call's last span. */
  readonly placeOfCall: (call: string) => string | undefined;
  readonly step: (entry: LedgerEntry, before: TaskSnapshot, after: TaskSnapshot) => void;
  /** The place of a piece of work; the signal says that nobody waits for it any more. */
  readonly span: (work: Work, signal: AbortSignal) => Span;
  readonly close: () => void;
}

type TracingEnvironment = Pick<Environment, 'telemetry' | 'ids' | 'emit' | 'redact'>;

/** A span id of our own: the second half of a UUID, which its variant bits keep from being zero (RFC 9562, 4.1). */
const spanIdOf = (uuid: string): string => uuid.replaceAll('-', '').slice(16);

const begunBy = (taskId: string, request: RequestDocument, caller: string | undefined): TaskBegun => {
  const { taskClass, threadId, identity, parentTraceId, traceparent, tracestate } = request;
  return {
    taskId,
    taskClass,
    agent: identity.agent_id,
    threadId,
    ...(traceparent !== undefined && {
      incoming: { traceparent, ...(tracestate !== undefined && { tracestate }) },
    }),
    ...(parentTraceId !== undefined && { parentTraceId }),
    ...(caller !== undefined && { caller }),
  };
};

/** A request that is taken up again: whoever follows it goes on in its trace. */
const inTrace = (
  request: RequestDocument,
  traceId: string,
  ids: TracingEnvironment['ids'],
): RequestDocument => {
  const place = { traceId, spanId: spanIdOf(ids.uuid()), flags: 1 };
  return request.traceparent === undefined ? { ...request, traceparent: formatTraceparent(place) } : request;
};

/**
 * Begins to trace a task. Its trace is the one that the request came with, else the one that telemetry began for it, else
 * a fresh one.
 *
 * Work that no telemetry follows has a fresh span id in that trace, and is `sampled` unless the request says otherwise:
 * the ledger records it.
 */
export const traceTask = (
  taskId: string,
  request: RequestDocument,
  { telemetry, ids, emit, redact }: TracingEnvironment,
  { caller, traceId: known }: { readonly caller?: string | undefined; readonly traceId?: string } = {},
): Tracing => {
  const quietly = quiet((error) => emit('error', { taskId, error }));
  const begun = begunBy(taskId, known === undefined ? request : inTrace(request, known, ids), caller);
  const followed = telemetry === null ? undefined : quietly(() => telemetry.begin(deepFreeze(begun)));
  const placeOf = (one: { readonly at: TraceContext } | undefined): Traceparent | null | undefined =>
    one && quietly(() => parseTraceparent(one.at.traceparent));
  const { incoming } = begun;
  const came = incoming === undefined ? null : parseTraceparent(incoming.traceparent);
  const traceId = known ?? came?.traceId ?? placeOf(followed)?.traceId ?? ids.traceId();
  const fresh = (): TraceContext => ({
    ...incoming,
    traceparent: formatTraceparent({ traceId, spanId: spanIdOf(ids.uuid()), flags: came?.flags ?? 1 }),
  });
  const calls = new Map<string, string>();
  const begin = (work: Work, signal: AbortSignal): Span => {
    const told = followed && quietly(() => followed.work(deepFreeze(work)));
    if (told === undefined) return bareSpan(fresh());
    const at = placeOf(told) ? told.at : fresh();
    const errorMessages = telemetry?.errorMessages === true;
    return followedSpan({ telemetry: told, at, signal, quietly, redact, errorMessages });
  };
  return {
    traceId,
    placeOfCall: (call) => calls.get(call),
    step: (entry, before, after) => {
      if (followed !== undefined) quietly(() => followed.step(deepFreeze(stepTaken(entry, before, after))));
    },
    span: (work, signal) => {
      const span = begin(work, signal);
      if (work.kind === 'tool') calls.set(work.call, span.at.traceparent);
      return span;
    },
    close: () => {
      if (followed !== undefined) quietly(() => followed.close());
    },
  };
};
