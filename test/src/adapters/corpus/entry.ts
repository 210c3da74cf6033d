import type { z } from 'zod';

/** The bindings that the corpus goes through, as people call them. */
export const bindingNames = ['by hand', 'AI SDK', 'LangChain', 'OpenAI Agents SDK', 'MCP'] as const;
export type BindingName = (typeof bindingNames)[number];

/** For each binding that is named, one thing. */
type By<Thing> = Partial<Readonly<Record<BindingName, Thing>>>;

export type Arguments = Readonly<Record<string, unknown>>;

/** A call of the model. `tool` is what this entry offers: a read, or a write that a person approves. */
export interface Call {
  readonly id: string;
  readonly tool: 'read' | 'write';
  readonly arguments: Arguments;
}

/** What stood in the conversation before: `image` is a PNG in base64. */
export interface Earlier {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly image?: string;
}

/** What must be read back, after the restart too. What is left out is as plain as can be. */
export interface Expected {
  /** What the agent reads of every call, and what the ledger holds of it. */
  readonly result?: unknown;
  /** The same, where every call has its own. */
  readonly results?: readonly unknown[];
  /** What the model is shown of it, where a tool says so. */
  readonly shown?: string;
  /** What the tools get; by default what the model wrote. */
  readonly received?: Arguments | ((given: Arguments) => boolean);
  /** What the agent reads of a call that failed: a part of it. */
  readonly refused?: string;
  /** What is delivered; by default what the model answered. */
  readonly answer?: Arguments;
}

/** Something that a tool, a model or a library really produced, after a public report or a page of documentation. */
export interface Entry {
  readonly id: string;
  readonly kind: 'result' | 'message' | 'schema' | 'id' | 'error';
  readonly says: string;
  readonly address: `https://${string}`;
  /** What both tools return, or throw. */
  readonly returns?: (given: Arguments) => unknown;
  /** What the read alone returns. */
  readonly reads?: () => unknown;
  /** What the read alone throws. */
  readonly throws?: () => unknown;
  readonly input?: z.ZodType;
  readonly arguments?: Arguments;
  /** The end of the names of its tools, in place of its id. */
  readonly named?: string;
  /** The calls of the model, in its turns; by default a read, a write, or a read and then a write: what shows most. */
  readonly turns?: readonly (readonly Call[])[];
  readonly earlier?: readonly Earlier[];
  readonly answer?: Arguments;
  /** What the AI SDK shows the model of a result, and what the model then reads. */
  readonly toModelOutput?: (output: unknown) => unknown;
  readonly expects: Expected;
  /** What is read back elsewhere, where that is another thing. */
  readonly expectsIn?: By<Expected>;
  /** Why a binding cannot express it. */
  readonly not?: By<string>;
  /** What a binding does instead: a known limit. */
  readonly notYet?: By<string>;
}

export const turnsOf = ({
  kind,
  throws,
  reads,
  turns,
  arguments: given = {},
}: Entry): readonly (readonly Call[])[] =>
  turns ?? [
    kind === 'schema' ? [] : [{ id: 'call-1', tool: 'read', arguments: given }],
    (throws ?? reads) ? [] : [{ id: 'call-2', tool: 'write', arguments: given }],
  ];

export const answerOf = ({ answer = { said: 'done' } }: Entry): Arguments => answer;

export const toolName = ({ id, named = id.replaceAll('-', '_') }: Entry, tool: Call['tool']): string =>
  `${tool}_${named}`;

/** The same sentence for every binding, but for some. */
export const everywhere = (why: string, ...but: readonly BindingName[]): By<string> =>
  Object.fromEntries(bindingNames.filter((name) => !but.includes(name)).map((name) => [name, why]));
