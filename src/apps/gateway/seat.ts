import type { JsonObject } from '../../../schema/index.ts';
import { formOf, type Form } from '../../adapters/mcp/form.ts';
import { submitAnswer } from '../../adapters/mcp/task-call.ts';
import type { CallOutcome, Guard } from '../../guard/index.ts';
import { questionsAbout, type Reply } from './replies.ts';

/** The person who sits at a client, as the file says, and is asked there. */
export interface Seat {
  readonly by: string;
  /** What the client returned of a form, whose question it names; `null` if it was not asked yet. */
  readonly answer: { readonly question: string; readonly response: unknown } | null;
}

/** Who makes a call: how it is aborted, the session that the client names, and the person there, if one can be asked. */
export interface Caller {
  readonly session: string | null;
  readonly signal: AbortSignal;
  readonly seat: Seat | null;
}

/** A question that the person at a client answers there. */
export interface Asking {
  readonly question: string;
  readonly form: Form;
}

export const isAsking = (reply: Reply | Asking): reply is Asking => 'form' in reply;

/** A call of a tool: with the outcome so far, and how to wait for it again. */
export interface OpenCall {
  readonly tool: string;
  readonly given: JsonObject;
  readonly outcome: CallOutcome;
  readonly again: () => Promise<CallOutcome>;
}

/** What came of a call at a seat: a question for the person there, or an outcome and what to say of an answer that did not count. */
export type Seated = { readonly asking: Asking } | { readonly outcome: CallOutcome; readonly note: string };

const decisions: readonly string[] = ['approve', 'reject'];

/** Returns the question about a call itself, if it is one of yes or no: others of its task are for the console. */
const questionAbout = (
  { tool, given }: OpenCall,
  outcome: CallOutcome,
): { readonly question: string; readonly formWith: (note: string) => Form } | null => {
  if (outcome.status !== 'paused') return null;
  for (const entry of questionsAbout(tool, given, outcome.questions)) {
    const accepts = entry.question.accepts.filter((type) => decisions.includes(type));
    if (accepts.length === 0) continue;
    // what else it rests on is long, and in the console
    const message = { ...entry.message, payload: { arguments: given, reasons: entry.question.reasons } };
    const shown = { ...entry, message, question: { ...entry.question, accepts } };
    return { question: entry.message.messageId, formWith: (note) => formOf(shown, note) };
  }
  return null;
};

/**
 * Asks the person at a client about a call that waits, or takes their answer. It counts as in the console: as that of the person
 * whom the file names, and only for the question about this call that is open now.
 */
export const atSeat = async (
  { by, answer }: Seat,
  call: OpenCall,
  { orchestrator }: Pick<Guard, 'orchestrator'>,
): Promise<Seated> => {
  const open = questionAbout(call, call.outcome);
  if (open === null) return { outcome: call.outcome, note: '' };
  if (answer === null || answer.question !== open.question)
    return { asking: { question: open.question, form: open.formWith('') } };
  const { note, mayAskOn } = await submitAnswer(orchestrator, by, answer.response, open.question);
  const outcome = note === '' ? await call.again() : call.outcome;
  const next = mayAskOn ? questionAbout(call, outcome) : null;
  return next === null
    ? { outcome, note }
    : { asking: { question: next.question, form: next.formWith(note) } };
};
