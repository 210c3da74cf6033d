import type { Tool } from 'agentcharter';
import type { Run } from 'agentcharter/guard';
import { z } from 'zod';
import type { Step, ToolSpec } from '../subject.ts';
import { answerOf, toolName, turnsOf, type BindingName, type Entry } from './entry.ts';

/** What the agent read of a call: a value, a text that may be JSON, or an error. */
export type Read = { readonly value: unknown } | { readonly text: string } | { readonly error: string };

/** Where an agent stopped, and what its model had read by then. */
export interface Played {
  readonly status: string;
  readonly payload?: unknown;
  readonly reads: readonly Read[];
  /** What it read of the earlier conversation: its texts, and its images in base64. */
  readonly earlier: readonly string[];
}

/** An entry with its tools. */
export interface Case {
  readonly entry: Entry;
  readonly specs: readonly ToolSpec[];
}

/** One process: the tools of all entries, and the agents around them. */
export interface Opened {
  readonly tools: readonly Tool[];
  /** What stands before the names of the tools. */
  readonly prefix?: string;
  /** Begins the agent of an entry, or resumes it from what is stored. */
  readonly play: (run: Run, entry: Entry) => Promise<Played>;
  /** Returns the value in what the ledger holds of a result: of a server, which reads the arguments anew as well. */
  readonly valueIn?: (payload: unknown) => unknown;
  readonly close?: () => Promise<unknown>;
}

export interface Binding {
  readonly name: BindingName;
  readonly open: (cases: readonly Case[]) => Opened | Promise<Opened>;
}

/** The tools of an entry; each call is noted with what it got. */
export const caseOf = (entry: Entry, note: (tool: 'read' | 'write', given: unknown) => void): Case => {
  const { input = z.looseObject({}), returns = () => ({ ok: true }), reads = returns, throws } = entry;
  return {
    entry,
    specs: (['read', 'write'] as const).map((tool) => ({
      name: toolName(entry, tool),
      description: 'Does it.',
      input: input as ToolSpec['input'], // each has an object
      execute: async (given) => {
        note(tool, given);
        if (throws !== undefined && tool === 'read') throw throws();
        return tool === 'read' ? reads(given) : returns(given);
      },
      contract: { tier: tool === 'read' ? 'read_only' : 'write_low_risk' },
    })),
  };
};

/** What the model of an entry says, after its earlier turns. */
export const scriptOf = (entry: Entry): readonly Step[] => [
  ...(entry.earlier ?? []).filter(({ role }) => role === 'assistant').map(({ text }) => ({ answer: { text } })),
  ...turnsOf(entry).map((calls) => ({
    calls: calls.map((call) => ({ ...call, tool: toolName(entry, call.tool) })),
  })),
  { answer: answerOf(entry) },
];

/** Returns what belongs to an entry, which is there. */
export const ofEntry = <Thing>(things: ReadonlyMap<Entry, Thing>, entry: Entry): Thing => {
  const thing = things.get(entry);
  if (thing === undefined) throw new Error(`${entry.id} has no tools here`);
  return thing;
};
