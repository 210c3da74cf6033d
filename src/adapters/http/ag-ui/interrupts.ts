import { DateTime } from '../../../../schema/index.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import type { InboxEntry } from '../../../core/kernel/summary.ts';

/** A question that blocks a run (AG-UI 1.0, `Interrupt`). */
export interface Interrupt {
  /** The `messageId` of the question. */
  readonly id: string;
  /** `tool_call`, `confirmation` or `input_required`. */
  readonly reason: string;
  readonly message: string;
  /** The agent's id of the call in question. */
  readonly toolCallId?: string;
  readonly responseSchema: Readonly<Record<string, unknown>>;
  /** RFC 3339. Omitted if the question has no deadline. */
  readonly expiresAt?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A call in a question, as the agent knows it. */
export interface ShownCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** Returns the call in a question; `null` if there is none. */
export const callIn = ({ message }: InboxEntry): ShownCall | null => {
  const { action } = message.payload;
  if (!isObject(action)) return null;
  const { id, ref, tool, arguments: input } = action;
  const name = typeof ref === 'string' ? ref : id;
  return typeof name === 'string' && typeof tool === 'string' ? { id: name, tool, arguments: input } : null;
};

type Kind = InboxEntry['question']['kind'];

const reasons: Readonly<Record<Kind, string>> = {
  approval: 'tool_call',
  doubt: 'tool_call',
  host: 'confirmation',
  limit: 'confirmation',
  plan: 'confirmation',
  draft: 'confirmation',
  followup: 'confirmation',
  information: 'input_required',
  help: 'input_required',
  tool: 'input_required',
};

/** Returns the JSON Schema of an answer: feedback without its target (UpFormat 2.2). */
const schemaOf = ({ accepts, consequences }: InboxEntry['question']) => ({
  type: 'object',
  properties: {
    type: { oneOf: accepts.map((type) => ({ const: type, description: consequences[type] ?? '' })) },
    content: { description: 'A text, a ranking, or any of text, value, edits, annotations and diff.' },
    metadata: { type: 'object' },
  },
  required: ['type'],
  additionalProperties: false,
});

const interruptOf = (entry: InboxEntry): Interrupt => {
  const { message, question, taskId, path } = entry;
  const call = callIn(entry);
  const expiresAt = DateTime.safeParse(question.deadline).data;
  return {
    id: message.messageId,
    reason: reasons[question.kind],
    message: message.explanation,
    ...(call !== null && { toolCallId: call.id }),
    responseSchema: schemaOf(question),
    ...(expiresAt !== undefined && { expiresAt }),
    metadata: { 'agentcharter:taskId': taskId, 'agentcharter:path': path, 'agentcharter:question': question },
  };
};

/**
 * Returns whether a question interrupts. A followup is an offer after delivery, so it does not (UpFormat
 * 3.1).
 */
const interrupts = ({ question }: InboxEntry): boolean => question.kind !== 'followup';

/** Returns the open questions that block a run, as AG-UI 1.0 interrupts. */
export const interruptsOf = (entries: readonly InboxEntry[]): readonly Interrupt[] =>
  entries.filter(interrupts).map(interruptOf);
