import * as z from 'zod';
import { FeedbackType } from '../../../schema/index.ts';
import { markedLines, visibleJson } from '../../base/text/foreign-text.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { readJson } from '../../base/boundary/read-json.ts';
import { asWired } from './client.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';

/** A field of a form. MCP forms are flat. */
interface Field {
  readonly type: 'string';
  readonly title: string;
  readonly description: string;
  readonly enum?: string[];
}

/** A question to a person in MCP (`elicitation/create`, form mode). */
export interface Form {
  readonly mode: 'form';
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Record<string, Field>;
    readonly required: string[];
  };
}

const field = (title: string, description: string): Field => ({ type: 'string', title, description });

/** Returns the additional fields, by answer type. */
const fieldsOf = ({ accepts, needsToken }: InboxEntry['question']): Record<string, Field> => ({
  ...(accepts.some((type) => type !== 'approve') && {
    text: field('Text', 'A comment on your decision. Required for an instruction.'),
  }),
  ...((accepts.includes('edit') || accepts.includes('rank')) && {
    value: field('Value', 'JSON: the replacement of an edit, or the ranking, best first.'),
  }),
  ...(needsToken === true && {
    token: field('Signed approval', 'A compact JWS for exactly this action. Required to approve it.'),
  }),
});

/** Returns the text for the person: question, subject, and consequence of each answer. */
const messageOf = ({ question, message }: InboxEntry, note: string): string => {
  const { question: _question, ...shown } = message.payload;
  const answers = question.accepts.flatMap((type) => {
    const consequence = question.consequences[type];
    return consequence === undefined ? [] : [`${type}: ${consequence}`];
  });
  const about = Object.keys(shown).length > 0 ? [visibleJson(shown, 2)] : [];
  const deadline = question.deadline === null ? [] : [`Deadline: ${question.deadline}.`];
  return [markedLines(note), markedLines(message.explanation), ...about, ...answers, ...deadline]
    .filter((line) => line !== '')
    .join('\n');
};

/** Returns a question as a form. It offers no comment, because a comment answers nothing. */
export const formOf = (entry: InboxEntry, note: string): Form => {
  const answer = field('Answer', 'Your decision.');
  const accepted = entry.question.accepts.filter((type) => type !== 'comment');
  return {
    mode: 'form',
    message: messageOf(entry, note),
    requestedSchema: {
      type: 'object',
      properties: { answer: { ...answer, enum: [...accepted] }, ...fieldsOf(entry.question) },
      required: ['answer'],
    },
  };
};

const Filled = z.object({
  answer: FeedbackType,
  text: z.string().default(''),
  value: z.string().default(''),
  token: z.string().default(''),
});

const Elicitation = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
});

/** A completed form: feedback, and the approval if any. */
export interface Filled {
  readonly feedback: Readonly<Record<string, unknown>>;
  readonly approval?: string;
}

const contentOf = ({ answer, text, value }: z.infer<typeof Filled>): unknown => {
  const comment = text === '' ? undefined : text;
  if (answer === 'rank') return readJson('value', value);
  if (answer === 'edit')
    return { value: readJson('value', value), ...(comment !== undefined && { text: comment }) };
  return comment;
};

/**
 * Parses the response of an MCP client; `null` if no one answered, which decides nothing.
 *
 * Throws `document_invalid` or `input_unreadable`.
 */
export const filledIn = (response: unknown, messageId: string): Filled | null => {
  const read = parseDocument('ElicitResult', Elicitation, asWired('ElicitResult', response));
  if (read.action !== 'accept') return null;
  const filled = parseDocument('answer', Filled, read.content);
  const content = contentOf(filled);
  return {
    feedback: { type: filled.answer, target: messageId, ...(content !== undefined && { content }) },
    ...(filled.token !== '' && { approval: filled.token }),
  };
};
