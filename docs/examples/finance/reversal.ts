import {
  createOrchestrator,
  isCharterError,
  type Clock,
  type Ids,
  type InboxEntry,
  type Model,
  type Orchestrator,
} from 'agentcharter';
import { jwsApprovals } from 'agentcharter/approvals';
import type { Bank } from './bank.ts';
import { policy, reversals, tools, verifiers } from './charter.ts';
import { openDesk, parties } from './desk.ts';
import { forgeries, type Forgery } from './forgeries.ts';
import type { Case } from './records.ts';

/** What a reversal runs on; a clock and identifiers that are left out are the machine's own. */
export interface Parts {
  readonly given: Case;
  readonly bank: Bank;
  readonly model: Model;
  /** What comes back when an approval is asked for. */
  readonly answer: 'signed' | 'forged' | 'nothing';
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** What was brought to the question, and what came of it. */
export interface Attempt extends Omit<Forgery, 'token'> {
  readonly code: string;
}

/** How a reversal was left: closed, settled or not, and still to be read. */
export interface Left {
  readonly orchestrator: Orchestrator;
  readonly taskId: string;
  readonly shown: readonly string[];
  readonly attempts: readonly Attempt[];
}

/** Brings a token to the question; the code with which it is refused, or `ACCEPTED`. */
const bring = async (orchestrator: Orchestrator, { message }: InboxEntry, { what, token, expected }: Forgery) => {
  const feedback = { type: 'approve', target: message.messageId };
  try {
    await orchestrator.respond(feedback, { by: 'kim', ...(token !== undefined && { approval: token }) });
    return { what, expected, code: 'ACCEPTED' };
  } catch (error) {
    if (!isCharterError(error, 'feedback_refused')) throw error;
    return { what, expected, code: error.details.code ?? error.details.reason };
  }
};

/** Asks for the reversal of the wire, and answers what is asked in return. */
export const reverse = async ({ given, bank, model, answer, clock, ids }: Parts): Promise<Left> => {
  const now = clock?.now ?? Date.now;
  const desk = openDesk(now);
  await using orchestrator = createOrchestrator({
    taskClasses: [reversals],
    tools: tools(bank, given),
    verifiers,
    policy,
    model,
    approvals: jwsApprovals({ ...parties, keys: desk.keys }),
    attest: ({ agent_id, owner_id }) => (agent_id === 'clerk' && owner_id === 'bank' ? 'vouched' : 'none'),
    ...(clock && { clock }),
    ...(ids && { ids }),
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
  const first = await Promise.race([asked, orchestrator.settled(taskId)]);
  const claims = 'question' in first ? first.question.approval : undefined;
  if (!('question' in first) || claims === undefined) return { orchestrator, taskId, shown: [], attempts: [] };

  const emissions = await orchestrator.documents(taskId);
  const evidence = emissions.flatMap(({ name, document }) => (name === 'EvidenceObject' ? [document] : []));
  const shown = desk.show(first, evidence);
  const attempts: Attempt[] = [];
  if (answer === 'signed') {
    const signed = { what: 'signed by kim at the desk', token: await desk.sign(claims), expected: 'ACCEPTED' };
    attempts.push(await bring(orchestrator, first, signed));
    await orchestrator.settled(taskId);
  }
  if (answer === 'forged') {
    for (const forgery of await forgeries(desk, first, now()))
      attempts.push(await bring(orchestrator, first, forgery));
    await orchestrator.cancel(taskId, { by: 'security' });
    await orchestrator.settled(taskId);
  }
  return { orchestrator, taskId, shown, attempts };
};
