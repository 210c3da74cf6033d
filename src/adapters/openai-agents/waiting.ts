import type { RunToolApprovalItem } from '@openai/agents';
import * as z from 'zod';
import { canonicalize } from '../../base/canonical/canonicalize.ts';
import type { CallListing } from '../../base/ports/model.ts';
import type { Run } from '../../guard/run.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';

/** An interruption of the SDK, with the open questions that block it. */
export interface WaitingCall {
  readonly interruption: RunToolApprovalItem;
  /**
   * The questions about this call. If there are none, the questions that block it: of a plan, or a nested
   * task.
   */
  readonly questions: readonly InboxEntry[];
}

/** Returns the SDK's id of a call. */
const refOf = ({ rawItem }: RunToolApprovalItem): string | null =>
  'callId' in rawItem ? rawItem.callId : null;

const Asked = z.object({ action: z.object({ tool: z.string(), arguments: z.unknown() }) });

/**
 * Returns whether a question is about a call. It names the call, or an identical action, which is asked about
 * once.
 */
const isAbout = ({ question, message }: InboxEntry, { id, tool, arguments: input }: CallListing): boolean => {
  if (question.about === id) return true;
  const { data: asked } = Asked.safeParse(message.payload);
  return asked?.action.tool === tool && canonicalize(asked.action.arguments) === canonicalize(input);
};

/**
 * Pairs the SDK's interruptions with questions. Answer with `orchestrator.respond`; `state.approve` has no
 * effect.
 */
export const waitingCalls = async (
  run: Run,
  interruptions: readonly RunToolApprovalItem[],
): Promise<readonly WaitingCall[]> => {
  const [{ calls }, all] = await Promise.all([run.progress(), run.questions()]);
  const ours = all.filter(({ taskId }) => taskId === run.taskId);
  const general = all.filter((entry) => !ours.includes(entry) || !calls.some((call) => isAbout(entry, call)));
  return interruptions.map((interruption) => {
    const ref = refOf(interruption);
    const call = calls.find((listing) => listing.ref !== null && listing.ref === ref);
    const own = call === undefined ? [] : ours.filter((entry) => isAbout(entry, call));
    return { interruption, questions: own.length > 0 ? own : general };
  });
};
