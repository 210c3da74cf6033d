import { isObject } from '../../../boundary/is-object.ts';
import type { InboxEntry } from '../../../orchestrator/summary.ts';

/** What a question shows beside itself. */
export const shownIn = ({ message }: InboxEntry): Readonly<Record<string, unknown>> => {
  const { question: _, ...shown } = message.payload;
  return shown;
};

/** What an edit begins with: the proposal as whoever made it would give it, so that what comes back replaces it whole. */
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
    case 'followup':
      return {};
  }
};

/** What a ranking may name: the alternatives of a proposal, else the first list that is shown. */
export const choicesOf = (entry: InboxEntry): readonly unknown[] => {
  const { kind } = entry.question;
  if (kind === 'plan' || kind === 'draft') return entry.message.upThought?.alternatives ?? [];
  return Object.values(shownIn(entry)).find((value) => Array.isArray(value)) ?? [];
};

/** A choice as a ranking names it: by its `id`, else whole (UpFormat Table 2). */
export const nameOf = (choice: unknown): unknown =>
  isObject(choice) && Object.hasOwn(choice, 'id') ? choice['id'] : choice;

/** A choice as people read it. */
export const labelOf = (choice: unknown): string => {
  if (!isObject(choice)) return typeof choice === 'string' ? choice : JSON.stringify(choice);
  const told = ['name', 'title', 'label', 'explanation', 'id'].map((name) => choice[name]);
  const label = told.find((text) => typeof text === 'string');
  return typeof label === 'string' ? label : JSON.stringify(choice);
};

/** The fields that are asked for, with what each means: those of the context whose path is a plain name (UpFormat 3.1). */
export const fieldsOf = ({ question, message }: InboxEntry): Readonly<Record<string, string>> =>
  question.kind === 'information'
    ? Object.fromEntries(
        Object.entries(message.upContext?.fields ?? {})
          .filter(([path]) => /^[\w-]+$/.test(path))
          .map(([path, field]) => [path, typeof field === 'string' ? field : field.description]),
      )
    : {};
