import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { shadowedIn, type Shadowed } from '../../gates/policies/shadow.ts';
import { Request } from './open-tasks.ts';
import { inColumns } from './in-columns.ts';
import { servedName } from './names.ts';

/** What would become of a call if the policy were in force, and under which rule. */
interface Would {
  readonly be: 'allowed' | 'asked' | 'refused';
  readonly rule: string;
}

const read: Would = { be: 'allowed', rule: 'read_only: no one is asked about reads' };

/** Returns what would become of a write. A high-risk one that is allowed is approved by a person all the same (UAICP 5.3). */
const wouldOf = (shadowed: readonly Shadowed[], tier: string | undefined): Would | null => {
  const [first] = shadowed;
  if (first === undefined) return null;
  const rule = shadowed.map((one) => one.rule).join('; ');
  if (first.verdict === 'deny') return { be: 'refused', rule };
  if (first.verdict === 'needs_review') return { be: 'asked', rule };
  return tier === 'write_high_risk'
    ? { be: 'asked', rule: `write_high_risk, also if allowed: ${rule}` }
    : { be: 'allowed', rule };
};

/** Returns what would have become of the calls of a task, by their ids; nothing for one whose policy was in force. */
const callsIn = (
  records: readonly LedgerRecord[],
): ReadonlyMap<string, Would & { readonly tool: string }> => {
  const proposed = new Map<string, { readonly tool: string; readonly tier: string }>();
  const would = new Map<string, Would & { readonly tool: string }>();
  const isShadow = records.some(
    ({ brought: { request } }) => Request.safeParse(request?.payload).data?.mode === 'shadow',
  );
  if (!isShadow) return would;
  for (const { fact, brought } of records) {
    if (fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed')
      for (const call of fact.calls) {
        proposed.set(call.id, call);
        if (call.tier === 'read_only') would.set(call.id, { ...read, tool: call.tool });
      }
    if (fact?.type !== 'policy.decided') continue;
    const { tool = '', tier } = proposed.get(fact.call) ?? {};
    const decided = wouldOf(brought.reasons?.flatMap((reason) => shadowedIn(reason) ?? []) ?? [], tier);
    if (decided !== null) would.set(fact.call, { ...decided, tool });
  }
  return would;
};

/** What a policy in the shadow would have done, over the ledgers that were added. */
export interface ShadowReport {
  readonly add: (records: readonly LedgerRecord[]) => void;
  /** Returns a table: for each tool and rule, how many calls would have been what. */
  readonly lines: () => readonly string[];
}

/** Returns a report on the calls of tasks that began in the shadow. It keeps no record. */
export const createShadowReport = (): ShadowReport => {
  const counts = new Map<string, number>();
  return {
    add: (records) => {
      for (const { tool, be, rule } of callsIn(records).values()) {
        const row = JSON.stringify([servedName(tool), be, rule]);
        counts.set(row, (counts.get(row) ?? 0) + 1);
      }
    },
    lines: () => {
      const rows = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const cells = rows.map(([row, count]) => {
        const [tool = '', be = '', rule = ''] = JSON.parse(row) as readonly string[]; // as `add` wrote it
        return [tool, String(count), be, rule];
      });
      return inColumns([['TOOL', 'CALLS', 'WOULD BE', 'UNDER THE RULE'], ...cells]);
    },
  };
};
