import { aiSdk } from './ai-sdk.ts';
import type { Binding } from './binding.ts';
import { byHand } from './by-hand.ts';
import { langChain } from './langchain.ts';
import { mcp } from './mcp.ts';
import { openAiAgents } from './openai-agents.ts';

export const bindings: readonly Binding[] = [byHand, aiSdk, langChain, openAiAgents, mcp];
