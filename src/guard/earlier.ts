import type { CallDocument, LedgerRecord } from '../ports/ledger.ts';
import type { Tool } from '../ports/tool.ts';

const proposes = ({ fact }: LedgerRecord): boolean =>
  fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed';

/** The calls that an agent proposed in the present request, as it proposed them: a person may have edited them since. */
export const proposedCalls = (records: readonly LedgerRecord[]): readonly CallDocument[] => {
  const present = records.at(-1)?.request_id;
  return records.flatMap((record) =>
    proposes(record) && record.request_id === present ? (record.brought.calls ?? []) : [],
  );
};

/**
 * What was done of the last plan and the calls after it: the next plan has it too, so that no write is undone for want of
 * being asked for, and what it rests on is read anew (UAICP 4.1).
 */
export const standingCalls = (
  records: readonly LedgerRecord[],
  tools: ReadonlyMap<string, Pick<Tool, 'tier'>>,
): readonly CallDocument[] => {
  const facts = records.flatMap(({ fact }) => (fact?.type === 'call.succeeded' ? fact.call : []));
  const all = new Map(records.flatMap(({ brought }) => (brought.calls ?? []).map((call) => [call.id, call])));
  const isDone = new Set(facts);
  const isWritten = new Set(facts.flatMap((id) => all.get(id)?.digest ?? []));
  const planned = records.findLastIndex(({ fact }) => fact?.type === 'plan.proposed');
  const last = records.slice(planned).flatMap(({ brought }) => (brought.calls ?? []).map(({ id }) => id));
  return [...new Set(last)].flatMap((id) => {
    const call = all.get(id);
    if (call === undefined) return [];
    const isWrite = tools.get(call.tool)?.tier !== 'read_only';
    return isDone.has(id) || (isWrite && isWritten.has(call.digest)) ? call : [];
  });
};
