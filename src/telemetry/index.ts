import { trace, type Tracer, type TracerProvider } from '@opentelemetry/api';
import type { Telemetry } from '../ports/telemetry.ts';
import { TaskSpan } from './task-span.ts';

/** Where spans go: to this tracer, else to one of this provider, else to one of the global provider. */
export interface OpenTelemetryOptions {
  readonly tracer?: Tracer;
  readonly tracerProvider?: TracerProvider;
}

/**
 * Follows tasks as OpenTelemetry spans, named after its conventions for generative AI where they have a name.
 *
 * A context manager must be registered for what a tool or a model instruments to hang below its span.
 */
export const openTelemetry = ({ tracer, tracerProvider = trace }: OpenTelemetryOptions = {}): Telemetry => {
  const used = tracer ?? tracerProvider.getTracer('agentcharter');
  return { begin: (task) => new TaskSpan(used, task) };
};
