import type { RiskTier } from '../../../schema/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { causeOf, thrownCode } from '../../base/errors.ts';
import type { CallDocument, LedgerEntry, RequestDocument } from '../../base/ports/ledger.ts';
import type {
  TaskBegun,
  Thrown,
  TraceContext,
  Work,
  WorkEnd,
  WorkTelemetry,
} from '../../base/ports/telemetry.ts';
import { formatTraceparent, parseTraceparent, type Traceparent } from '../../base/trace/traceparent.ts';
import type { Environment } from './environment.ts';
import { stepTaken, type Views } from './moments.ts';
import { redactedText, type Redact } from './redact.ts';
import type { WorkSignal } from './work-signal.ts';

/** Returns the description of work on a call for telemetry, without its arguments. */
export const workOn = (
  kind: 'tool' | 'rollback' | 'policy',
  { id: call, tool, version }: CallDocument,
  tier: RiskTier,
  attempt: number,
): Work => ({ kind, tool, version, call, tier, attempt });

/**
 * Calls host code that must not disturb the task. Errors and rejections go to `onError`; the result is then
 * `undefined`.
 */
type SafeCall = <Result>(work: () => Result) => Result | undefined;

const createSafeCall =
  (onError: (error: unknown) => void): SafeCall =>
  (work) => {
    try {
      const made = work();
      if (made instanceof Promise) made.catch(onError);
      return made;
    } catch (error) {
      onError(error);
      return undefined;
    }
  };

