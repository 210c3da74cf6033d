import { createActor } from 'xstate';
import { taskClass, taskMachine, type Fact } from '../../../machines/index.ts';
import type { EvidenceObject } from '../../../schema/index.ts';
import { digest } from '../../../src/canonical/digest.ts';
import { hashOfRecord, sealRecord } from '../../../src/ledger/seal.ts';
import { stateName } from '../../../machines/index.ts';
import type { Emission } from '../../../src/ports/emission.ts';
import type { RecordPayload, LedgerEntry, LedgerRecord } from '../../../src/ports/ledger.ts';
import type { Step } from '../../../src/ports/store.ts';
import { entryOf } from './entry.ts';

const requestOf = (cycle: number): string => `00000000-0000-4000-8000-${String(cycle).padStart(12, '0')}`;
const call = (n: number) => ({
  id: `call-${n}`,
  tool: 'read',
  tier: 'read_only' as const,
  digest: `action-${n}`,
  rollback: false,
});

interface Telling {
  readonly kind?: LedgerEntry['kind'];
  readonly brought?: RecordPayload;
  readonly emissions?: readonly Emission[];
  readonly changes?: Partial<LedgerEntry>;
}

/** Builds the ledger of a task; facts go through the chart, as the orchestrator submits them. */
export const scribe = (taskId = 'task') => {
  const contract = taskClass({ id: 'work', followup: true, limits: { rounds: 50 } });
  const input = { taskClass: contract, request: requestOf(1) };
  const actor = createActor(taskMachine, { input }).start();
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
    erase: (erased: string) => tell(null, { kind: 'erasure', changes: { erased, outcome: 'success' } }),
  };
};

export type Scribe = ReturnType<typeof scribe>;

const evidenceOf = (seq: number): EvidenceObject => ({
  evidence_id: `evidence-${seq}`,
  evidence_type: 'tool_result',
  source: 'read',
  hash: digest({ row: seq }),
  collected_at: '2026-11-21T05:00:00Z',
  payload: { row: seq },
});

const round = ({ tell, of }: Scribe, n: number): void => {
  tell({ type: 'call.started', ...of(), call: call(n).id, digest: call(n).digest });
  const evidence = evidenceOf(n);
  const fact = {
    ...of(),
    call: call(n).id,
    evidence: { id: evidence.evidence_id, type: 'tool_result' as const },
  };
  const emissions = [{ name: 'EvidenceObject' as const, document: evidence }];
  tell({ type: 'call.succeeded', ...fact }, { brought: { evidence }, emissions });
};

const cycle = (made: Scribe, number: number, rounds: number): void => {
  const { tell, of } = made;
  tell({ type: 'request.accepted' });
  const plan = { digest: `plan-${number}`, confidence: 0.9, canProceed: true, calls: [call(number * 100)] };
  const output = { payload: { plan: number }, explanation: 'so', upThought: { confidence: 0.9 } };
  tell({ type: 'plan.proposed', ...plan }, { brought: { output } });
  for (let n = number * 100; n < number * 100 + rounds; n += 1) {
    if (n > number * 100) tell({ type: 'calls.proposed', ...plan, digest: `further-${n}`, calls: [call(n)] });
    round(made, n);
  }
  const late = { type: 'call.failed' as const, ...of(), call: 'call-9', code: 'TOOL_FAILED' as const };
  tell(late, { kind: 'orphan', brought: { explanation: 'too late' }, changes: { outcome: 'failure' } });
  const code = { code: 'IDENTITY_INVALID' as const, outcome: 'failure' as const };
  tell(null, { kind: 'refusal', brought: { payload: { n: number } }, changes: { ...code, omitted: 2 } });
  tell(
    { type: 'draft.proposed', digest: `draft-${number}`, confidence: 0.9, canProceed: true },
    { brought: { reasons: ['a', 'b'], met: null } },
  );
  tell({ type: 'followup.offered' });
};

/** A ledger of `cycles` requests in a row, of `6 + 3 * rounds` records each, with orphans, refusals, documents and emissions. */
export const madeLedger = (cycles: number, rounds = 2, taskId = 'task'): Scribe => {
  const made = scribe(taskId);
  const request = { taskClass: 'work', threadId: 't', payload: {}, explanation: 'please' };
  const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };
  made.tell(null, { brought: { contract: made.contract, request: { ...request, identity } } });
  for (let number = 1; number <= cycles; number += 1) {
    if (number > 1) made.tell({ type: 'changes.requested', request: requestOf(number) });
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
