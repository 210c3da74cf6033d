import {
  createOrchestrator,
  isCharterError,
  type InboxEntry,
  type Model,
  type Orchestrator,
  type OrchestratorOptions,
} from 'agentcharter';
import { jwsApprovals } from 'agentcharter/approvals';
import type { Bank } from './bank.ts';
import { policy, reversals, tools, verifiers } from './charter.ts';
import { openDesk, parties } from './desk.ts';
import { forgeries, type Brought } from './forgeries.ts';
import type { Case } from './records.ts';

/** A clock and identifiers; what is left out is the machine's own. */
export type Ports = Pick<OrchestratorOptions, 'clock' | 'ids'>;

/** What a reversal runs on. */
export interface Parts {
  readonly given: Case;
  readonly bank: Bank;
  readonly model: Model;
  /** What is brought to the question of approval. */
  readonly brings: 'signed' | 'forged' | 'nothing';
  readonly ports: Ports;
}

/** A reversal, settled or not, whose orchestrator is closed once it is read. */
export interface Left {
  readonly orchestrator: Orchestrator;
  readonly taskId: string;
  /** What the approver saw, line by line. */
  readonly shown: readonly string[];
  /** What was brought to the question, and what came of it. */
  readonly answers: readonly { readonly what: string; readonly came: string }[];
}

/** Approves with a token, or without one; tells the code of the refusal. */
const approve = async (
  orchestrator: Orchestrator,
  { message: { messageId: target } }: InboxEntry,
  { what, token }: Brought,
): Promise<Left['answers'][number]> => {
  try {
    const who = { by: 'kim', ...(token !== undefined && { approval: token }) };
    await orchestrator.respond({ type: 'approve', target }, who);
    return { what, came: 'accepted' };
  } catch (error) {
    if (!isCharterError(error, 'feedback_refused')) throw error;
    return { what, came: error.details.code ?? error.code };
  }
};

/** Asks for the reversal of the wire, and answers what is asked in return; yields what `read` makes of it. */
export const reverse = async <Read>(
  { given, bank, model, brings, ports }: Parts,
  read: (left: Left) => Promise<Read>,
): Promise<Read> => {
  const now = ports.clock?.now ?? Date.now;
  const desk = openDesk(now);
  await using orchestrator = createOrchestrator({
    taskClasses: [reversals],
    tools: tools(bank, given),
    verifiers,
    policy,
    model,
    approvals: jwsApprovals({ ...parties, keys: desk.keys }),
    attest: ({ agent_id, owner_id }) => (agent_id === 'clerk' && owner_id === 'bank' ? 'vouched' : 'none'),
    ...ports,
  });
  const asked = new Promise<InboxEntry>((resolve, reject) => {
    orchestrator.on('question', resolve);
    orchestrator.on('error', ({ error }) => reject(error));
  });
  const { taskId } = await orchestrator.submit({
    taskClass: reversals.id,
    payload: { ticket: given.ticket.ticket },
    explanation: `Reverse the wire of ${given.ticket.ticket}.`,
    identity: { agent_id: 'clerk', owner_id: 'bank', control_class: 'human-supervised' },
  });
  const settled = orchestrator.settled(taskId);
  const first = await Promise.race([asked, settled]);
  const claims = 'question' in first ? first.question.approval : undefined;
  if (!('question' in first) || claims === undefined)
    return await read({ orchestrator, taskId, shown: [], answers: [] });

  const shown = desk.show(first);
  const brought = {
    signed: async () => [{ what: 'signed by kim', token: await desk.sign(claims) }],
    forged: () => forgeries(desk, first, now()),
    nothing: async () => [],
  };
  const again = new Promise<unknown>((resolve) => {
    orchestrator.on('question', resolve);
    orchestrator.on('error', resolve);
  });
  const answers: Left['answers'][number][] = [];
  for (const one of await brought[brings]()) answers.push(await approve(orchestrator, first, one));
  if (brings === 'forged') await orchestrator.cancel(taskId, { by: 'security' });
  const isOver = brings === 'forged' || answers.some(({ came }) => came === 'accepted');
  if (isOver) await Promise.race([settled, again]); // an approval that stands no more is asked for anew
  return await read({ orchestrator, taskId, shown, answers });
};
