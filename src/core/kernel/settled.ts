import type { Context, Violation } from '../../../machines/index.ts';
import type { UpFormatMessage } from '../../../schema/index.ts';
import { callSentence } from '../../base/boundary/call-sentence.ts';
import { CharterError } from '../../base/errors.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import { failureWords } from './failure-words.ts';
import type { Projection } from './projection/projection.ts';
import type { Settled } from './summary.ts';
import { summaryOf, type TaskView } from './view.ts';

/** The message key that marks the end of a refinement, as opposed to the delivery. */
export const followupKey = 'agentcharter:followup';

const isFollowup = (message: UpFormatMessage): boolean => followupKey in message;

const endsIn = (messages: readonly UpFormatMessage[]): readonly UpFormatMessage[] =>
  messages.filter(({ state }) => ['completed', 'failed', 'cancelled'].includes(state));

/** Returns the message that ended a task, which the end of a refinement is not; `undefined` if it was erased. */
export const endOf = (messages: readonly UpFormatMessage[]): UpFormatMessage | undefined =>
  endsIn(messages).findLast((end) => !isFollowup(end));

/**
 * Returns the message that ended a task, and the result of its refinement. Throws `not_found` if the message was
 * erased.
 */
export const settledMessages = (
  taskId: string,
  messages: readonly UpFormatMessage[],
): Pick<Settled, 'message' | 'followup'> => {
  const ends = endsIn(messages);
  const message = endOf(messages) ?? ends.at(-1);
  if (message === undefined)
    throw new CharterError('not_found', `the last message of task ${taskId} was erased`, {
      kind: 'message',
      id: taskId,
      known: [],
    });
  const refinement = ends.findLast(isFollowup);
  return {
    message,
    followup:
      refinement === undefined
        ? null
        : { how: String(refinement[followupKey]), value: refinement.payload['value'] },
  };
};

export const settledOf = (view: TaskView): Settled => ({
  ...summaryOf(view),
  ...settledMessages(view.taskId, view.projection.messages),
});

/** Returns the tool that a reason is about, and the explanation of a write that could not be undone. */
const subjectOf = (
  { code, about }: Violation,
  { effects }: Context,
  { rolledBack, calls }: Projection,
): { readonly tool?: string; readonly explanation?: string } => {
  const { tool, rollbackFault } = calls[about] ?? {};
  if (code !== 'ROLLBACK_REQUIRED') return tool === undefined ? {} : { tool };
  if (tool !== undefined && rollbackFault !== undefined) return { tool, explanation: rollbackFault };
  const effect = effects.find(({ digest }) => digest === about);
  if (effect === undefined) return {};
  const explanation = rolledBack[about] ?? undefined;
  return { tool: effect.tool, ...(explanation !== undefined && { explanation }) };
};

/** Returns the writes that a failed run keeps, and those that landed late and were not undone, each with its sentence. */
const keptIn = ({ effects }: Context, { calls, rolledBack }: Projection) => {
  const callOf = (digest: string) => Object.values(calls).find((one) => one.digest === digest);
  const known = effects.filter(({ status }) => status !== 'closed').map(({ digest }) => digest);
  const late = Object.entries(rolledBack)
    .filter(([digest, why]) => why !== null && !known.includes(digest))
    .map(([digest]) => ({ digest, tool: callOf(digest)?.tool ?? 'a tool' }));
  return [...effects.filter(({ status }) => status === 'kept'), ...late].map(({ digest, tool }) => {
    const call = callOf(digest);
    return { digest, tool, says: call === undefined ? `${oneLine(tool)}.` : callSentence(call) };
  });
};

/** Returns an explanation of `failure` without what a tool said. */
export const withoutCause = (explanation: string): string =>
  explanation.replace(/ Cause: “.*”(?= These writes stay: | What you can do: |$)/su, '');

/** Returns why nothing is delivered. For BEYOND_CAPABILITY these are the agent's own words (UpFormat 2.3). */
const explained = (context: Context, projection: Projection, kept: ReturnType<typeof keptIn>): string => {
  const { reasons } = context;
  const { cause } = projection;
  if (cause !== null && reasons[0]?.code === 'BEYOND_CAPABILITY') return cause;
  const words = reasons.map((reason) => failureWords(reason, context, projection));
  const isSaid = (text: string): boolean => words.some(({ says }) => says.includes(text));
  const remedy = [...new Set(words.map((one) => one.remedy))].join(' ');
  return [
    ...new Set(words.map(({ says }) => says)),
    ...reasons.flatMap((reason) => {
      const { tool, explanation } = subjectOf(reason, context, projection);
      return explanation === undefined ? [] : [`${tool}: ${explanation}`];
    }),
    ...(cause === null || cause === '' || isSaid(cause) ? [] : [`Cause: “${cause}”`]),
    ...(kept.length === 0 ? [] : [`These writes stay: ${kept.map(({ says }) => says).join(' ')}`]),
    ...(remedy === '' ? [] : [`What you can do: ${remedy}`]),
  ].join(' ');
};

/** Returns the content of a failed run's last message. */
export const failure = (
  context: Context,
  projection: Projection,
): Pick<UpFormatMessage, 'payload' | 'explanation'> => {
  const kept = keptIn(context, projection);
  return {
    explanation: explained(context, projection, kept),
    payload: {
      reasonCodes: [...new Set(context.reasons.map(({ code }) => code))],
      missingEvidence: context.reasons
        .filter(({ code }) => code === 'EVIDENCE_MISSING')
        // of a call that was a task, what that task lacked
        .flatMap(({ about }) => projection.lacked.get(about) ?? about),
      ...(kept.length > 0 && { kept }),
      reasons: context.reasons.map((reason) => ({
        ...reason,
        ...subjectOf(reason, context, projection),
        ...failureWords(reason, context, projection),
      })),
    },
  };
};
