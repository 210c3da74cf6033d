import { SpanStatusCode, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import type { Moment, StepTaken, TaskBegun, TaskTelemetry } from '../../base/ports/telemetry.ts';
import { OperationalState, type Phase } from '../../../schema/index.ts';
import { charter, errorType, events, genAi } from './names.ts';
import { beginningOf, placeOf } from './place.ts';
import { followWork } from './work-span.ts';

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'] satisfies OperationalState[]);

const isState = (name: Phase | OperationalState): name is OperationalState =>
  OperationalState.safeParse(name).success;

const beginTask = (tracer: Tracer, task: TaskBegun): { readonly span: Span; readonly context: Context } => {
  const { options, parent } = beginningOf(task);
  const attributes = {
    [charter.taskId]: task.taskId,
    [charter.taskClass]: task.taskClass,
    [genAi.agent]: task.agent,
    [genAi.conversation]: task.threadId,
    ...(task.parentTraceId !== undefined && { [charter.parentTraceId]: task.parentTraceId }),
  };
  const span = tracer.startSpan(`task ${task.taskClass}`, { ...options, attributes }, parent);
  return { span, context: trace.setSpan(parent, span) };
};

/** The span of a task, with child spans for its phases, gates and work. */
export class TaskSpan implements TaskTelemetry {
  readonly at: TaskTelemetry['at'];
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #phase: { readonly span: Span; readonly context: Context } | null = null;
  #isEnded = false;

  constructor(tracer: Tracer, task: TaskBegun) {
    const { span, context } = beginTask(tracer, task);
    this.#tracer = tracer;
    this.#span = span;
    this.#context = context;
    this.at = placeOf(span);
  }

  work: TaskTelemetry['work'] = (work) => followWork(this.#tracer, this.#below(), work);

  step: TaskTelemetry['step'] = (step) => {
    this.#span.setAttribute(charter.requestId, step.requestId);
    for (const { id, kind, how } of step.answered)
      this.#addEvent(events.answered, { ...questionOf(id, kind), [charter.answer]: how });
    for (const moment of step.moments) this.#recordMoment(moment, step);
    for (const { id, kind } of step.asked) this.#addEvent(events.asked, questionOf(id, kind));
    if (step.end !== null) this.#settle(step.end);
  };

  close: TaskTelemetry['close'] = () => {
    if (!this.#isEnded) this.#end('pending');
  };

  /** Returns the context of the current or last phase; abandoned work may outlive it. */
  #below(): Context {
    return this.#phase?.context ?? this.#context;
  }

  #addEvent(event: string, attributes: Record<string, string>): void {
    this.#span.addEvent(event, attributes);
  }

  #recordMoment(moment: Moment, step: StepTaken): void {
    if (moment.kind === 'gate') return this.#recordGate(moment);
    const { state } = moment;
    if (!isState(state)) return this.#enter(state, step);
    this.#addEvent(events.state, { [charter.state]: state });
    if (ends.has(state)) this.#leave();
  }

  #enter(phase: Phase, { requestId, attempt }: StepTaken): void {
    this.#leave();
    const attributes = {
      [charter.phase]: phase,
      [charter.attempt]: attempt,
      [charter.requestId]: requestId,
    };
    const span = this.#tracer.startSpan(phase, { attributes }, this.#context);
    this.#phase = { span, context: trace.setSpan(this.#context, span) };
  }

  #leave(): void {
    if (this.#phase?.span.isRecording() === true) this.#phase.span.end();
  }

  #recordGate({ gate, verdict, violations }: Extract<Moment, { kind: 'gate' }>): void {
    const codes = [...new Set(violations.map(({ code }) => code))];
    const attributes = {
      [charter.gate]: gate,
      [charter.verdict]: verdict,
      [charter.violations]: codes,
    };
    const span = this.#tracer.startSpan(`gate ${gate}`, { attributes }, this.#below());
    if (verdict === 'shut') fail(span, codes);
    span.end();
  }

  #settle({ state, outcome, reasons }: NonNullable<StepTaken['end']>): void {
    this.#span.setAttributes({ [charter.state]: state, [charter.reasons]: [...reasons] });
    if (state === 'failed') fail(this.#span, reasons);
    this.#end(outcome);
  }

  #end(outcome: string): void {
    this.#isEnded = true;
    this.#leave();
    this.#span.setAttribute(charter.outcome, outcome);
    this.#span.end();
  }
}

const questionOf = (id: string, kind: string): Record<string, string> => ({
  [charter.question]: id,
  [charter.questionKind]: kind,
});

const fail = (span: Span, codes: readonly string[]): void => {
  span.setAttribute(errorType, codes[0] ?? 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR, message: codes.join(', ') });
};
