import { trace, type Tracer, type TracerProvider } from '@opentelemetry/api';
import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import { Callable, checkDefinition } from '../../base/define/definition.ts';
import type { Telemetry } from '../../base/ports/telemetry.ts';
import { TaskSpan } from './task-span.ts';

export { openTelemetryMetrics, type OpenTelemetryMetricsOptions } from './metrics.ts';
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
} from '../../base/ports/telemetry.ts';

/** Where spans go. By default a tracer of `tracerProvider`, which is the global one by default. */
export interface OpenTelemetryOptions {
  readonly tracer?: Tracer;
  readonly tracerProvider?: TracerProvider;
  /**
   * Whether spans include the redacted names and messages of errors. By default only codes: a message can quote
   * inputs and results.
   */
  readonly errorMessages?: boolean;
}

const Options = lazily(() =>
  z.strictObject({
    tracer: z.looseObject({ startSpan: Callable }).optional(),
    tracerProvider: z.looseObject({ getTracer: Callable }).optional(),
    errorMessages: z.boolean().optional(),
  }),
);

/**
 * Records tasks as OpenTelemetry spans, with the names of its conventions for generative AI.
 *
 * Register a context manager, so that spans of your tools and models become children of these. Throws
 * `definition_invalid`.
 */
export const openTelemetry = (options: OpenTelemetryOptions = {}): Telemetry => {
  checkDefinition('telemetry', null, Options(), options);
  const { tracer, tracerProvider = trace, errorMessages = false } = options;
  const used = tracer ?? tracerProvider.getTracer('agentcharter');
  return { errorMessages, begin: (task) => new TaskSpan(used, task) };
};
