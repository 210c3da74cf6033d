import { defineTaskClass, type Tool } from 'agentcharter';
import { defineExtraction, type ExtractionModel } from 'agentcharter/origins';
import { z } from 'zod';
import { parseTool } from '../../../src/base/define/tool.ts';
import type { Charter, ToolCharter } from './charter.ts';
import type { Suite } from './suite.ts';

/** What stands between an agent and its tools, each with what the one before it has. */
export const arms = [
  'no guard',
  'allow-list',
  'approve every write',
  'tiers',
  '+ flows',
  '+ mandate',
  '+ quarantine',
  '+ refusing',
] as const;
export type Arm = (typeof arms)[number];
export type EngineArm = Exclude<Arm, 'no guard' | 'allow-list'>;

/** What an arm uses of a charter. */
export interface Protection {
  readonly tier: 'every write' | 'tiers' | 'with flows';
  readonly hasFlows: boolean;
  readonly hasMandate: boolean;
  readonly isQuarantined: boolean;
  readonly refuses: boolean;
}

const bare = { hasFlows: false, hasMandate: false, isQuarantined: false, refuses: false } as const;
const flowing = { ...bare, tier: 'with flows', hasFlows: true } as const;

/** What each arm that runs in the engine uses. */
export const protections: Readonly<Record<EngineArm, Protection>> = {
  'approve every write': { ...bare, tier: 'every write' },
  tiers: { ...bare, tier: 'tiers' },
  '+ flows': flowing,
  '+ mandate': { ...flowing, hasMandate: true },
  '+ quarantine': { ...flowing, hasMandate: true, isQuarantined: true },
  '+ refusing': { ...flowing, hasMandate: true, isQuarantined: true, refuses: true },
};

/** The name of the extraction, and of the task class. */
export const extractionName = 'extract';
export const taskClassName = 'study';

/** Returns whether the whole result of a tool is trusted. */
export const isTrusted = ({ labels }: ToolCharter): boolean => labels?.['']?.integrity === 'trusted';

const tierIn = (tool: ToolCharter, { tier }: Protection): ToolCharter['tier'] => {
  switch (tier) {
    case 'every write':
      return tool.tier === 'read_only' ? 'read_only' : 'write_high_risk';
    case 'tiers':
      return tool.tier;
    case 'with flows':
      return tool.tierWithFlows ?? tool.tier;
  }
};

type Make = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

const toolOf = (
  name: string,
  tool: ToolCharter,
  protection: Protection,
  { description, make }: { readonly description: string; readonly make: Make },
): Tool => {
  const tier = tierIn(tool, protection);
  return parseTool<Readonly<Record<string, unknown>>>({
    name,
    description,
    tier,
    input: tool.input,
    labels: tool.labels ?? { '': { integrity: 'untrusted' } },
    ...(protection.hasFlows && tool.flows && { flows: tool.flows }),
    ...(protection.isQuarantined && !isTrusted(tool) && { isHidden: true as const }),
    ...(tier !== 'read_only' && {
      rollback: {
        describe: (args) => ({ type: `undo ${name}`, target: name, payload: { args: { ...args } } }),
        run: async () => null,
      },
    }),
    call: (args) => make(name, args),
  });
};

/** Returns the tools and the task class of a suite under an arm. */
export const contractOf = (
  suite: Pick<Suite, 'descriptions'>,
  charter: Charter,
  protection: Protection,
  { make, extract }: { readonly make: Make; readonly extract: ExtractionModel['extract'] },
) => {
  const tools = Object.entries(charter.tools).map(([name, tool]) =>
    toolOf(name, tool, protection, { description: suite.descriptions[name] ?? name, make }),
  );
  const extraction = defineExtraction({
    name: extractionName,
    description: 'Returns one value of what is hidden.',
    output: z.object({ value: z.json() }),
    model: { extract },
    isHidden: true,
  });
  const all: readonly Tool[] = protection.isQuarantined ? [...tools, extraction] : tools;
  const taskClass = defineTaskClass({
    id: taskClassName,
    tools: all.map(({ name }) => name),
    authorities: ['human'],
    ...(protection.refuses && { flows: 'refuse' as const }),
    limits: { rounds: 90, modelCalls: 100, calls: 100, clearances: 90, pauses: 90, corrections: 30 },
  });
  return { tools: all, taskClasses: [taskClass] };
};
