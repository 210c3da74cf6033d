import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll } from 'vitest';
import { scene, type Given } from '../../core/shell/scene.ts';
import { openTelemetry, type OpenTelemetryOptions } from '../../../../src/optional/telemetry/index.ts';

/** While the tests of a file run, the active span follows what is asynchronous, as in a host that has set it up. */
export const followContext = (): void => {
  const contextManager = new AsyncLocalStorageContextManager().enable();
  beforeAll(() => void context.setGlobalContextManager(contextManager));
  afterAll(() => {
    context.disable();
  });
};

const idOf = (span: ReadableSpan): string => span.spanContext().spanId;

/** A span in words: its outcome or verdict, its codes, `!` for an error. */
const described = ({ name, attributes, status }: ReadableSpan): string => {
  const verdict = attributes['agentcharter.verdict'] ?? attributes['agentcharter.outcome'];
  const named = attributes['agentcharter.violations'] ?? attributes['agentcharter.reason_codes'] ?? [];
  const codes = [named].flat();
  return [
    name,
    ...(verdict === undefined ? [] : [`: ${String(verdict)}`]),
    ...(codes.length === 0 ? [] : [` (${codes.join(', ')})`]),
    ...(status.code === SpanStatusCode.ERROR ? [' !'] : []),
  ].join('');
};

/** Everything that spans say. */
export const textOf = (spans: readonly ReadableSpan[]): string =>
  JSON.stringify(
    spans.map(({ name, attributes, events, links, status, resource, instrumentationScope }) => ({
      name,
      attributes,
      events,
      links,
      status,
      resource: resource.attributes,
      instrumentationScope,
    })),
  );

/** Telemetry, with everything that it exported. */
export const exporting = (options: Pick<OpenTelemetryOptions, 'errorMessages'> = {}) => {
  const exporter = new InMemorySpanExporter();
  const begun: string[] = [];
  const order = {
    onStart: (span: { spanContext: () => { spanId: string } }) => void begun.push(span.spanContext().spanId),
    onEnd: () => {},
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const provider = new BasicTracerProvider({ spanProcessors: [order, new SimpleSpanProcessor(exporter)] });
  /** In the order in which they began. */
  const spans = (): readonly ReadableSpan[] =>
    exporter
      .getFinishedSpans()
      .toSorted((one, other) => begun.indexOf(idOf(one)) - begun.indexOf(idOf(other)));
  const under = (parent: string | undefined, depth: number): readonly string[] =>
    spans()
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .flatMap((span) => [`${'  '.repeat(depth)}${described(span)}`, ...under(idOf(span), depth + 1)]);
  return {
    telemetry: openTelemetry({ ...options, tracerProvider: provider }),
    tracer: provider.getTracer('host'),
    spans,
    /** Spans that have begun and are not exported. */
    open: () => begun.length - exporter.getFinishedSpans().length,
    /** Every span below those of a parent (or of none), one a line. */
    tree: (parent?: string) => under(parent, 0),
    named: (name: string) => spans().filter((span) => span.name === name),
    one: (name: string): ReadableSpan => {
      const [found, ...more] = spans().filter((span) => span.name === name);
      if (found === undefined || more.length > 0) throw new Error(`${more.length + 1} spans are ${name}`);
      return found;
    },
  };
};

/** A scene whose tasks are followed. */
export const followed = (given: Given, of: Parameters<typeof exporting>[0] = {}) => {
  const exported = exporting(of);
  return {
    ...exported,
    ...scene({ ...given, options: { ...given.options, telemetry: exported.telemetry } }),
  };
};

/** The `traceparent` that a span's own ids make. */
export const traceparentOf = (span: ReadableSpan): string => {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
};

export const activeSpanId = (): string | undefined => trace.getActiveSpan()?.spanContext().spanId;
