/** What is measured in a process of its own, by name. */
export const subjects = {
  runs: async () => (await import('./subjects/runs.ts')).measureRuns,
  allocations: async () => (await import('./subjects/allocations.ts')).measureAllocations,
  flows: async () => (await import('./subjects/flows.ts')).measureFlows,
  calls: async () => (await import('./subjects/calls.ts')).measureCalls,
  commits: async () => (await import('./subjects/commits.ts')).measureCommits,
  durable: async () => (await import('./subjects/durable.ts')).measureDurable,
  parked: async () => (await import('./subjects/parked.ts')).measureParked,
  verify: async () => (await import('./subjects/verify.ts')).measureVerify,
  signed: async () => (await import('./subjects/verify.ts')).measureSigned,
  explorations: async () => (await import('./subjects/explorations.ts')).measureExploration,
  fill: async () => (await import('./subjects/fill.ts')).fill,
  prepare: async () => (await import('./subjects/load.ts')).prepareServed,
  load: async () => (await import('./subjects/load.ts')).measureLoad,
  waiting: async () => (await import('./subjects/waiting.ts')).measureWaiting,
  scale: async () => (await import('./subjects/scale.ts')).measureScale,
} as const;

type Subjects = typeof subjects;
export type SubjectName = keyof Subjects;
type Measure<Name extends SubjectName> = Awaited<ReturnType<Subjects[Name]>>;
export type Given<Name extends SubjectName> = Parameters<Measure<Name>>[0];
export type Figures<Name extends SubjectName> = Awaited<ReturnType<Measure<Name>>>;
