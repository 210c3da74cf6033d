import { createActor } from 'xstate';
import { taskClass, taskMachine, type Fact } from '../../../../machines/index.ts';
import type { EvidenceObject, UpFormatMessage } from '../../../../schema/index.ts';
import { actionDigest } from '../../../../src/gates/approvals/subject.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { callKey } from '../../../../src/gates/evidence/fault.ts';
import { outcomeIn } from '../../../../src/core/kernel/entry.ts';
import { hashOfRecord, sealRecord } from '../../../../src/core/kernel/seal.ts';
import { stateName } from '../../../../machines/index.ts';
import type { Emission } from '../../../../src/base/ports/emission.ts';
import type {
  CallDocument,
  RecordPayload,
  LedgerEntry,
  LedgerRecord,
} from '../../../../src/base/ports/ledger.ts';
import type { Step } from '../../../../src/base/ports/store.ts';
import { entryOf } from './entry.ts';

const requestOf = (cycle: number): string => `00000000-0000-4000-8000-${String(cycle).padStart(12, '0')}`;
const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };

/** A call as its record has it. */
const callOf = (request: string, n: number): CallDocument => {
  const action = { tool: 'read', version: '1', arguments: { n }, rollback: null };
  return { id: `call-${n}`, ...action, digest: actionDigest(request, action) };
};

const said = { explanation: 'so', upThought: { canProceed: true, confidence: 0.9 } };

/** A plan or further calls of one call: what its fact says, and its documents. */
const proposalOf = (request: string, n: number) => {
  const document = callOf(request, n);
  const { id, tool, digest: action } = document;
  const output = { payload: { calls: [{ tool, arguments: document.arguments }] }, ...said };
  const call = { id, tool, tier: 'read_only' as const, digest: action, rollback: false };
  const fact = { digest: digest(output), confidence: 0.9, canProceed: true, calls: [call] };
  return { fact, brought: { output, calls: [document] } };
};

const ofAgent: readonly string[] = ['plan.proposed', 'calls.proposed', 'draft.proposed', 'call.started'];

interface Telling {
  readonly kind?: LedgerEntry['kind'];
  readonly brought?: RecordPayload;
  readonly emissions?: readonly Emission[];
  readonly changes?: Partial<LedgerEntry>;
}

/** Builds the ledger of a task; facts go through the chart, as the orchestrator submits them. */
export const scribe = (taskId = 'task', machine = taskMachine) => {
  const contract = taskClass({ id: 'work', followup: true, limits: { rounds: 50 } });
  const input = { taskClass: contract, request: requestOf(1) };
  const actor = createActor(machine, { input }).start();
  const steps: Step[] = [];
  const tell = (
    fact: Fact | null,
    { kind = 'fact', brought = {}, emissions = [], changes }: Telling = {},
  ) => {
    const from = stateName(actor.getSnapshot().value);
    if (kind === 'fact' && fact !== null) {
      if (!actor.getSnapshot().can(fact)) throw new Error(`${fact.type} in ${from}`);
      actor.send(fact);
    }
    const after = actor.getSnapshot();
    const seq = steps.length;
    const snapshot = kind === 'fact' ? JSON.stringify(actor.getPersistedSnapshot()) : null;
    const entry = entryOf(seq, {
      taskId,
      kind,
      request_id: after.context.request,
      timestamp: new Date(Date.UTC(2026, 10, 21) + seq * 1_500).toISOString(),
      ...(fact !== null &&
        ofAgent.includes(fact.type) && { actor: { kind: 'agent', id: identity.agent_id } }),
      outcome: outcomeIn(kind, fact, 'pending'),
      from,
      to: stateName(after.value),
      fact,
      brought,
      ...changes,
    });
    const previous = steps.at(-1)?.record.hash ?? null;
    const record = sealRecord(entry, { previous, snapshot, emissions });
    const indexEntry = {
      taskId,
      threadId: 't',
      parent: null,
      size: seq + 1,
      head: record.hash,
      at: Date.parse(record.timestamp),
      isSettled: after.hasTag('settled'),
      isOwed: false,
      asking: 0,
      awaits: 0,
      rank: '',
      chart: '',
      summary: '{}',
    };
    const beside = { indexEntry, deadlines: [], intents: [] };
    steps.push({
      taskId,
      fence: null,
      needs: null,
      key: null,
      record,
      snapshot,
      emissions,
      consumedApprovals: [],
      regulated: null,
      ...beside,
    });
    return record;
  };
  return {
    actor,
    contract,
    steps,
    tell,
    records: (): readonly LedgerRecord[] => steps.map(({ record }) => record),
    emissions: (): readonly Emission[] => steps.flatMap(({ emissions }) => emissions),
    of: () => {
      const { request, attempt } = actor.getSnapshot().context;
      return { request, attempt };
    },
    erase: (erased: string) => tell(null, { kind: 'erasure', changes: { erased } }),
  };
};

