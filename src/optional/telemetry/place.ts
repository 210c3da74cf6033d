import {
  context,
  createTraceState,
  trace,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type SpanOptions,
} from '@opentelemetry/api';
import type { TaskBegun, TraceContext } from '../../base/ports/telemetry.ts';
import { formatTraceparent, parseTraceparent } from '../../base/trace/traceparent.ts';

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

const linksTo = (places: readonly (SpanContext | undefined)[]): Link[] =>
  places.flatMap((place) => (place === undefined ? [] : [{ context: place }]));

/**
 * Returns the parent of a task's span: the request's trace context, or by default the active one.
 *
 * A task nested in another trace has its own trace, with a link to the parent's call (UAICP 4.3). So has a task with
 * links: neither their sampling flags nor those of the active span, which a server may have taken over from them, count.
 */
export const beginningOf = ({
  incoming,
  links,
  caller,
  parentTraceId,
}: TaskBegun): { readonly options: SpanOptions; readonly parent: Context } => {
  const parent = context.active();
  const remote = incoming && spanAt(incoming, true);
  const others = (links ?? []).map((place) => spanAt(place, true));
  if (remote !== undefined)
    return { options: { links: linksTo(others) }, parent: trace.setSpanContext(parent, remote) };
  if (links === undefined && caller === undefined && parentTraceId === undefined)
    return { options: {}, parent };
  const from = caller === undefined ? trace.getSpanContext(parent) : spanAt({ traceparent: caller }, false);
  return { options: { root: true, links: linksTo([from, ...others]) }, parent };
};
