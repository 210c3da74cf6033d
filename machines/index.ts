export type {
  Call,
  CallStatus,
  Context,
  Effect,
  EvidenceReference,
  FurtherCalls,
  Proposal,
  Question,
  QuestionKind,
  Report,
  RunInput,
  Violation,
} from './context.ts';
export { feedbackTaken } from './question.ts';
export { lateStatusAfter } from './late-write.ts';
export type { LateEvent, LateStatus } from './late-write.ts';
export { callMachine, effectMachine, lateWriteMachine, questionMachine } from './lives.ts';
export { isRecoverable } from './facts/recovery.ts';
export type { Recoverable } from './facts/recovery.ts';
export type { DeadlineOf, HeldCode, ProposedCall } from './facts/fields.ts';
export { Fact, factTypes } from './facts/index.ts';
export type { FactOf, FactType } from './facts/index.ts';
export { violationsOf } from './gates.ts';
export type { Gate } from './gates.ts';
export { executionMachine } from './execution.ts';
export { operationalStateOf } from './operational-state.ts';
export type { StructuredOutput } from './operational-state.ts';
export { clausesOf, stricter, taskClass, TaskClassContract } from './task-class.ts';
export type {
  Authority,
  Counters,
  DefaultedQuestion,
  EvidenceClause,
  EvidenceRequirement,
  Limits,
  Requirements,
  TaskClass,
  TaskClassInput,
} from './task-class.ts';
export type { DutyKind, Meta, RunOutput } from './vocabulary.ts';
export type { Citation, Cited, InterpretationNumber, UaicpSection, UpFormatSection } from './spec.ts';
export { dutiesOf } from './duties.ts';
export type { CharterSnapshot, Duty } from './duties.ts';
export { stateName } from './state-name.ts';
export { taskMachine } from './task.ts';
export { occasionsOf, outcomeOf } from './report.ts';
export type { Occasion } from './report.ts';
export { chartVersion } from './version.ts';