export type Scribe = ReturnType<typeof scribe>;

const evidenceOf = (request: string, n: number): EvidenceObject => ({
  evidence_id: `evidence-${n}`,
  evidence_type: 'tool_result',
  source: 'read',
  request_id: request,
  trace_id: entryOf(0).trace_id,
  hash: digest({ row: n }),
  collected_at: '2026-11-21T05:00:00Z',
  payload: { row: n },
  [callKey]: `call-${n}`,
});

/** The thread of a made ledger. */
export const thread = '20000000-0000-4000-8000-000000000000';

const messageOf = (
  id: string,
  state: 'completed' | 'followup',
  payload: UpFormatMessage['payload'],
): Emission => ({
  name: 'UpFormatMessage',
  document: {
    messageId: id,
    threadId: thread,
    timestamp: '2026-11-21T05:00:00Z',
    state,
    payload,
    explanation: 'so',
    agentId: identity.agent_id,
  },
});

const offerId = (number: number): string => requestOf(number).replace('0', '3');

const round = ({ tell, of }: Scribe, n: number): void => {
  const { request } = of();
  const { id: call, digest: action } = callOf(request, n);
  tell({ type: 'call.started', ...of(), call, digest: action });
  const evidence = evidenceOf(request, n);
  const fact = { ...of(), call, evidence: { id: evidence.evidence_id, type: 'tool_result' as const } };
  const emissions = [{ name: 'EvidenceObject' as const, document: evidence }];
  tell({ type: 'call.succeeded', ...fact }, { brought: { evidence }, emissions });
};

const cycle = (made: Scribe, number: number, rounds: number): void => {
  const { tell, of } = made;
  const { request } = of();
  tell({ type: 'request.accepted' });
  const plan = proposalOf(request, number * 100);
  tell({ type: 'plan.proposed', ...plan.fact }, { brought: plan.brought });
  for (let n = number * 100; n < number * 100 + rounds; n += 1) {
    const further = proposalOf(request, n);
    if (n > number * 100) tell({ type: 'calls.proposed', ...further.fact }, { brought: further.brought });
    round(made, n);
  }
  const late = { type: 'call.failed' as const, ...of(), call: 'call-9', code: 'TOOL_FAILED' as const };
  tell(late, { kind: 'orphan', brought: { explanation: 'too late' } });
  const code = { code: 'IDENTITY_INVALID' as const };
  tell(null, { kind: 'refusal', brought: { payload: { n: number } }, changes: { ...code, omitted: 2 } });
  const output = { payload: { draft: number }, ...said };
  tell(
    { type: 'draft.proposed', digest: digest(output), confidence: 0.9, canProceed: true },
    {
      brought: { output, reasons: ['a', 'b'], met: null },
      emissions: [messageOf(requestOf(number).replace('0', '4'), 'completed', output.payload)],
    },
  );
  tell(
    { type: 'followup.offered' },
    { emissions: [messageOf(offerId(number), 'followup', { question: { id: 'followup' } })] },
  );
};

/** A ledger of `cycles` requests in a row, of `6 + 3 * rounds` records each, with orphans, refusals, documents and emissions. */
export const madeLedger = (cycles: number, rounds = 2, taskId = 'task'): Scribe => {
  const made = scribe(taskId);
  const request = { taskClass: 'work', threadId: thread, payload: {}, explanation: 'please' };
  made.tell(null, { brought: { contract: made.contract, request: { ...request, identity } } });
  for (let number = 1; number <= cycles; number += 1) {
    const feedback = { type: 'instruction' as const, target: offerId(number - 1), content: 'Again.' };
    if (number > 1)
      made.tell({ type: 'changes.requested', request: requestOf(number) }, { brought: { feedback } });
    cycle(made, number, rounds);
  }
  return made;
};

/** Reseals records as an attacker with write access can: every digest, link and hash is recomputed. */
export const sealedAnew = (records: readonly LedgerRecord[], from = 0): readonly LedgerRecord[] => {
  const anew = [...records];
  for (let at = from; at < anew.length; at += 1) {
    const record = anew[at]!;
    const documents = { ...record.documents };
    for (const [name, document] of Object.entries(record.brought)) {
      Reflect.set(documents, name, digest(document));
    }
    const linked = { ...record, documents, previous: anew[at - 1]?.hash ?? null };
    anew[at] = { ...linked, hash: hashOfRecord(linked) };
  }
  return anew;
};
