import { gateSubject } from '../../../machines/question.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { proposedIn } from '../kernel/origins.ts';
import { answeredBy } from '../kernel/projection/facts.ts';
import { flowChecks, generalWhy } from '../../gates/origins/flows.ts';
import type { CallDocument, LedgerRecord } from '../../base/ports/ledger.ts';

/**
 * What recorded calls say of a flow, by the first that applies. `never_checked`: no call had a value there. `never_held`:
 * every call met it. `always_held`: none did. `approved_each_time`: people approved all that it held.
 */
export type FlowVerdict =
  'never_checked' | 'never_held' | 'always_held' | 'approved_each_time' | 'sometimes_held';

/** A flow of a tool in recorded calls. What was proposed again in a task, with the same arguments, is one call. */
export interface FlowUse {
  readonly tool: string;
  /** The JSON Pointer of the flow, as its tool declared it. */
  readonly pattern: string;
  /** The calls that had a value there. */
  readonly calls: number;
  /** Those of them that the flow held; the next four members add up to it. */
  readonly held: number;
  readonly approved: number;
  readonly rejected: number;
  /** A person changed the arguments, or gave an instruction. */
  readonly edited: number;
  /** No person answered: the question is open or expired, or the call was refused. */
  readonly unanswered: number;
  readonly verdict: FlowVerdict;
  /** The most frequent reason for holding a call, without its place in a result; `null` for none. */
  readonly why: string | null;
}

/** The flows of the ledgers that were added. */
export interface FlowUses {
  readonly tasks: number;
  /** The proposed calls that were erased: the other counts are without them, because their flows are unknown. */
  readonly erased: number;
  /** By tool and pattern. */
  readonly flows: readonly FlowUse[];
}

/** Counts the flows of ledgers. It keeps no record. */
export interface FlowReport {
  /** Adds the ledger of a task, of any version of the chart. Does not verify it. Add each ledger once. */
  readonly add: (records: readonly LedgerRecord[]) => void;
  /** Returns the counts so far, as a frozen copy. */
  readonly uses: () => FlowUses;
}

type Named = Pick<FlowUse, 'tool' | 'pattern'>;
type Answer = 'approved' | 'rejected' | 'edited';
const answers: Readonly<Record<string, Answer>> = {
  approve: 'approved',
  reject: 'rejected',
  edit: 'edited',
  instruction: 'edited',
};

/** A flow in a call: why it is held; `null` if it has no value there. */
type Seen = Named & { readonly digest: string; readonly whys: readonly string[] | null };

/** Returns what the flows of a call said of it. If the rules of today have other reasons, the argument decides. */
const seenIn = ({ tool, digest, arguments: input, origins }: CallDocument): readonly Seen[] => {
  if (origins?.flows === undefined) return [];
  const { flows, values, shown, holds = [] } = origins;
  const checks = flowChecks(flows, values, shown, input);
  const reasons = holds.flatMap(({ code, at, why }) => {
    const there = checks.filter((check) => code === 'FLOW_FORBIDDEN' && check.at === at);
    const same = there.filter(({ whys }) => whys.includes(why));
    const by = same.length > 0 ? same : there;
    return by.map(({ pattern, origin }) => ({ pattern, why: generalWhy(why, origin) }));
  });
  return Object.keys(flows).map((pattern) => {
    const isChecked = checks.some((check) => check.pattern === pattern);
    const whys = reasons.flatMap((reason) => (reason.pattern === pattern ? reason.why : []));
    return { tool, pattern, digest, whys: isChecked ? whys : null };
  });
};

const none = { calls: 0, held: 0, approved: 0, rejected: 0, edited: 0 };

/** The counts of a flow; its reasons with the number of calls of each. */
type Tally = Named & typeof none & { readonly whys: Map<string, number> };

const count = (tally: Tally, whys: Seen['whys'], answer: Answer | undefined): void => {
  if (whys !== null) tally.calls += 1;
  if (whys === null || whys.length === 0) return;
  tally.held += 1;
  if (answer !== undefined) tally[answer] += 1;
  for (const why of new Set(whys)) tally.whys.set(why, (tally.whys.get(why) ?? 0) + 1);
};

const verdictOf = ({ calls, held, approved }: typeof none): FlowVerdict => {
  if (calls === 0) return 'never_checked';
  if (held === 0) return 'never_held';
  if (held === calls) return 'always_held';
  return approved === held ? 'approved_each_time' : 'sometimes_held';
};

const useOf = ({ whys, ...tally }: Tally): FlowUse => {
  const { held, approved, rejected, edited } = tally;
  const [[why] = [null]] = [...whys].toSorted(([, one], [, other]) => other - one);
  return { ...tally, unanswered: held - approved - rejected - edited, verdict: verdictOf(tally), why };
};

/** Returns a report that says which flows of tools never held a call, and which always do. */
export const createFlowReport = (): FlowReport => {
  const tallies = new Map<string, Tally>();
  let [tasks, erased] = [0, 0];
  const add = (records: readonly LedgerRecord[]): void => {
    const all = new Map<string, Seen>();
    const answered = new Map<string, Answer>();
    const facts = records.filter(({ kind }) => kind === 'fact');
    for (const { fact, brought } of facts) {
      for (const seen of brought.calls?.flatMap(seenIn) ?? []) {
        const key = JSON.stringify([seen.digest, seen.pattern]);
        const whys = [...(all.get(key)?.whys ?? []), ...(seen.whys ?? [])];
        all.set(key, seen.whys === null ? (all.get(key) ?? seen) : { ...seen, whys });
      }
      const about = gateSubject('approval', answeredBy(fact) ?? '');
      const answer = fact?.type === 'human.responded' ? answers[fact.feedback] : 'approved';
      if (about !== undefined && answer !== undefined && fact?.type !== 'deadline.passed')
        answered.set(about, answer);
    }
    tasks += 1;
    erased += facts.filter(({ brought }) => brought.calls === undefined).flatMap(proposedIn).length;
    for (const { tool, pattern, digest, whys } of all.values()) {
      const key = JSON.stringify([tool, pattern]);
      const tally = tallies.get(key) ?? { tool, pattern, ...none, whys: new Map() };
      tallies.set(key, tally);
      count(tally, whys, answered.get(digest));
    }
  };
  const uses = (): FlowUses => {
    const flows = [...tallies].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return deepFreeze({ tasks, erased, flows: flows.map(([, tally]) => useOf(tally)) });
  };
  return { add, uses };
};
