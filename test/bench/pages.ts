import type { Orchestrator } from 'agentcharter';

// A page of each list, as a program reads it. Each returns how many entries it has.

export const inboxPage = async (orchestrator: Orchestrator): Promise<number> =>
  (await orchestrator.inbox({ limit: 50 })).items.length;

export const listPage = async (orchestrator: Orchestrator): Promise<number> =>
  (await orchestrator.list({ limit: 50 })).items.length;
