import { isDeepStrictEqual } from 'node:util';
import type { ToolSet } from 'ai';
import type { Issue } from '../../base/errors.ts';

/** The parts of a step that are read here, before the model call. */
export interface StepStart {
  readonly callId?: string;
  readonly tools?: ToolSet | undefined;
}

/** The tools of one `bind`, and the SDK steps that use them. */
export interface Binding {
  readonly taskId: string;
  readonly tools: ToolSet;
  /** Returns issues of the tools that the SDK calls. They must be the object that `bind` returned. */
  readonly issuesOf: (tools: ToolSet | undefined) => readonly Issue[];
  /** Returns issues of a named tool. A subset of the tools must hold the bound ones. */
  readonly issuesOfTool: (tools: ToolSet, name: string) => readonly Issue[];
  /** Records the tools of a step, which is identified by its prompt. */
  readonly begin: (step: StepStart) => void;
  /** Returns issues of a step, before the model call. */
  readonly issuesOfStep: (prompt: object) => readonly Issue[];
  /** Records that the model of a step has answered. */
  readonly end: (prompt: object) => void;
}

const bindings = new WeakMap<object, Binding>();

/** Returns the binding of tools to a run; `undefined` unless all come from one `bind` of this run. */
export const bindingOf = (tools: ToolSet, { taskId }: { readonly taskId: string }): Binding | undefined => {
  const binding = bindings.get(tools);
  return binding?.taskId === taskId ? binding : undefined;
};

const isForeign = 'is not the tool that bind returned';
const isCopy = {
  path: '/tools',
  message: 'is a copy: expected the object that bind returned; use activeTools to show fewer tools',
};
const isUnknown = {
  path: '/onStepStart',
  message:
    'was not called for this step, so its tools are not known: spread all that bind returns into the settings, call its ' +
    'onStepStart in your own, and give middleware that changes a prompt to the model before bind',
};

/** Returns issues of foreign tools. Their getters may throw; the result only improves the error message. */
const foreignIn = (tools: ToolSet, bound: ToolSet): readonly Issue[] => {
  try {
    return Object.keys(tools)
      .filter((name) => !Object.hasOwn(bound, name) || tools[name] !== bound[name])
      .map((name) => ({ path: `/${name}`, message: isForeign }));
  } catch {
    return [];
  }
};

const promptOf = (step: StepStart): object | undefined =>
  'promptMessages' in step && typeof step.promptMessages === 'object' && step.promptMessages !== null
    ? step.promptMessages
    : undefined;

/** Registers tools as bound to a run. */
export const createBinding = (tools: ToolSet, { taskId }: { readonly taskId: string }): Binding => {
  const steps = new WeakMap<object, readonly Issue[]>();
  /** The prompts of unfinished steps, by generation. */
  const open = new Map<string, object>();

  const issuesOf: Binding['issuesOf'] = (called) => {
    if (called === tools || called === undefined) return []; // without tools nothing can be called
    const foreign = foreignIn(called, tools);
    return foreign.length > 0 ? foreign : [isCopy];
  };
  /** Returns the recorded step of a prompt. A retried streamed step has a new prompt and no second start. */
  const begunAs = (prompt: object): readonly (readonly [generation: string, prompt: object])[] =>
    [...open].filter(([, begun]) => begun === prompt || isDeepStrictEqual(begun, prompt));

  const binding: Binding = Object.freeze({
    taskId,
    tools,
    issuesOf,
    issuesOfTool: (called: ToolSet, name: string) =>
      Object.hasOwn(tools, name) && called[name] === tools[name]
        ? []
        : [{ path: `/${name}`, message: isForeign }],
    begin: (step: StepStart) => {
      const prompt = promptOf(step);
      if (prompt === undefined) return;
      steps.set(prompt, issuesOf(step.tools));
      open.set(step.callId ?? '', prompt);
    },
    issuesOfStep: (prompt: object) => {
      const [, begun = prompt] = steps.has(prompt) ? [] : (begunAs(prompt)[0] ?? []);
      return steps.get(begun) ?? [isUnknown];
    },
    end: (prompt: object) => {
      for (const [generation] of begunAs(prompt)) open.delete(generation);
    },
  });
  bindings.set(tools, binding);
  return binding;
};
