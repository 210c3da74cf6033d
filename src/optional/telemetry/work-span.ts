import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import type { Thrown, Work, WorkOutcome, WorkTelemetry } from '../../base/ports/telemetry.ts';
import { charter, errorType, events, exceptionAttributes, genAi } from './names.ts';
import { placeOf } from './place.ts';

interface Described {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
}

const describe = (work: Work): Described => {
  switch (work.kind) {
    case 'model':
      return {
        name: 'chat',
        kind: SpanKind.CLIENT,
        attributes: { [genAi.operation]: 'chat', [charter.asks]: work.asks },
      };
    case 'verifier': {
      const { verifier, subject } = work;
      return {
        name: `verify ${verifier}`,
        attributes: { [charter.verifier]: verifier, [charter.subject]: subject },
      };
    }
    case 'tool':
    case 'rollback':
    case 'policy': {
      const { kind, tool, call, tier, version } = work;
      const attributes = {
        [genAi.tool]: tool,
        [genAi.call]: call,
        [charter.tier]: tier,
        [charter.version]: version,
      };
      return kind === 'tool'
        ? {
            name: `execute_tool ${tool}`,
            attributes: { [genAi.operation]: 'execute_tool', [genAi.toolType]: 'function', ...attributes },
          }
        : { name: `${kind} ${tool}`, attributes };
    }
  }
};

/** The outcomes that count as errors of a span. */
const errors: ReadonlySet<WorkOutcome> = new Set([
  'failed',
  'doubted',
  'fail',
  'partial',
  'deny',
  'given_up',
] satisfies WorkOutcome[]);

const exceptionOf = ({ code, message }: Thrown): Attributes => ({
  [exceptionAttributes.type]: code,
  ...(message !== undefined && { [exceptionAttributes.message]: message }),
});

/** Records one piece of work as a span below `parent`, without its input and result. */
export const followWork = (tracer: Tracer, parent: Context, work: Work): WorkTelemetry => {
  const { attributes, ...rest } = describe(work);
  const { name, ...kind } = rest;
  const options = { ...kind, attributes: { ...attributes, [charter.attempt]: work.attempt } };
  const span = tracer.startSpan(name, options, parent);
  const active = trace.setSpan(parent, span);
  return {
    at: placeOf(span),
    run: (made) => context.with(active, made),
    end: ({ outcome, code, thrown }) => {
      span.setAttribute(charter.outcome, outcome);
      if (code) span.setAttribute(charter.reasons, [code]);
      if (thrown !== undefined) span.addEvent(events.exception, exceptionOf(thrown));
      if (errors.has(outcome)) {
        const type = code ?? thrown?.code ?? outcome;
        span.setAttribute(errorType, type);
        span.setStatus({ code: SpanStatusCode.ERROR, message: thrown?.message ?? type });
      }
      span.end();
    },
  };
};
