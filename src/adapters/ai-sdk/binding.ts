import { isDeepStrictEqual } from 'node:util';
import type { ToolSet } from 'ai';
import type { Issue } from '../../errors.ts';

/** What the SDK says of a step before its model is asked, as far as it is read here. */
export interface StepStart {
  readonly callId?: string;
  readonly tools?: ToolSet | undefined;
}

/** The tools of one `bind`, and the steps of the SDK that were begun with them. */
export interface Binding {
  readonly taskId: string;
  readonly tools: ToolSet;
  /** Says what is wrong with the tools that the SDK calls: they must be the very object that `bind` returned. */
  readonly issuesOf: (tools: ToolSet | undefined) => readonly Issue[];
  /** Says what is wrong with the tool of a name: a set of fewer tools holds the very ones that were bound. */
  readonly issuesOfTool: (tools: ToolSet, name: string) => readonly Issue[];
  /** Notes which tools the SDK calls in a step; the step is known by its prompt. */
  readonly begin: (step: StepStart) => void;
  /** Says what is wrong with a step by its prompt, before its model is asked. */
  readonly issuesOfStep: (prompt: object) => readonly Issue[];
  /** Notes that the model of a step has answered. */
  readonly end: (prompt: object) => void;
}

const bindings = new WeakMap<object, Binding>();

/** Returns the binding of tools to a run; `undefined` if they are not, all of them, what one `bind` of this run returned. */
export const bindingOf = (tools: ToolSet, { taskId }: { readonly taskId: string }): Binding | undefined => {
  const binding = bindings.get(tools);
  return binding?.taskId === taskId ? binding : undefined;
};

const isForeign = 'is not the tool that bind returned';
const isCopy = {
  path: '/tools',
  message: 'is a copy: expected the object that bind returned; activeTools shows fewer',
};
const isUnknown = {
  path: '/onStepStart',
  message:
    'was not called for this step, so that its tools are not known: spread all that bind returns into the settings, call its ' +
    'onStepStart in your own, and give middleware that changes a prompt to the model before bind',
};

/** Looking into tools that are not ours may throw, and their own code may run: what is found only makes the words better. */
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

/** Registers tools as those that are bound to a run. */
export const createBinding = (tools: ToolSet, { taskId }: { readonly taskId: string }): Binding => {
  const steps = new WeakMap<object, readonly Issue[]>();
  /** The prompts of the steps whose model has not answered, by the generation. */
  const open = new Map<string, object>();

  const issuesOf: Binding['issuesOf'] = (called) => {
    if (called === tools || called === undefined) return []; // without tools nothing is called
    const foreign = foreignIn(called, tools);
    return foreign.length > 0 ? foreign : [isCopy];
  };
  /** A streamed step that is tried again is not begun again, and its prompt is written anew. */
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
