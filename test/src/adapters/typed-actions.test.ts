import { tool as langChainTool } from '@langchain/core/tools';
import { tool as aiTool, type ToolSet } from 'ai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as aiSdk from '../../../src/adapters/ai-sdk/index.ts';
import * as langChain from '../../../src/adapters/langchain/index.ts';
import * as openAi from '../../../src/adapters/openai-agents/index.ts';
import { createGuard } from '../../../src/guard/index.ts';
import { defineTaskClass } from '../../../src/index.ts';
import type { ActionOf } from '../../../src/types.ts';

const refund = z.object({ eur: z.coerce.number() });
const find = z.object({ order: z.string() });
const contracts = { refund: { tier: 'write_low_risk' }, find: { tier: 'read_only' } } as const;
const description = '';
const execute = async (): Promise<string> => '';

const ofAiSdk = aiSdk.guardTools(
  { refund: aiTool({ inputSchema: refund, execute }), find: aiTool({ inputSchema: find, execute }) },
  contracts,
);
const ofLangChain = langChain.guardTools(
  [
    langChainTool(execute, { name: 'refund', description, schema: refund }),
    langChainTool(execute, { name: 'find', description, schema: find }),
  ],
  contracts,
);
const ofOpenAi = openAi.guardTools(
  [
    openAi.tool({ name: 'refund', description, parameters: refund, execute }),
    openAi.tool({ name: 'find', description, parameters: find, execute }),
  ],
  contracts,
);

/** What a policy decides on: the arguments after the schema, by the name of the tool. */
type Decided =
  | { readonly action: 'refund'; readonly arguments: { eur: number } }
  | { readonly action: 'find'; readonly arguments: { order: string } };

describe('A policy in a guard of the tools of a framework', () => {
  it('knows the arguments of each', () => {
    expectTypeOf<ActionOf<typeof ofAiSdk.tools>>().toEqualTypeOf<Decided>();
    expectTypeOf<ActionOf<typeof ofLangChain.tools>>().toEqualTypeOf<Decided>();
    expectTypeOf<ActionOf<typeof ofOpenAi.tools>>().toEqualTypeOf<Decided>();
  });

  it('knows no arguments of tools whose names are known at run time only', () => {
    const found: ToolSet = {};
    const { tools } = aiSdk.guardTools(found);
    expectTypeOf<ActionOf<typeof tools>>().toEqualTypeOf<{
      readonly action: string;
      readonly arguments: unknown;
    }>();
  });

  it('is no place for a class with a wrong name', () => {
    const support = defineTaskClass({ id: 'support', tools: ['refnd'] });
    // @ts-expect-error no tool has this name
    const create = () => createGuard({ tools: ofAiSdk.tools, taskClasses: [support] });
    expect(create).toThrow('Did you mean "refund"?');
  });
});
