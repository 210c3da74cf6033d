import {
  createOrchestrator,
  isCharterError,
  type InboxEntry,
  type Model,
  type Orchestrator,
  type OrchestratorOptions,
  type Store,
} from 'agentcharter';
import { jwsApprovals } from 'agentcharter/approvals';
import { memoryStore } from 'agentcharter/stores/memory';
import type { BankAccess } from './bank.ts';
import { policy, reversals, tools, verifiers } from './charter.ts';
import { openDesk, parties, type Desk } from './desk.ts';
import { forgeries, type Brought } from './forgeries.ts';
import type { Case } from './records.ts';

/** A clock and identifiers; by default the machine's own. */
export type Ports = Pick<OrchestratorOptions, 'clock' | 'ids'>;

const nowOf = ({ clock }: Ports) => clock?.now ?? Date.now;

/** The parts of a reversal. */
export interface Parts {
  readonly given: Case;
  readonly bank: BankAccess;
  readonly model: Model;
  /** The answer to the question of approval. */
  readonly brings: 'signed' | 'forged' | 'nothing';
  readonly ports: Ports;
  /** The store of the task; by default in memory. */
  readonly store?: Store;
  /** By default a new desk. Pass the same one to resume a task that another process began. */
  readonly desk?: Desk;
}

/** A reversal, settled or not, whose orchestrator is closed once it is read. */
export interface Left {
  readonly orchestrator: Orchestrator;
  readonly taskId: string;
  /** What the approver saw, line by line. */
  readonly shown: readonly string[];
  /** The answers, and their results. */
  readonly answers: readonly { readonly what: string; readonly came: string }[];
}

/** Approves with or without a token. Returns the code of a refusal. */
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

/**
 * Requests the reversal of the wire, and answers the questions. Returns the result of `read`.
 *
 * An interrupted one resumes: the ticket's name is the idempotency key.
 */
export const reverse = async <Read>(
  { given, bank, model, brings, ports, store = memoryStore(), desk = openDesk(nowOf(ports)) }: Parts,
  read: (left: Left) => Promise<Read>,
): Promise<Read> => {
  await using orchestrator = createOrchestrator({
    taskClasses: [reversals],
    tools: tools(bank, given),
    verifiers,
    policy,
    model,
    approvals: jwsApprovals({ ...parties, keys: desk.keys }),
    attest: ({ agent_id, owner_id }) => (agent_id === 'clerk' && owner_id === 'bank' ? 'vouched' : 'none'),
    store,
    ...ports,
  });
  const asked = new Promise<InboxEntry>((resolve, reject) => {
    orchestrator.on('question', resolve);
    orchestrator.on('error', ({ error }) => reject(error));
  });
  await orchestrator.recover();
  const { ticket } = given.ticket;
  const { taskId } = await orchestrator.submit(
    {
      taskClass: reversals.id,
      payload: { ticket },
      explanation: `Reverse the wire of ${ticket}.`,
      identity: { agent_id: 'clerk', owner_id: 'bank', control_class: 'human-supervised' },
    },
    { key: `reversal ${ticket}` },
  );
  const settled = orchestrator.settled(taskId);
  const [open] = await orchestrator.inbox(taskId); // asked before it was stopped
  const first = open ?? (await Promise.race([asked, settled]));
  const claims = 'question' in first ? first.question.approval : undefined;
  if (!('question' in first) || claims === undefined)
    return await read({ orchestrator, taskId, shown: [], answers: [] });

  const shown = desk.show(first);
  const brought = {
    signed: async () => [{ what: 'signed by kim', token: await desk.sign(claims) }],
    forged: () => forgeries(desk, first, nowOf(ports)()),
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
  if (isOver) await Promise.race([settled, again]); // a withdrawn approval is asked for again
  return await read({ orchestrator, taskId, shown, answers });
};
