export { conformance } from './conformance.ts';
export type { ConformanceOptions } from './conformance.ts';
export { conformancePage } from './page.ts';
export type { ConformanceReport, RuleReport, Saw } from './report.ts';
export type { Happening, TraceStep } from './seen.ts';
export { capabilities } from './subject.ts';
export type {
  Approval,
  AuditRecord,
  CallOf,
  Capability,
  Documents,
  Draft,
  Fact,
  Findings,
  Json,
  ProposedCall,
  Required,
  Result,
  Run,
  Scenario,
  ScenarioTool,
  ScenarioVerifier,
  StreamedChunk,
  Subject,
  ToolAnswer,
} from './subject.ts';
