import type { EvidenceObject, UpFormatMessage } from '../../../schema/index.ts';
import { sealRecord } from '../../../src/core/kernel/seal.ts';
import type { RecordPayload, LedgerEntry } from '../../../src/base/ports/ledger.ts';
import type { Emission } from '../../../src/base/ports/emission.ts';
import type {
  Deadline,
  Hold,
  Needs,
  OnlyTask,
  Step,
  Store,
  TaskIndexEntry,
} from '../../../src/base/ports/store.ts';
import { entryOf } from '../core/ledger/entry.ts';

export const evidence: EvidenceObject = {
  evidence_id: 'e-1',
  evidence_type: 'tool_result',
  source: 'read',
  hash: 'sha256:0',
  collected_at: '2026-11-21T05:00:00Z',
  payload: { secret: 'a name that nobody else has' },
};
export const other: EvidenceObject = { ...evidence, evidence_id: 'e-2' };

export const emissionOf = (document: EvidenceObject): Emission => ({ name: 'EvidenceObject', document });

/** A message with nothing but its id. */
export const saying = (messageId: string, text = 'hello'): Emission => ({
  name: 'UpFormatMessage',
  document: { messageId, text } as unknown as UpFormatMessage, // stores read only the id
});

export const deadlineOf = (id: string, at: number): Deadline => ({ of: 'question', id, at });

export interface Given extends Partial<Omit<Step, 'record' | 'indexEntry'>> {
  readonly brought?: RecordPayload;
  readonly entry?: Partial<LedgerEntry>;
  readonly indexEntry?: Partial<TaskIndexEntry>;
}

/** What the tasks of these steps need. */
const needs: Needs = { taskClass: 'class', tools: ['read'], isTurn: false };

/** Takes tasks of these steps as a process that can perform them. */
export const takeTasks = (
  store: Pick<Store, 'take'>,
  limit = 100,
  capabilities: Partial<Parameters<Store['take']>[0]> = {},
  only?: OnlyTask,
): Promise<readonly Hold[]> =>
  store.take(
    { charts: ['1'], taskClasses: ['class'], tools: ['read', 'send'], agents: ['class'], ...capabilities },
    limit,
    only,
  );

/** Returns the step of this number of `task`; everything not given is empty. */
export const stepOf = (seq: number, { brought = {}, entry, indexEntry, ...given }: Given = {}): Step => {
  const step = {
    taskId: 'task',
    fence: null,
    needs,
    key: null,
    snapshot: `snapshot ${seq}`,
    deadlines: [],
    intents: [],
    emissions: [],
    consumedApprovals: [],
    regulated: null,
    ...given,
  };
  const { taskId, snapshot, emissions } = step;
  const record = sealRecord(entryOf(seq, { taskId, brought, ...entry }), {
    previous: null,
    snapshot,
    emissions,
  });
  const stands: TaskIndexEntry = {
    taskId,
    threadId: 'thread',
    parent: null,
    size: seq + 1,
    head: record.hash,
    at: 1_763_700_000_000 + seq,
    isSettled: false,
    isOwed: true,
    asking: 0,
    awaits: 0,
    rank: '',
    chart: '1',
    summary: `{"seq":${seq}}`,
    ...indexEntry,
  };
  return { ...step, record, indexEntry: stands };
};

export const erasureOf = (seq: number, erased: string, given: Given = {}): Step =>
  stepOf(seq, { snapshot: null, entry: { kind: 'erasure', fact: null, erased }, ...given });

export const consumedApprovals = (jti: string, action: string): Pick<Step, 'consumedApprovals'> => ({
  consumedApprovals: [{ jti, action }],
});
