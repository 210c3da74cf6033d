import { isObject } from '../../../../base/boundary/is-object.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';

/** Returns the payload that a question shows. */
export const shownIn = ({ message }: InboxEntry): Readonly<Record<string, unknown>> => {
  const { question: _, ...shown } = message.payload;
  return shown;
};

/** Returns the initial value of an edit: the whole proposal, in the form that the edit replaces. */
export const proposalOf = (entry: InboxEntry): unknown => {
  const { explanation, upThought, upContext } = entry.message;
  const shown = shownIn(entry);
  switch (entry.question.kind) {
    case 'plan':
      return { ...upThought, ...shown, explanation };
    case 'draft':
      return { ...upThought, explanation, payload: shown, ...(upContext && { upContext }) };
    case 'approval':
      return isObject(shown['action']) ? shown['action']['arguments'] : {};
    case 'doubt':
      return 'done';
    case 'information':
    case 'help':
    case 'tool':
    case 'host':
    case 'limit':
    case 'followup':
      return {};
  }
};

/** Returns the choices of a ranking: the alternatives of a proposal, else the first list of the payload. */
export const choicesOf = (entry: InboxEntry): readonly unknown[] => {
  const { kind } = entry.question;
  if (kind === 'plan' || kind === 'draft') return entry.message.upThought?.alternatives ?? [];
  return Object.values(shownIn(entry)).find((value) => Array.isArray(value)) ?? [];
};

/** Returns the ranking id of a choice: its `id`, else the whole choice (UpFormat Table 2). */
export const nameOf = (choice: unknown): unknown =>
  isObject(choice) && Object.hasOwn(choice, 'id') ? choice['id'] : choice;

/** Returns the label of a choice. */
export const labelOf = (choice: unknown): string => {
  if (!isObject(choice)) return typeof choice === 'string' ? choice : JSON.stringify(choice);
  const labels = ['name', 'title', 'label', 'explanation', 'id'].map((name) => choice[name]);
  const label = labels.find((text) => typeof text === 'string');
  return typeof label === 'string' ? label : JSON.stringify(choice);
};

/**
 * Returns the requested fields with their descriptions: those of the context with a plain name as path
 * (UpFormat 3.1).
 */
export const fieldsOf = ({ question, message }: InboxEntry): Readonly<Record<string, string>> =>
  question.kind === 'information'
    ? Object.fromEntries(
        Object.entries(message.upContext?.fields ?? {})
          .filter(([path]) => /^[\w-]+$/.test(path))
          .map(([path, field]) => [path, typeof field === 'string' ? field : field.description]),
      )
    : {};
