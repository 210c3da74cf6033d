import type { TraceContext } from '../ports/telemetry.ts';
import { isTracestate, parseTraceparent } from './traceparent.ts';

/**
 * Returns where a caller outside the process says that it stands, to link to; `[]` if that is unreadable (W3C Trace
 * Context 3.2). A caller chooses the sampling flag, so its place is never a parent.
 */
export const foreignPlace = (
  traceparent: string | null | undefined,
  tracestate: string | null | undefined,
): readonly TraceContext[] => {
  if (typeof traceparent !== 'string' || parseTraceparent(traceparent) === null) return [];
  return [{ traceparent, ...(typeof tracestate === 'string' && isTracestate(tracestate) && { tracestate }) }];
};
