import type { UpFormatMessage } from '../../schema/index.ts';
import { isObject } from '../base/boundary/is-object.ts';
import { deepFreeze } from '../base/canonical/deep-freeze.ts';
import { isCharterError } from '../base/errors.ts';
import {
  documentsForAgent,
  questionForAgent,
  questionsForAgent,
  shownIn,
  type Shown,
} from '../core/shell/agent-view.ts';
import type { Orchestrator } from '../core/shell/surface.ts';
import { withoutCause } from '../core/kernel/settled.ts';
import type { InboxEntry } from '../core/kernel/summary.ts';
import type { Emission } from '../base/ports/emission.ts';
import type { GuardContext } from './guard-context.ts';
import type { Clearance, Conclusion } from './outcome.ts';

/** Returns what decides what the agent of a task may see; of a task of another chart, as far as its documents say it. */
const shownBy = async ({ orchestrator, view }: GuardContext, taskId: string): Promise<Shown> => {
  try {
    return (await view(taskId)).projection;
  } catch (error) {
    if (!isCharterError(error, 'chart_unknown')) throw error;
    return shownIn(await orchestrator.documents(taskId));
  }
};

/** Returns a question without the words of a hidden tool whose effect is in doubt: they may tell of its result. */
const unquoted = <Question extends object>(question: Question): Omit<Question, 'reasons'> => {
  const { reasons: _words, ...rest } = question as Question & { readonly reasons?: unknown };
  return rest;
};

const unquotedMessage = (message: UpFormatMessage, question: object): UpFormatMessage =>
  deepFreeze({ ...message, payload: { ...message.payload, question: unquoted(question) } });

/** Returns the last message of a run that a hidden tool failed without what the tool said; `null` for any other message. */
const unquotedEnd = (message: UpFormatMessage, { tools }: GuardContext): UpFormatMessage | null => {
  const { reasons } = message.payload;
  const isOfHidden =
    Array.isArray(reasons) &&
    reasons.some((reason) => isObject(reason) && tools.get(String(reason['tool']))?.isHidden === true);
  return isOfHidden ? deepFreeze({ ...message, explanation: withoutCause(message.explanation) }) : null;
};

/** Returns a message without those words; `null` for one that is about no such effect. */
const withoutWords = (message: UpFormatMessage, context: GuardContext): UpFormatMessage | null => {
  const { tools } = context;
  if (message.state === 'failed') return unquotedEnd(message, context);
  const { question, action } = message.payload;
  const isOfHidden = isObject(action) && tools.get(String(action['tool']))?.isHidden === true;
  if (!isOfHidden || !isObject(question) || question['kind'] !== 'doubt') return null;
  return unquotedMessage(message, question);
};

/**
 * Returns the message of a question of a task as a program may see it that began the task: as the agent may, and without the words
 * of any tool whose effect is in doubt.
 */
export const messageForClient = async (
  orchestrator: Orchestrator,
  taskId: string,
  entry: InboxEntry,
): Promise<UpFormatMessage> => {
  const shown = shownIn(await orchestrator.documents(taskId));
  const { question, message } = questionForAgent(entry, taskId, shown);
  return question.kind === 'doubt' && entry.taskId === taskId ? unquotedMessage(message, question) : message;
};

/** Returns the open questions of a task and its nested tasks as its agent may see them. */
export const questionsFor = async (context: GuardContext, taskId: string): Promise<readonly InboxEntry[]> => {
  const entries = await context.orchestrator.inbox(taskId);
  const shown = questionsForAgent(entries, taskId, await shownBy(context, taskId));
  return shown.map((entry) => {
    const message = withoutWords(entry.message, context);
    return message === null ? entry : deepFreeze({ ...entry, message, question: unquoted(entry.question) });
  });
};

/** Returns the documents that a task emitted as its agent may see them. */
export const documentsFor = async (context: GuardContext, taskId: string): Promise<readonly Emission[]> => {
  const emitted = await context.orchestrator.documents(taskId);
  const shown = documentsForAgent(emitted, await shownBy(context, taskId));
  return shown.map((one) => {
    const message = one.name === 'UpFormatMessage' ? withoutWords(one.document, context) : null;
    return message === null ? one : deepFreeze({ name: 'UpFormatMessage', document: message });
  });
};

/** Returns an outcome with what of its result is kept beside the ledger. */
export const wholeOutcome = async <Outcome extends Clearance | Conclusion>(
  { joined }: GuardContext,
  taskId: string,
  outcome: Outcome,
): Promise<Outcome> =>
  outcome.status === 'done' ? { ...outcome, result: await joined(taskId, outcome.result) } : outcome;
