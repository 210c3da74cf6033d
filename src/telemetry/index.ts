import { trace, type Tracer, type TracerProvider } from '@opentelemetry/api';
import type { Telemetry } from '../ports/telemetry.ts';
import { TaskSpan } from './task-span.ts';

export type {
  Moment,
  QuestionMoment,
  StepTaken,
  TaskBegun,
  TaskTelemetry,
  Thrown,
  TraceContext,
  Work,
  WorkEnd,
  WorkOutcome,
  WorkTelemetry,
} from '../ports/telemetry.ts';

/** Where spans go: to this tracer, else to one of this provider, else to one of the global provider. */
export interface OpenTelemetryOptions {
  readonly tracer?: Tracer;
  readonly tracerProvider?: TracerProvider;
  /**
   * Whether spans hold the names and messages of errors, as `redact` leaves them. By default they hold codes only: a
   * message can quote what was sent, and what came back.
   */
  readonly errorMessages?: boolean;
}

/**
 * Follows tasks as OpenTelemetry spans, named after its conventions for generative AI where they have a name.
 *
 * A context manager must be registered for what a tool or a model instruments to hang below its span.
 */
export const openTelemetry = ({
  tracer,
  tracerProvider = trace,
  errorMessages = false,
}: OpenTelemetryOptions = {}): Telemetry => {
  const used = tracer ?? tracerProvider.getTracer('agentcharter');
  return { errorMessages, begin: (task) => new TaskSpan(used, task) };
};
