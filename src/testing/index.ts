export * from './conformance/index.ts';
export { check, type Counterexample } from './check.ts';
export { coverageOf, type Coverage } from './coverage.ts';
export { explore, type Exploration } from './explore.ts';
export type { Edge, Graph } from './graph.ts';
export { edgeCover } from './paths/edge-cover.ts';
export { mutantsOf, type Mutant } from './mutants.ts';
export { sharpnessOf, type Trial, type Verdict } from './sharpness.ts';
export { outlineOf } from './outline.ts';
export type { Path } from './paths/path.ts';
export { replay, replaySaved, testPaths, type DeclareTest, type Replay } from './paths/replay.ts';
export { shortestPaths, type Wanted } from './paths/shortest.ts';
export { simplePaths } from './paths/simple.ts';
export {
  everyRunEnds,
  inEveryState,
  inEveryStep,
  staysReachable,
  type Property,
  type Step,
} from './property.ts';
export { callOf } from './charter/call.ts';
export { inWorld } from './charter/explore-world.ts';
export { factsIn } from './charter/facts.ts';
export { hostileFactsIn } from './charter/hostile.ts';
export { projectRun } from './charter/project.ts';
export { adversarialProperties, charterProperties, type Charter } from './charter/properties/properties.ts';
export type { World } from './charter/world.ts';
export {
  noAnswer,
  type AgentStep,
  type ModelAnswer,
  type ScenarioAnswers,
  type ToolAnswer,
} from './scenario/answers.ts';
export type { Duration } from './scenario/duration.ts';
export type { QuestionMatch, Respondent, ScenarioResponse, ScenarioRun } from './scenario/run.ts';
export type { Choose } from './simulator/choices.ts';
export type { Effect, SimulatedAnswer } from './simulator/effects.ts';
export type { Simulated } from './simulator/given.ts';
export type { Law, SimulatedRun } from './simulator/laws.ts';
export type { Answers, SimulatedPerson } from './simulator/people.ts';
export { simulate, type Simulation, type SimulationOptions } from './simulator/simulate.ts';
export { scenario, type GivenScenario, type ScenarioRequest, type Scenarios } from './scenario/scenario.ts';
export type { Charter as ScenarioCharter } from './scenario/world.ts';
export type { PromisedRequirements, Promises, TaskProperty } from './proof/promises.ts';
export type { ProofOptions } from './proof/options.ts';
export { prove } from './proof/prove.ts';
export type { Proof, ProvedWorld } from './proof/report.ts';
