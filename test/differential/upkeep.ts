import { deny, giveUpUnmade, leaveAlone } from './changes.ts';
import { effectOf, isBroken, isWrite, unresolvedCalls, type Call, type Known } from './known.ts';
import { isAllowedTool } from './proposals.ts';

/** Nothing stands that was looked at before the run waited, but what goes on beside a question. */
export const lapseWaiting = (k: Known, besides: readonly Call[]): void => {
  const isWaiting = k.questions.size > 0 || k.calls.some(({ status }) => status === 'awaiting');
  if (!isWaiting) return;
  for (const call of k.calls) if (k.questions.size === 0 || !besides.includes(call)) call.cleared = false;
};

/** No call is made that the contract does not allow any more, whenever it comes up again: of its tool, or held. */
export const withdraw = (k: Known): void => {
  for (const call of k.calls) {
    if (call.status !== 'ready' || effectOf(k, call.digest) !== undefined) continue;
    const [code] = call.held ?? [];
    if (!isAllowedTool(k, call.tool)) giveUpUnmade(call, 'TOOL_UNAVAILABLE');
    else if (code !== undefined && k.taskClass.flows === 'refuse') deny(call, code);
  }
};

/** A write that is not made any more is not asked about. */
export const closeIdleQuestions = (k: Known): void => {
  for (const [id, { kind, about }] of k.questions)
    if (kind === 'approval' && unresolvedCalls(k, about).length === 0) k.questions.delete(id);
};

/** Once a call has failed, the reads beside it are not waited for. */
export const dropReads = (k: Known): void => {
  if (!k.calls.some(isBroken)) return;
  for (const call of k.calls)
    if (!isWrite(call) && ['started', 'asking', 'awaiting'].includes(call.status)) {
      leaveAlone(k, call);
      call.status = 'dropped';
    }
};
