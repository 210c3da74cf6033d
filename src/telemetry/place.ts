import {
  context,
  createTraceState,
  trace,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
} from '@opentelemetry/api';
import type { TaskBegun, TraceContext } from '../ports/telemetry.ts';
import { formatTraceparent, parseTraceparent } from '../trace/traceparent.ts';

/** Returns the trace context of a span. */
export const placeOf = (span: Span): TraceContext => {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const tracestate = traceState?.serialize() ?? '';
  return {
    traceparent: formatTraceparent({ traceId, spanId, flags: traceFlags }),
    ...(tracestate !== '' && { tracestate }),
  };
};

const spanAt = ({ traceparent, tracestate }: TraceContext, isRemote: boolean): SpanContext | undefined => {
  const read = parseTraceparent(traceparent);
  if (read === null) return undefined;
  const { traceId, spanId, flags } = read;
  const traceState = tracestate === undefined ? undefined : createTraceState(tracestate);
  return { traceId, spanId, traceFlags: flags, isRemote, ...(traceState && { traceState }) };
};

/**
 * Returns the parent of a task's span: the request's trace context, or by default the active one.
 *
 * A task nested in another trace has its own trace, with a link to the parent's call (UAICP 4.3).
 */
export const beginningOf = ({
  incoming,
  caller,
  parentTraceId,
}: TaskBegun): { readonly options: SpanOptions; readonly parent: Context } => {
  const parent = context.active();
  const remote = incoming && spanAt(incoming, true);
  if (remote !== undefined) return { options: {}, parent: trace.setSpanContext(parent, remote) };
  if (caller === undefined && parentTraceId === undefined) return { options: {}, parent };
  const from = caller === undefined ? trace.getSpanContext(parent) : spanAt({ traceparent: caller }, false);
  return { options: { root: true, links: from === undefined ? [] : [{ context: from }] }, parent };
};
