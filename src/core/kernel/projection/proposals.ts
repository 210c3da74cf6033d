import type { Context } from '../../../../machines/index.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import type { CallDocument, LedgerEntry, OutputDocument } from '../../../base/ports/ledger.ts';

/** A recorded call. */
export interface RecordedCall {
  readonly call: CallDocument;
  /** The arguments before the tool's schema; `null` if they are not on record. */
  readonly given: unknown;
}

/** The proposals of the current request, by its agent and by people who edited them. */
export interface Proposals {
  /**
   * The last call that the agent proposed under each ref, as proposed. A person may have edited it; later plans then
   * contain the edited call.
   */
  readonly proposed: ReadonlyMap<string, RecordedCall>;
  /** Who edited a call, by its new digest and its ref; of a call alone that has none, its id. */
  readonly edited: ReadonlyMap<string, string>;
  /** Every call, by id. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
  /** The ids of the calls of the last plan, and of the rounds after it. */
  readonly planned: ReadonlySet<string>;
  /** The ids of the calls that were made, according to their tool or to a person who resolved a doubt. */
  readonly made: ReadonlySet<string>;
  /** The digests of the writes whose rollback began. */
  readonly undone: ReadonlySet<string>;
  /** The refs of the agent's last proposal. */
  readonly last: readonly string[];
  /** The refs that a person's plan or further calls removed; empty after the agent plans again. */
  readonly replaced: ReadonlySet<string>;
  /** The answers that the agent proposed, oldest first; `null` for an erased one. */
  readonly drafts: readonly (OutputDocument | null)[];
}

export const noProposals: Proposals = {
  proposed: new Map(),
  edited: new Map(),
  calls: new Map(),
  planned: new Set(),
  made: new Set(),
  undone: new Set(),
  last: [],
  replaced: new Set(),
  drafts: [],
};

/** Returns who changed a call that the agent proposed; `undefined` if nobody did. */
export const editorOf = (
  { edited, proposed }: Proposals,
  { digest, id, ref = id }: CallDocument,
): string | undefined =>
  proposed.get(ref)?.call.digest === digest ? undefined : edited.get(`${digest} ${ref}`);

const argumentsIn = (calls: unknown, at: number): unknown => {
  const one: unknown = Array.isArray(calls) ? calls[at] : null;
  return isObject(one) ? (one['arguments'] ?? null) : null;
};

/** Returns the calls of a record, each with its arguments as they were proposed. */
export const recordedCalls = ({
  brought: { calls = [], output, payload },
}: LedgerEntry): readonly RecordedCall[] => {
  const given = (output?.payload ?? payload)?.['calls'];
  return calls.map((call, at) => ({ call, given: argumentsIn(given, at) }));
};

const refsOf = (recorded: readonly RecordedCall[]): readonly string[] =>
  recorded.flatMap(({ call: { ref } }) => ref ?? []);

const added = (calls: Proposals['calls'], recorded: readonly RecordedCall[]): Proposals['calls'] =>
  new Map([...calls, ...recorded.map((one) => [one.call.id, one] as const)]);

const idsOf = (recorded: readonly RecordedCall[]): readonly string[] => recorded.map(({ call }) => call.id);

/** Returns the proposals after the agent proposed a plan or further calls. */
export const withProposal = (proposals: Proposals, record: LedgerEntry, isPlan: boolean): Proposals => {
  const recorded = recordedCalls(record);
  const proposed = new Map(proposals.proposed);
  for (const one of recorded) {
    const { ref, digest } = one.call;
    const isKnown = ref === undefined || proposed.get(ref)?.call.digest === digest;
    if (!isKnown && !proposals.edited.has(`${digest} ${ref}`)) proposed.set(ref, one);
  }
  return {
    ...proposals,
    calls: added(proposals.calls, recorded),
    planned: new Set([...(isPlan ? [] : proposals.planned), ...idsOf(recorded)]),
    proposed,
    last: refsOf(recorded),
  };
};

/** What a person edited: the plan, further calls, or one call. */
export type Edited = 'plan' | 'further' | 'call';

/** Returns the proposals after a person edited a plan, further calls or a call. */
export const withEdit = (proposals: Proposals, record: LedgerEntry, what: Edited): Proposals => {
  const recorded = recordedCalls(record);
  const editedKeys = recorded.flatMap(({ call: { id, ref = what === 'call' ? id : undefined, digest } }) =>
    ref === undefined ? [] : [`${digest} ${ref}`],
  );
  const refOf = (id: string): string | undefined => proposals.calls.get(id)?.call.ref;
  const isGone = (id: string): boolean =>
    what === 'plan' || (what === 'further' && proposals.last.some((ref) => ref === refOf(id)));
  const planned = [...proposals.planned];
  const gone = planned.filter(isGone).flatMap((id) => refOf(id) ?? []);
  const kept = new Set(refsOf(recorded));
  return {
    ...proposals,
    calls: added(proposals.calls, recorded),
    planned: new Set([...planned.filter((id) => !isGone(id)), ...idsOf(recorded)]),
    edited: new Map([...proposals.edited, ...editedKeys.map((key) => [key, record.actor.id] as const)]),
    replaced: new Set([...proposals.replaced, ...gone].filter((ref) => !kept.has(ref))),
  };
};

/** Returns the record of an edited call with the other calls of its action, which the chart replaces too. */
export const ofWholeAction = (
  record: LedgerEntry,
  known: Readonly<Record<string, CallDocument>>,
  after: Context['calls'],
): LedgerEntry => {
  const { fact, brought } = record;
  const [edited] = fact?.type === 'human.responded' && fact.call !== undefined ? (brought.calls ?? []) : [];
  if (edited === undefined) return record;
  const { ref: _ref, ...action } = edited;
  const others = Object.values(known).flatMap(({ id, ref, digest }) => {
    const isReplaced = id !== edited.id && digest !== edited.digest && after[id]?.digest === edited.digest;
    return isReplaced ? [{ ...action, id, ...(ref !== undefined && { ref }) }] : [];
  });
  return others.length === 0 ? record : { ...record, brought: { ...brought, calls: [edited, ...others] } };
};

/** Returns the proposals after a call was made. */
export const withMade = (proposals: Proposals, call: string): Proposals => ({
  ...proposals,
  made: new Set([...proposals.made, call]),
});

/** Returns the proposals after the rollback of a write began. */
export const withUndone = (proposals: Proposals, digest: string): Proposals => ({
  ...proposals,
  undone: new Set([...proposals.undone, digest]),
});
