import { existsSync } from 'node:fs';
import type { Engine } from '../work.ts';

/** The engines of this project, and the floor. */
export const own = {
  switch: async (): Promise<Engine> => (await import('./switch.ts')).engine,
  xstate: async (): Promise<Engine> => (await import('./xstate.ts')).engine,
  chart: async (): Promise<Engine> => (await import('./chart.ts')).engine,
  orchestrator: async (): Promise<Engine> => (await import('./orchestrator.ts')).engine,
} as const;

/** The frameworks beside which users compare. */
export const peers = {
  'ai-sdk': async (): Promise<Engine> => (await import('../peers/ai-sdk.ts')).engine,
  'openai-agents': async (): Promise<Engine> => (await import('../peers/openai-agents.ts')).engine,
  mastra: async (): Promise<Engine> => (await import('../peers/mastra.ts')).createEngine(),
  langgraph: async (): Promise<Engine> => (await import('../peers/langgraph.ts')).engine,
} as const;

export type OwnName = keyof typeof own;
export type PeerName = keyof typeof peers;
export type EngineName = OwnName | PeerName;

export const createEngine = (name: EngineName): Promise<Engine> => ({ ...own, ...peers })[name]();

/** Why no peer is measured, and what installs them; `null` if they are installed in `folder`, that of the peers. */
export const missingPeers = (folder: string): string | null =>
  existsSync(`${folder}/node_modules/@mastra/core/package.json`)
    ? null
    : 'The peers are not installed: npm ci --prefix test/bench/peers';
