import { tool as langchainTool } from '@langchain/core/tools';
import { asSchema, jsonSchema, tool as sdkTool } from 'ai';
import * as aiSdk from 'agentcharter/adapters/ai-sdk';
import * as langchain from 'agentcharter/adapters/langchain';
import * as openaiAgents from 'agentcharter/adapters/openai-agents';
import { defineExtraction } from 'agentcharter/origins';
import { createGuard, type Run } from 'agentcharter/guard';
import { defineTaskClass, defineTool } from 'agentcharter';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { referenceSchema } from '../../../src/gates/origins/referable.ts';
import { scripted } from './ai-sdk/model.ts';

const parameters = z.object({ to: z.string(), cents: z.int() });
const flows = { '/to': { integrity: 'trusted' } } as const;
const held = { pay: { tier: 'write_low_risk', flows } } as const;
const free = { pay: { tier: 'write_low_risk' } } as const;
const description = 'Pays.';
const execute = async () => ({ done: true });

const extract = defineExtraction({
  name: 'extract',
  description: 'Reads mail.',
  output: z.object({ account: z.string() }),
  model: { extract: async () => ({ account: '' }) },
});

/** The schemas that a model sees: of a tool under a contract, of a tool of ours with references, of one without. */
type Shown = (contracts: typeof held | typeof free, run: Run) => Promise<readonly unknown[]>;

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  tier: 'read_only',
  input: z.object({ at: z.string() }),
  call: execute,
});
const own = [extract, look];

const bindings: Readonly<Record<string, Shown>> = {
  'ai-sdk': async (contracts, run) => {
    const pay = sdkTool({ description, inputSchema: parameters, execute });
    const { tools } = aiSdk.guardTools({ pay }, contracts, own).bind(run, { model: scripted([]) });
    return Promise.all(Object.values(tools).map(async ({ inputSchema }) => asSchema(inputSchema).jsonSchema));
  },
  'ai-sdk, with a schema that is printed later': async (contracts, run) => {
    const later = jsonSchema<z.infer<typeof parameters>>(async () => asSchema(parameters).jsonSchema);
    const pay = sdkTool({ description, inputSchema: later, execute });
    const { tools } = aiSdk.guardTools({ pay }, contracts, own).bind(run, { model: scripted([]) });
    return Promise.all(Object.values(tools).map(async ({ inputSchema }) => asSchema(inputSchema).jsonSchema));
  },
  langchain: async (contracts, run) => {
    const pay = langchainTool(execute, { name: 'pay', description, schema: parameters });
    return langchain
      .guardTools([pay], contracts, own)
      .bind(async () => run)
      .map(({ schema }) => schema);
  },
  'openai-agents': async (contracts, run) => {
    const pay = openaiAgents.tool({ name: 'pay', description, parameters, execute });
    return openaiAgents
      .guardTools([pay], contracts, own)
      .bind(run)
      .map((one) => one.parameters);
  },
};

const runOf = async () => {
  const guard = createGuard({ tools: own, taskClasses: [defineTaskClass({ id: 'job', tools: [] })] });
  const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
  return { guard, run: await guard.begin({ taskClass: 'job', payload: {}, identity }) };
};

describe.each(Object.entries(bindings))('%s', (_, shown) => {
  it('shows references to the model where origins matter, and other schemas as they are', async () => {
    const { guard, run } = await runOf();
    const [heldPay, extraction, looked] = await shown(held, run);
    const [freePay] = await shown(free, run);
    await guard.close();
    const printed = freePay as { readonly properties: { readonly to: object } };
    expect(JSON.stringify([freePay, looked])).not.toContain('$from');
    expect(heldPay).toEqual({
      ...printed,
      properties: { ...printed.properties, to: { anyOf: [printed.properties.to, referenceSchema] } },
    });
    expect(extraction).toMatchObject({
      properties: { values: { anyOf: [{}, referenceSchema] }, instruction: { anyOf: [{}, referenceSchema] } },
    });
  });
});

it('contracts keep the types of their arguments', () => {
  const pay = sdkTool({ description, inputSchema: parameters, execute });
  const guarded = aiSdk.guardTools(
    { pay },
    {
      pay: {
        tier: 'write_low_risk',
        flows,
        summary: ({ to, cents }) => `${to satisfies string} ${cents satisfies number}`,
      },
    },
  );
  expect(guarded.tools[0]?.flows).toEqual(flows);
});
