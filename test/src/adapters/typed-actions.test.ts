import { tool as langChainTool } from '@langchain/core/tools';
import { jsonSchema, tool as aiTool, type Tool as AiTool, type ToolSet } from 'ai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as aiSdk from '../../../src/adapters/ai-sdk/index.ts';
import * as langChain from '../../../src/adapters/langchain/index.ts';
import * as openAi from '../../../src/adapters/openai-agents/index.ts';
import { createGuard } from '../../../src/guard/index.ts';
import { defineTaskClass, type Policy, type Tool } from '../../../src/index.ts';
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

/** Returns the arguments on which a policy decides when an agent refunds what it says. */
const decidedOn = async (
  tools: readonly Tool[],
  input: object,
  verdict: 'allow' | 'deny' = 'deny',
): Promise<unknown> => {
  const seen: unknown[] = [];
  const decide: Policy['decide'] = (action) => {
    seen.push(action.arguments);
    return { verdict, reasons: [] };
  };
  const taskClasses = [defineTaskClass({ id: 'support', tools: ['refund'] })];
  await using guard = createGuard({ tools: [...tools], taskClasses, policy: { decide } });
  const identity = { agent_id: 'clerk', owner_id: 'shop', control_class: 'human-supervised' } as const;
  const run = await guard.begin({ taskClass: 'support', payload: {}, identity });
  await run.call('refund', input);
  return seen[0];
};

describe('A policy in a guard of the tools of a framework', () => {
  it.each([
    ['the AI SDK', ofAiSdk.tools],
    ['LangChain', ofLangChain.tools],
    ['the OpenAI Agents SDK', ofOpenAi.tools],
  ])('of %s decides on what the schema returns', async (_, tools) => {
    expect(await decidedOn(tools, { eur: '5' })).toEqual({ eur: 5 });
  });

  it('of LangChain decides on what the tool gets, where the schema would change its own output', async () => {
    const cents = z.object({ eur: z.number().transform((eur) => eur * 100) });
    const got: unknown[] = [];
    const keep = async (input: unknown): Promise<string> => String(got.push(input));
    const { tools } = langChain.guardTools(
      [langChainTool(keep, { name: 'refund', description, schema: cents })],
      { refund: contracts.refund },
    );
    expect(await decidedOn(tools, { eur: 180 })).toEqual({ eur: 18_000 });
    expect(await decidedOn(tools, { eur: 180 }, 'allow')).toEqual({ eur: 18_000 });
    expect(got).toEqual([{ eur: 18_000 }]);
  });

  it('knows the arguments of each', () => {
    expectTypeOf<ActionOf<typeof ofAiSdk.tools>>().toEqualTypeOf<Decided>();
    expectTypeOf<ActionOf<typeof ofOpenAi.tools>>().toEqualTypeOf<Decided>();
  });

  it('of LangChain knows that what is no JSON was not read', () => {
    type Unread =
      | { readonly action: 'refund'; readonly arguments: { eur: number } | { eur: unknown } }
      | { readonly action: 'find'; readonly arguments: { order: string } };
    expectTypeOf<ActionOf<typeof ofLangChain.tools>>().toEqualTypeOf<Unread>();
  });

  it('knows no arguments where the SDK says `any`', () => {
    const find: AiTool = aiTool({ inputSchema: jsonSchema({}), execute });
    const { tools } = aiSdk.guardTools({ find }, { find: contracts.find });
    expectTypeOf<ActionOf<typeof tools>>().toEqualTypeOf<{
      readonly action: 'find';
      readonly arguments: unknown;
    }>();
  });

  it('knows no arguments of tools whose names are known at run time only', () => {
    const found: ToolSet = {};
    const { tools } = aiSdk.guardTools(found);
    expectTypeOf<ActionOf<typeof tools>>().toEqualTypeOf<{
      readonly action: string;
      readonly arguments: unknown;
    }>();
  });

  it('refuses a class that names an unknown tool', () => {
    const support = defineTaskClass({ id: 'support', tools: ['refnd'] });
    // @ts-expect-error no tool has this name
    const create = () => createGuard({ tools: ofAiSdk.tools, taskClasses: [support] });
    expect(create).toThrow('Did you mean "refund"?');
  });
});
