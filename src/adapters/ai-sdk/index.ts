export { generateGuarded } from './generate.ts';
export { guardTools } from './tools.ts';
export { sealMessages, unsealMessages } from './seal.ts';
export { streamGuarded } from './stream.ts';
export type {
  FromKept,
  FromMessages,
  GuardedAgent,
  GuardedGeneration,
  GuardedSettings,
  GuardedStop,
  Kept,
  PausedAgent,
  SavedGeneration,
  SavedStop,
  SealedGeneration,
  Sealing,
  StoppedAgent,
} from './agent.ts';
export type { BindOptions, Bound } from './bind.ts';
export type { StepStart } from './binding.ts';
export type { KeptMessages, SealKey } from './seal.ts';
export type { Streamed } from './stream.ts';
export type { GuardedTools, GuardToolsOptions, ToolContracts } from './tools.ts';
