/**
 * Attributes of OpenTelemetry's conventions for generative AI. They are copied, because they are in development and
 * their package must not be imported by libraries.
 */
export const genAi = {
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.id',
  conversation: 'gen_ai.conversation.id',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  call: 'gen_ai.tool.call.id',
} as const;

/** OpenTelemetry's attribute for the kind of error that ended a span. */
export const errorType = 'error.type';

/** OpenTelemetry's attributes of an exception. The type is a code here: an error's class name is untrusted. */
export const exceptionAttributes = { type: 'exception.type', message: 'exception.message' } as const;

/** Attributes of this library. */
export const charter = {
  taskId: 'agentcharter.task_id',
  taskClass: 'agentcharter.task_class',
  requestId: 'agentcharter.request_id',
  parentTraceId: 'agentcharter.parent_trace_id',
  /** The operational state that the task entered or ended in. */
  state: 'agentcharter.state',
  phase: 'agentcharter.phase',
  attempt: 'agentcharter.attempt',
  outcome: 'agentcharter.outcome',
  /** The reasons of a failure, as UAICP's reason codes, the deciding one first. */
  reasons: 'agentcharter.reason_codes',
  gate: 'agentcharter.gate',
  verdict: 'agentcharter.verdict',
  /** The unmet requirements of a gate, as reason codes. */
  violations: 'agentcharter.violations',
  tier: 'agentcharter.risk_tier',
  version: 'agentcharter.tool_version',
  asks: 'agentcharter.asks',
  verifier: 'agentcharter.verifier',
  subject: 'agentcharter.subject',
  question: 'agentcharter.question',
  questionKind: 'agentcharter.question_kind',
  answer: 'agentcharter.answer',
} as const;

/** Events on a span. */
export const events = {
  /** For work that threw, with OpenTelemetry's name. */
  exception: 'exception',
  state: 'agentcharter.state.entered',
  asked: 'agentcharter.question.opened',
  answered: 'agentcharter.question.answered',
} as const;
