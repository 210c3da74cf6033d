import type { LedgerRecord } from 'agentcharter/ledger';
import type { Step } from 'agentcharter/stores';
import type { Fact } from 'agentcharter/machines';
import type { RiskTier } from 'agentcharter/schema';

const factsIn = (records: readonly LedgerRecord[]): readonly Fact[] =>
  records.flatMap(({ kind, fact }) =>
    (kind === 'fact' || kind === 'orphan') && fact !== null ? [fact] : [],
  );

/** How often a tool may have been called under a key by now: once for each intent, and for each time it is taken up. */
const permissions = (records: readonly LedgerRecord[], kind: 'call' | 'rollback', key: string): number => {
  const of = kind === 'call' ? 'call.started' : 'rollback.started';
  const digest = kind === 'call' ? key : key.slice('rollback:'.length);
  const intents = factsIn(records).filter((fact) => fact.type === of && fact.digest === digest);
  const repeats = records.filter(
    ({ brought: { recovery } }) => recovery?.key === key && recovery.resolution === 'repeated',
  );
  return intents.length + repeats.length;
};

const isCleared = (records: readonly LedgerRecord[], digest: string, tier: RiskTier): boolean => {
  let isAllowed = false;
  let isApproved = false;
  for (const fact of factsIn(records)) {
    if (fact.type === 'policy.decided' && fact.digest === digest) isAllowed = fact.verdict === 'allow';
    if (fact.type === 'human.responded' && fact.question === `approval:${digest}`)
      isApproved = fact.feedback === 'approve';
  }
  return tier === 'read_only' || (isAllowed && (isApproved || tier === 'write_low_risk'));
};

/** What a tool is asked for; `tier` is what is true of it, whatever its definition says. */
export interface Asking {
  readonly kind: 'call' | 'rollback';
  readonly key: string;
  readonly tier: RiskTier;
}

/** Looks at what is on record when a tool is called: its clearance, and an intent of its own. Says what is broken. */
export const createClearance = () => {
  const made = new Map<string, number>();
  return (written: readonly Step[], { kind, key, tier }: Asking): string | null => {
    const records = written.map(({ record }) => record);
    const times = (made.get(key) ?? 0) + 1;
    made.set(key, times);
    if (permissions(records, kind, key) < times) return 'an effect has an earlier intent of its own';
    return kind === 'rollback' || isCleared(records, key, tier)
      ? null
      : 'no write begins before it is cleared';
  };
};
