export type {
  Call,
  CallStatus,
  Context,
  Counters,
  Effect,
  EvidenceReference,
  FurtherCalls,
  Proposal,
  Question,
  QuestionKind,
  Report,
  RunInput,
  Violation,
} from './execution/context.ts';
export { feedbackTaken } from './execution/acceptance.ts';
export { Fact, factTypes, TaskClassContract } from './execution/facts.ts';
export type { DeadlineOf, FactOf, FactType, ProposedCall } from './execution/facts.ts';
export { violationsOf } from './execution/gates.ts';
export type { Gate } from './execution/gates.ts';
export { executionMachine } from './execution/machine.ts';
export { operationalStateOf } from './execution/operational-state.ts';
export type { StructuredOutput } from './execution/operational-state.ts';
export { clausesOf, stricter, taskClass } from './execution/task-class.ts';
export type {
  Authority,
  DefaultedQuestion,
  EvidenceClause,
  EvidenceRequirement,
  Limits,
  Requirements,
  TaskClass,
  TaskClassInput,
} from './execution/task-class.ts';
export type { DutyKind, Meta, RunOutput } from './execution/vocabulary.ts';
export type { Citation, Cited, InterpretationNumber, UaicpSection, UpFormatSection } from './spec.ts';
export { dutiesOf } from './task/duties.ts';
export type { CharterSnapshot, Duty } from './task/duties.ts';
export { stateName } from './task/state-name.ts';
export { taskMachine } from './task/machine.ts';
export { occasionsOf, outcomeOf } from './task/report.ts';
export type { Occasion } from './task/report.ts';
export { chartVersion } from './version.ts';
