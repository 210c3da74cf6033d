export { generateGuarded } from './generate.ts';
export { guardTools } from './tools.ts';
export { streamGuarded } from './stream.ts';
export type { BindOptions, Bound } from './bind.ts';
export type { GuardedAgent, GuardedGeneration, GuardedStop, PausedAgent, StoppedAgent } from './agent.ts';
export type { Streamed } from './stream.ts';
export type { GuardedTools, GuardToolsOptions, ToolContracts } from './tools.ts';
