import { defineTaskClass, defineTool, type TaskClassDefinition, type Tool } from 'agentcharter';
import { prove, type Promises } from 'agentcharter/testing';
import { expect } from 'vitest';
import * as z from 'zod';

const call = async (): Promise<never> => {
  throw new Error('the code of a tool runs');
};
const input = z.object({});
const rollback = { describe: () => ({ type: 'undo', target: 'it', payload: {} }), run: call };

const find = defineTool({ name: 'find', description: '', tier: 'read_only', input, call });
const note = defineTool({ name: 'note', description: '', tier: 'write_low_risk', input, call });
const pay = defineTool({ name: 'pay', description: '', input, call, rollback });
const refund = defineTool({ name: 'refund', description: '', input, call, rollback });
export const tools: readonly Tool[] = [find, note, pay, refund];

export type Definition = Partial<Omit<TaskClassDefinition, 'id' | 'tools'>>;

/** Returns a task class about payments. */
export const classOf = (definition: Definition = {}, names: readonly string[] = ['find', 'pay']) =>
  defineTaskClass<string, readonly string[]>({
    id: 'payments',
    tools: names,
    authorities: ['human'],
    ...definition,
    limits: { repairs: 0, ...definition.limits },
  });

/** Returns why a class does not keep its promises. */
export const refusalOf = (
  definition: Definition,
  promises: Promises = {},
  names?: readonly string[],
): string => {
  try {
    prove(classOf(definition, names), { tools, promises });
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return expect.fail('the class keeps what was promised');
};

export const found = { type: 'tool_result' as const, tool: 'find' };
export const finds = { evidence: [found] };
