import { reasonMeaning } from '../../schema/index.ts';
import { askedBy } from '../core/kernel/projection/thread.ts';
import type { TaskView } from '../core/kernel/view.ts';
import { rejectedFor } from '../core/shell/progress.ts';
import { messageIdOf } from '../base/feedback/target.ts';
import type { AnswerListing } from '../base/ports/model.ts';
import { deepFreeze } from '../base/canonical/deep-freeze.ts';
import type { GuardContext } from './guard-context.ts';
import { isSame, type CallContent } from './call-content.ts';
import type { Refused } from './outcome.ts';
import { refused } from './pending-proposals.ts';
import { contentOf } from './recorded-proposals.ts';

/** The number of calls of one tool that people reject before it is taken away for the run. */
const mostRejections = 3;

/** Whether a person said more than yes or no: what they rejected before may then be meant otherwise. */
const isWord = ({ feedback }: AnswerListing): boolean => !['approve', 'reject'].includes(feedback.type);

/** Returns the calls of this request that people rejected since one of them last said more than yes or no. */
const rejectedCalls = ({ projection }: TaskView) => {
  const { answers, proposals } = projection;
  return answers.slice(answers.findLastIndex(isWord) + 1).flatMap(({ feedback }) => {
    const question = askedBy(projection, messageIdOf(feedback))?.question;
    if (feedback.type !== 'reject' || question?.kind !== 'approval') return [];
    return [...proposals.calls.values()].find(({ call }) => call.digest === question.about) ?? [];
  });
};

/** Returns why nobody is asked about a call: a person rejected the same one in this request, or several of its tool. */
export const rejectedBefore = (view: TaskView, tool: string, content: CallContent): Refused | null => {
  const rejected = rejectedCalls(view).filter(({ call }) => call.tool === tool);
  const same = rejected.find((one) => isSame(content, contentOf(one)));
  if (same !== undefined) {
    const words = [reasonMeaning.HUMAN_REJECTED, ...rejectedFor(view.projection, same.call)];
    return refused('HUMAN_REJECTED', [...words, 'Nobody is asked again in this request.'].join(' '));
  }
  if (rejected.length < mostRejections) return null;
  const explanation = `People rejected ${rejected.length} calls of this tool in this request: it is not called any more.`;
  return refused('HUMAN_REJECTED', explanation);
};

/** Records the rejection of a call that reused a ref with other content, or that a person rejected before. */
export const recordRefused = async (
  { orchestrator }: Pick<GuardContext, 'orchestrator'>,
  taskId: string,
  refusal: Refused,
): Promise<Refused> => {
  const { code, explanation } = refusal;
  if (code === 'PROPOSAL_CHANGED' || code === 'HUMAN_REJECTED')
    await orchestrator.refuse(taskId, { code, explanation });
  return deepFreeze(refusal);
};