const attempt = <Result>(work: () => Result): (() => Result) => {
  try {
    const made = work();
    return () => made;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/** Does work exactly once, inside `around` if that calls it; the behaviour of `around` changes nothing. */
const within = <Result>(safely: SafeCall, around: (work: () => void) => void, work: () => Result): Result => {
  let made: (() => Result) | undefined;
  safely(() =>
    around(() => {
      made ??= attempt(work);
    }),
  );
  made ??= attempt(work);
  return made();
};

/** One piece of work: its trace context, and its telemetry. */
export interface Span {
  readonly at: TraceContext;
  /** Runs the work in its span; its error is reported when the span ends. */
  readonly run: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
  /** Ends the span; later calls are ignored. */
  readonly end: (outcome: WorkEnd['outcome'], code?: WorkEnd['code']) => void;
}

/** Returns a span without telemetry. */
const plainSpan = (at: TraceContext): Span => ({ at, run: async (work) => work(), end: () => {} });

const thrownBy = (error: unknown, { redact, errorMessages }: ErrorReporting): Thrown => ({
  code: thrownCode(error),
  ...(errorMessages && { message: redactedText(redact, causeOf(error)) }),
});

/** How an error's message is reported to telemetry. */
interface ErrorReporting {
  readonly redact: Redact;
  readonly errorMessages: boolean;
}

interface FollowedWork extends ErrorReporting {
  readonly telemetry: WorkTelemetry;
  readonly at: TraceContext;
  readonly signal: WorkSignal;
  readonly safely: SafeCall;
}

/** Returns a span with telemetry. It ends at the latest when the signal aborts. */
const followedSpan = ({ telemetry, at, signal, safely, ...reporting }: FollowedWork): Span => {
  let thrown: { readonly error: unknown } | undefined;
  let isEnded = false;
  const end: Span['end'] = (outcome, code = null) => {
    if (isEnded) return;
    isEnded = true;
    stopFollowing();
    const failure = thrown && safely(() => thrownBy(thrown?.error, reporting));
    safely(() => telemetry.end(deepFreeze({ outcome, code, ...(failure && { thrown: failure }) })));
  };
  const stopFollowing = signal.onAbort(() => end('given_up'));
  return {
    at,
    run: async (work) => {
      try {
        return await within(safely, (inner) => telemetry.run(inner), work);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    },
    end,
  };
};

/** A task's trace, and its telemetry. */
export interface Tracing {
  /** The trace of the task's records (UAICP 5.4). */
  readonly traceId: string;
  /** The `traceparent` of a call's last span. */
  readonly placeOfCall: (call: string) => string | undefined;
  /** Reports a step to telemetry; `null` without telemetry. */
  readonly step: ((entry: LedgerEntry, views: Views) => void) | null;
  /** Begins the span of a piece of work; it ends when the signal aborts. */
  readonly span: (work: Work, signal: WorkSignal) => Span;
  readonly close: () => void;
}

/** Returns a span id: the second half of a UUID, whose variant bits are never all zero (RFC 9562, 4.1). */
const spanIdOf = (uuid: string): string => uuid.replaceAll('-', '').slice(16);

const taskBegun = (taskId: string, request: RequestDocument, caller: string | undefined): TaskBegun => {
  const { taskClass, threadId, identity, parentTraceId, traceparent, tracestate, linkedTraces } = request;
  return {
    taskId,
    taskClass,
    agent: identity.agent_id,
    threadId,
    ...(traceparent !== undefined && {
      incoming: { traceparent, ...(tracestate !== undefined && { tracestate }) },
    }),
    ...(linkedTraces !== undefined && { links: linkedTraces }),
    ...(parentTraceId !== undefined && { parentTraceId }),
    ...(caller !== undefined && { caller }),
  };
};

/** Returns the request of a rehydrated task with a `traceparent`, so that telemetry continues its trace. */
const inTrace = (request: RequestDocument, traceId: string, ids: Environment['ids']): RequestDocument => {
  const place = { traceId, spanId: spanIdOf(ids.uuid()), flags: 1 };
  return request.traceparent === undefined ? { ...request, traceparent: formatTraceparent(place) } : request;
};

/**
 * Begins to trace a task. Its trace is the request's, or that of telemetry, or a new one.
 *
 * Work without telemetry has a new span id in that trace, and is `sampled` by default, because the ledger records
 * it.
 */
export const traceTask = (
  taskId: string,
  request: RequestDocument,
  { telemetry, ids, emit, redact }: Environment,
  { caller, traceId: known }: { readonly caller?: string | undefined; readonly traceId?: string } = {},
): Tracing => {
  const safely = createSafeCall((error) => emit('error', { taskId, error }));
  const begun = taskBegun(taskId, known === undefined ? request : inTrace(request, known, ids), caller);
  const followed = telemetry === null ? undefined : safely(() => telemetry.begin(deepFreeze(begun)));
  const placeOf = (one: { readonly at: TraceContext } | undefined): Traceparent | null | undefined =>
    one && safely(() => parseTraceparent(one.at.traceparent));
  const { incoming } = begun;
  const incomingTrace = incoming === undefined ? null : parseTraceparent(incoming.traceparent);
  const traceId = known ?? incomingTrace?.traceId ?? placeOf(followed)?.traceId ?? ids.traceId();
  const fresh = (): TraceContext => ({
    ...incoming,
    traceparent: formatTraceparent({
      traceId,
      spanId: spanIdOf(ids.uuid()),
      flags: incomingTrace?.flags ?? 1,
    }),
  });
  const calls = new Map<string, string>();
  const begin = (work: Work, signal: WorkSignal): Span => {
    const workTelemetry = followed && safely(() => followed.work(deepFreeze(work)));
    if (workTelemetry === undefined) return plainSpan(fresh());
    const at = placeOf(workTelemetry) ? workTelemetry.at : fresh();
    const errorMessages = telemetry?.errorMessages === true;
    return followedSpan({ telemetry: workTelemetry, at, signal, safely, redact, errorMessages });
  };
  return {
    traceId,
    placeOfCall: (call) => calls.get(call),
    step:
      followed === undefined
        ? null
        : (entry, views) => safely(() => followed.step(deepFreeze(stepTaken(entry, views)))),
    span: (work, signal) => {
      const span = begin(work, signal);
      if (work.kind === 'tool') calls.set(work.call, span.at.traceparent);
      return span;
    },
    close: () => {
      if (followed !== undefined) safely(() => followed.close());
    },
  };
};
