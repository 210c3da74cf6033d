import { visibleJson } from '../../../../base/text/foreign-text.ts';
import type { FeedbackType } from '../../../../../schema/index.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import { fieldName } from '../words.ts';
import { fieldsOf, proposalOf } from './proposal.ts';

/** An answer that is being written. */
export interface Draft {
  readonly type: FeedbackType | null;
  /** The text of a comment, an instruction or a rejection. */
  readonly text: string;
  /** An edit, as JSON. */
  readonly json: string;
  /** An edit by field, if fields are requested. */
  readonly fields: Readonly<Record<string, string>>;
  /** The ranked choices, best first, by their ranking ids. */
  readonly ranking: readonly unknown[];
  readonly severity: string;
  readonly priority: string;
  /** A signed approval. It is sent and never stored. */
  readonly token: string;
}

export const emptyDraft = (entry: InboxEntry): Draft => ({
  type: null,
  text: '',
  json: visibleJson(proposalOf(entry), 2),
  fields: Object.fromEntries(Object.keys(fieldsOf(entry)).map((name) => [name, ''])),
  ranking: [],
  severity: '',
  priority: '',
  token: '',
});

/** The feedback to send, or the reason why it is incomplete. */
export type Written =
  | { readonly feedback: Readonly<Record<string, unknown>>; readonly approval?: string }
  | { readonly missing: string };

const edited = ({ json, fields }: Draft): { readonly value: unknown } | { readonly missing: string } => {
  const names = Object.keys(fields);
  const empty = names.find((name) => (fields[name] ?? '').trim() === '');
  if (empty !== undefined) return { missing: `Fill in: ${fieldName(empty)}.` };
  if (names.length > 0) return { value: fields };
  try {
    return { value: JSON.parse(json) as unknown };
  } catch (error) {
    return { missing: `This is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
};

const weight = ({ severity, priority }: Draft): Readonly<Record<string, unknown>> => {
  const metadata = { ...(severity !== '' && { severity }), ...(priority !== '' && { priority }) };
  return Object.keys(metadata).length === 0 ? {} : { metadata };
};

/** Returns a draft as UpFormat feedback (Table 2). */
export const feedbackOf = (entry: InboxEntry, draft: Draft): Written => {
  const target = entry.message.messageId;
  const { type, text, ranking, token } = draft;
  const trimmed = text.trim();
  switch (type) {
    case null:
      return { missing: 'Choose an answer.' };
    case 'approve':
      if (entry.question.needsToken === true && token.trim() === '')
        return { missing: 'This write needs a signed approval: paste its token.' };
      return { feedback: { type, target }, ...(token.trim() !== '' && { approval: token.trim() }) };
    case 'reject':
      return { feedback: { type, target, ...(trimmed !== '' && { content: trimmed }) } };
    case 'comment':
    case 'instruction':
      if (trimmed === '') return { missing: type === 'comment' ? 'Write the comment.' : 'Write the answer.' };
      return { feedback: { type, target, content: trimmed, ...(type === 'comment' && weight(draft)) } };
    case 'rank':
      if (ranking.length === 0) return { missing: 'Choose at least one, the best first.' };
      return { feedback: { type, target, content: ranking } };
    case 'edit': {
      const read = edited(draft);
      return 'missing' in read ? read : { feedback: { type, target, content: { value: read.value } } };
    }
  }
};
