import { generateText, isStepCount, tool, ToolLoopAgent, type ModelMessage, type ToolSet } from 'ai';
import type { Tool } from 'agentcharter';
import {
  generateGuarded,
  guardTools,
  type FromKept,
  type FromMessages,
  type GuardedStop,
  type GuardedTools,
} from 'agentcharter/adapters/ai-sdk';
import type { ToolContract } from 'agentcharter/guard';
import type { Opened, Setup, Step, Stop, Subject, ToolSpec, Unguarded } from '../subject.ts';
import { answeredKept, approved, approvedKept, edited, editedKept, key } from './kept.ts';
import { scripted } from './model.ts';
import { swapsOf } from './swaps.ts';

const first: ModelMessage = { role: 'user', content: 'Pay Alice.' };
const messagesIn = (kept: string): ModelMessage[] => JSON.parse(kept) as ModelMessage[];

const toolSet = (specs: readonly ToolSpec[]): ToolSet =>
  Object.fromEntries(
    specs.map(({ name, description = '', input, execute }) => [
      name,
      tool({
        description,
        inputSchema: input,
        execute: async (given: Record<string, unknown>, { context }) => execute(given, context as never),
      }) as ToolSet[string],
    ]),
  );

const contractsOf = (
  specs: readonly ToolSpec[],
): Readonly<Record<string, ToolContract<Record<string, unknown>>>> =>
  Object.fromEntries(specs.map(({ name, contract }) => [name, contract]));

const stopOf = (stop: GuardedStop): Stop => {
  switch (stop.status) {
    case 'delivered':
      return { status: 'delivered', payload: stop.payload };
    case 'paused':
      return { status: 'paused', kept: stop.kept };
    case 'ended':
      return { status: 'ended', said: stop.reasons.map(({ code }) => code).join(', ') };
    case 'stopped':
      return { status: 'ended', said: stop.refusal?.code ?? 'the agent stopped' };
  }
};

export const guarded = (specs: readonly ToolSpec[], own: readonly Tool[] = []): GuardedTools =>
  guardTools(toolSet(specs), contractsOf(specs), own);

const open: Subject['open'] = (specs, own): Opened => {
  const { tools, bind } = guarded(specs, own);
  const generate = async (
    { run, script, waits = false, signal, sees }: Setup,
    from: FromMessages | FromKept,
  ): Promise<Stop> => {
    const agent = new ToolLoopAgent(bind(run, { model: scripted(script, undefined, sees), waits }));
    return stopOf(await generateGuarded({ run, agent, key, waits, ...from, ...(signal && { signal }) }));
  };
  return {
    tools,
    begin: (setup) => generate(setup, { messages: [first] }),
    goOn: (setup, kept) => generate(setup, { kept }),
    approved: approvedKept,
    edited: editedKept,
    answered: answeredKept,
    swaps: swapsOf({
      specs,
      bind: ({ run, script, waits = false }) => bind(run, { model: scripted(script), waits }),
      guard: (others) => guardTools(others, contractsOf(specs)).bind,
      begin: async (agent, { run, waits = false }, generated) =>
        stopOf(await generated({ run, agent, key, messages: [first], waits })),
    }),
  };
};

/** As the documentation of `toolApproval` shows it; `experimental_toolApprovalSecret` is off unless asked for. */
const unguarded = (specs: readonly ToolSpec[], risky: readonly string[]): Unguarded => {
  const tools = toolSet(specs);
  const toolApproval = Object.fromEntries(risky.map((name) => [name, 'user-approval' as const]));
  const goOn = async (
    setup: { readonly script: readonly Step[]; readonly signal?: AbortSignal },
    kept: string,
  ) => {
    const messages = messagesIn(kept);
    const { responseMessages, finalStep, text } = await generateText({
      model: scripted(setup.script),
      tools,
      toolApproval,
      messages,
      stopWhen: isStepCount(20),
      ...(setup.signal && { abortSignal: setup.signal }),
    });
    const isAsked = finalStep.content.some((part) => part.type === 'tool-approval-request');
    return isAsked
      ? ({ status: 'paused', kept: JSON.stringify([...messages, ...responseMessages]) } as const)
      : ({ status: 'delivered', payload: JSON.parse(text) as unknown } as const);
  };
  return { begin: (setup) => goOn(setup, JSON.stringify([first])), goOn, approved, edited };
};

export const subject: Subject = { framework: 'AI SDK', package: 'ai', open, unguarded };
