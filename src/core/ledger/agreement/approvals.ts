import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import { memberOf, type Compare } from './comparison.ts';
import type { Known } from './known.ts';

/** Compares an approval with the fact that it is granted, and with the call that it is for. */
export const compareApproval = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { kind, fact, request_id, brought, documents } = record;
  const { approval } = brought;
  const isNeeded = kind === 'fact' && fact?.type === 'approval.granted' && fact.authority === 'approval';
  if (documents.approval === undefined ? !isNeeded : approval === undefined) return; // none, or erased
  const claims = memberOf(approval, 'claims');
  if (fact?.type === 'approval.granted') {
    compare('approval', '/approver', memberOf(approval, 'approver'), fact.approver, 'its fact');
    compare('approval', '/claims/action_digest', memberOf(claims, 'action_digest'), fact.digest, 'its fact');
    compare('record', '/fact/authority', fact.authority, 'approval', 'its approval');
    const call = known.calls.get(fact.digest);
    const place = 'the call that it is for';
    compare('approval', '/claims/tool', memberOf(claims, 'tool'), call?.tool, place);
    compare('approval', '/claims/tool_version', memberOf(claims, 'tool_version'), call?.version, place);
    compare('approval', '/claims/tier', memberOf(claims, 'tier'), known.tiers.get(fact.digest), place);
  }
  compare('approval', '/claims/request_id', memberOf(claims, 'request_id'), request_id, 'its record');
};
