import type { Tool } from 'agentcharter';
import type { Run } from 'agentcharter/guard';
import { z } from 'zod';
import type { Step, ToolSpec } from '../subject.ts';
import { toolName, type BindingName, type Entry } from './entry.ts';
import type { Scenario } from './scenario.ts';

/** What the agent read of a call, under its id: a value, a text that may be JSON, or an error. */
export type Read = { readonly id: string } & (
  { readonly value: unknown } | { readonly text: string } | { readonly error: string }
);

/** Where an agent stopped, and what its model had read by then. */
export interface Played {
  readonly status: string;
  readonly payload?: unknown;
  readonly reads: readonly Read[];
  /** What it read of the earlier conversation: its texts, and its images in base64. */
  readonly earlier: readonly string[];
}

/** A tool of an entry. */
export interface Spec extends ToolSpec {
  readonly of: Entry;
}

/** A scenario with its tools. */
export interface Case {
  readonly scenario: Scenario;
  readonly specs: readonly Spec[];
}

/** One process: the tools of all scenarios, and the agents around them. */
export interface Opened {
  readonly tools: readonly Tool[];
  /** What stands before the names of the tools. */
  readonly prefix?: string;
  /** Begins the agent of a scenario, or resumes it from what is stored. */
  readonly play: (run: Run, scenario: Scenario) => Promise<Played>;
  /** Returns the value in what the ledger holds of a result: of a server, which reads the arguments anew as well. */
  readonly valueIn?: (payload: unknown) => unknown;
  readonly close?: () => Promise<unknown>;
}

export interface Binding {
  readonly name: BindingName;
  readonly open: (cases: readonly Case[]) => Opened | Promise<Opened>;
}

/** The tools of an entry; each call is noted with what it got. */
export const specsOf = (
  entry: Entry,
  note: (tool: 'read' | 'write', given: unknown) => void,
): readonly Spec[] => {
  const { input = z.looseObject({}), returns = () => ({ ok: true }), reads = returns, throws } = entry;
  return (['read', 'write'] as const).map((tool) => ({
    of: entry,
    name: toolName(entry, tool),
    description: 'Does it.',
    input: input as ToolSpec['input'], // each has an object
    execute: async (given) => {
      note(tool, given);
      if (throws !== undefined && tool === 'read') throw throws();
      return tool === 'read' ? reads(given) : returns(given);
    },
    contract: { tier: tool === 'read' ? 'read_only' : 'write_low_risk' },
  }));
};

/** What the model of a scenario says, after its earlier turns. */
export const scriptOf = ({ earlier, turns, answer }: Scenario): readonly Step[] => [
  ...earlier.filter(({ role }) => role === 'assistant').map(({ text }) => ({ answer: { text } })),
  ...turns.map((calls) => ({
    calls: calls.map(({ id, name, arguments: given }) => ({ id, tool: name, arguments: given })),
  })),
  { answer },
];

/** Returns what belongs to a scenario, which is there. */
export const ofScenario = <Thing>(things: ReadonlyMap<Scenario, Thing>, scenario: Scenario): Thing => {
  const thing = things.get(scenario);
  if (thing === undefined) throw new Error(`${scenario.id} has no tools here`);
  return thing;
};
