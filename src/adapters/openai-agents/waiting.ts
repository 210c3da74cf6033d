import type { RunToolApprovalItem } from '@openai/agents';
import * as z from 'zod';
import { canonicalize } from '../../canonical/canonicalize.ts';
import type { CallListing } from '../../ports/model.ts';
import type { Run } from '../../guard/run.ts';
import type { InboxEntry } from '../../orchestrator/summary.ts';

/** An interruption of the SDK, and what people are asked before it goes on. */
export interface WaitingCall {
  readonly interruption: RunToolApprovalItem;
  /** About this call; where nothing is asked about it, what else stands in its way: a plan, or a task nested in the run. */
  readonly questions: readonly InboxEntry[];
}

/** The SDK's name of a call. */
const refOf = ({ rawItem }: RunToolApprovalItem): string | null =>
  'callId' in rawItem ? rawItem.callId : null;

const Asked = z.object({ action: z.object({ tool: z.string(), arguments: z.unknown() }) });

/** A question about a call names it, or shows what it would do: the same action is asked about once. */
const isAbout = ({ question, message }: InboxEntry, { id, tool, arguments: input }: CallListing): boolean => {
  if (question.about === id) return true;
  const { data: asked } = Asked.safeParse(message.payload);
  return asked?.action.tool === tool && canonicalize(asked.action.arguments) === canonicalize(input);
};

/** Pairs interruptions of the SDK with the questions of their run; `orchestrator.respond` answers those, `state.approve` none. */
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
