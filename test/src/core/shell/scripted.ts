import * as z from 'zod';
import { parseTool, type UnreadToolDefinition } from '../../../../src/base/define/tool.ts';
import type { CallContext, Model, Policy, Tool, Turn } from '../../../../src/index.ts';
import type { PolicyDecision, PolicyRequest } from '../../../../src/base/ports/policy.ts';
import type { Identity } from '../../../../schema/index.ts';

export const identity: Identity = {
  agent_id: 'recommender',
  owner_id: 'acme',
  control_class: 'human-supervised',
};

export interface ProposedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly together?: true;
}

export const call = (tool: string, input: Readonly<Record<string, unknown>> = {}): ProposedCall => ({
  tool,
  arguments: input,
});

/** A write that waits until all writes of its step may be made. */
export const together = (tool: string, input: Readonly<Record<string, unknown>> = {}): ProposedCall => ({
  ...call(tool, input),
  together: true,
});

export const plan = (calls: readonly ProposedCall[] = [], more: object = {}) => ({
  canProceed: true,
  confidence: 0.9,
  explanation: 'This is what I would do.',
  calls,
  ...more,
});

/** A model output with calls beyond those of the plan. */
export const further = (...calls: readonly ProposedCall[]) => ({
  canProceed: true,
  confidence: 0.9,
  explanation: 'one more',
  calls,
});

export const draft = (payload: Readonly<Record<string, unknown>> = { done: true }, more: object = {}) => ({
  canProceed: true,
  confidence: 0.9,
  explanation: 'This is what came of it.',
  payload,
  ...more,
});

type Answer = (turn: Turn, signal: AbortSignal) => unknown;
export type Script = readonly unknown[] | Answer;

/** A model that answers from a list, and then repeats its last answer; an answer may be a function of the turn. */
export const scriptedModel = (script: Script) => {
  const turns: Turn[] = [];
  const model: Model = {
    answer: async (turn, { signal }) => {
      const line: unknown = Array.isArray(script) ? (script[turns.length] ?? script.at(-1)) : script;
      turns.push(turn);
      return typeof line === 'function' ? await (line as Answer)(turn, signal) : line;
    },
  };
  return { model, turns };
};

/** A promise that never resolves and rejects on abort. */
export const never = (signal: AbortSignal, onAbort?: () => void): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      onAbort?.();
      reject(new Error('aborted'));
    });
  });

/** A promise that the test resolves. */
export const later = <Value = unknown>() => {
  let settle: { resolve: (value: Value) => void; reject: (error: unknown) => void } | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (value: Value): void => settle?.resolve(value),
    reject: (error: unknown): void => settle?.reject(error),
  };
};

/** The arguments of every scripted tool: an object with an optional number `amount`. */
export const AnyInput = z.looseObject({ amount: z.number().optional() });

type Scripted = Partial<Omit<UnreadToolDefinition<Readonly<Record<string, unknown>>>, 'call' | 'name'>> & {
  readonly call?: (input: Readonly<Record<string, unknown>>, context: CallContext) => unknown;
};

export const readTool = (name: string, { call: made, ...rest }: Scripted = {}): Tool =>
  parseTool({
    name,
    description: `reads ${name}`,
    tier: 'read_only',
    input: AnyInput,
    call: async (input, context) => (made === undefined ? { read: name } : await made(input, context)),
    ...rest,
  });

/** A write tool with a rollback. */
export const writeTool = (name: string, { call: made, ...rest }: Scripted = {}): Tool =>
  parseTool({
    name,
    description: `writes ${name}`,
    tier: 'write_low_risk',
    input: AnyInput,
    call: async (input, context) => (made === undefined ? { written: name } : await made(input, context)),
    rollback: {
      describe: (input) => ({ type: 'inverse', target: name, payload: { of: { ...input } } }),
      run: async () => ({ undone: name }),
    },
    ...rest,
  });

type Decide = (request: PolicyRequest, signal: AbortSignal) => unknown;

/** A policy that returns what the test wants and keeps what it was asked. */
export const scriptedPolicy = (decide: PolicyDecision['verdict'] | Decide = 'allow') => {
  const asked: PolicyRequest[] = [];
  const policy: Policy = {
    decide: async (request, { signal }) => {
      asked.push(request);
      return typeof decide === 'string'
        ? { verdict: decide, reasons: [] }
        : ((await decide(request, signal)) as PolicyDecision);
    },
  };
  return { policy, asked };
};
