import type { EvidenceObject, FeedbackType, Phase } from '../../../../schema/index.ts';
import { markedLines } from '../../../base/text/foreign-text.ts';
import type { CallLine } from '../../../core/ledger/call-lines.ts';
import type { QuestionLine, Stop } from '../wire.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns the distance of two instants, in its largest unit. */
export const distance = (at: number, now: number): string => {
  const away = at - now;
  const size = Math.abs(away);
  if (size < minute) return away > 0 ? 'in less than a minute' : 'just now';
  if (size < hour) return relative.format(Math.round(away / minute), 'minute');
  if (size < 2 * day) return relative.format(Math.round(away / hour), 'hour');
  return relative.format(Math.round(away / day), 'day');
};

const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns an instant as a date and a time of the reader's own zone. */
export const moment = (at: number): string => absolute.format(at);

export const kinds: Readonly<Record<QuestionLine['kind'], string>> = {
  information: 'Information is missing',
  help: 'The model needs help',
  plan: 'Review a plan',
  draft: 'Review a draft',
  approval: 'Approve a write',
  doubt: 'Did this write happen?',
  tool: 'Question from a tool',
  host: 'An agent did not return',
  limit: 'A limit is reached',
  followup: 'Optional choice',
};

const states: Readonly<Record<string, string>> = {
  submitted: 'In progress',
  waiting: 'Waiting for another system',
  needsHumanDecision: 'Waiting for a person',
  followup: 'Delivered, with a choice',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** Returns a state or a result in the reader's words; a name that has none stays as it is. */
export const labelOf = (state: string): string =>
  (Object.hasOwn(states, state) ? states[state] : state) ?? state;

export const ends: Readonly<Record<CallLine['end'], readonly [label: string, tone: Tone]>> = {
  running: ['In progress', 'plain'],
  done: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  unknown: ['Outcome unknown', 'person'],
  held: ['Held', 'person'],
  'refused by policy': ['Refused by policy', 'bad'],
  rejected: ['Rejected', 'bad'],
  'not made': ['Not made', 'bad'],
  undone: ['Undone', 'plain'],
  'not undone': ['Not undone', 'bad'],
};

export const phases: Readonly<Record<Phase, string>> = {
  intake: 'Request',
  plan: 'Plan',
  execute: 'Work',
  verify: 'Checks',
  deliver: 'Delivery',
  fail_safe: 'Safe stop',
};

export const stops: Readonly<Record<Stop['how'], string>> = {
  ahead: 'not reached',
  active: 'in progress',
  paused: 'paused here',
  passed: 'done',
  failed: 'ended here',
};

export const evidenceTypes: Readonly<Record<EvidenceObject['evidence_type'], string>> = {
  tool_result: 'result of a tool',
  source_citation: 'citation of a source',
  test_report: 'report of a test',
  approval_token: 'signed approval',
  custom: 'other evidence',
};

const answers: Readonly<Record<FeedbackType, string>> = {
  approve: 'Approve',
  edit: 'Edit',
  rank: 'Rank',
  instruction: 'Instruct',
  comment: 'Comment',
  reject: 'Reject',
};

/** Answers whose name depends on the question. */
const namedByKind: Readonly<
  Partial<Record<QuestionLine['kind'], Readonly<Partial<Record<FeedbackType, string>>>>>
> = {
  doubt: { approve: 'It happened', reject: 'It did not happen', edit: 'Say what happened' },
  host: { approve: 'Keep the writes', reject: 'Roll back' },
  limit: { approve: 'Go on', reject: 'End the task' },
  followup: { approve: 'Take the default', reject: 'Decline' },
};

/** Returns what an answer to a question of this kind is called. */
export const answerName = (kind: QuestionLine['kind'], type: FeedbackType): string =>
  namedByKind[kind]?.[type] ?? answers[type];

/** Returns the name of a member as a label: `max_price` is `Max price`. */
export const fieldName = (name: string): string => {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns a digest or a time-based id, shortened to its distinguishing part. */
export const short = (id: string): string =>
  id.startsWith('sha256:') ? id.slice('sha256:'.length).slice(0, 8) : id.slice(-8);

/** Returns a text with shortened digests. */
export const shortened = (text: string): string =>
  text.replaceAll(/sha256:[0-9a-f]{64}/g, (digest) => `${digest.slice(0, 15)}…`);

/** Returns an external text in a marked box, so that it cannot imitate the console. */
export const visible = (text: string): string => markedLines(text, Infinity);

export type Tone = 'person' | 'good' | 'bad' | 'plain';

/** Returns the colour of a state: waiting for a person, success, failure, or other. */
export const toneOf = (state: string): Tone => {
  const outer = state.split('.')[0] ?? '';
  if (outer === 'needsHumanDecision' || outer === 'followup') return 'person';
  if (outer === 'completed' || outer === 'pass' || outer === 'success') return 'good';
  if (['failed', 'cancelled', 'fail', 'failure'].includes(outer)) return 'bad';
  return 'plain';
};
