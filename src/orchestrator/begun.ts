import type { Context, FactOf } from '../../machines/index.ts';
import type { LedgerEntry } from '../ports/ledger.ts';
import type { Tool } from '../ports/tool.ts';

/** What a call waits for, as the ledger of its task knows it: a child, or what a tool of any other kind named. */
export interface Begun {
  readonly request: string;
  readonly attempt: number;
  readonly call: string;
  /** Of the action of the call. */
  readonly digest: string;
  readonly tool: string;
  /** Whether the ledger has the outcome of the call. A child reports it once, however late. */
  readonly isReported: boolean;
}

/** By the identifier of the child, in the order in which they were begun. */
export type BegunById = Readonly<Record<string, Begun>>;

type OfCall = Pick<Begun, 'request' | 'attempt' | 'call'>;

const awaited = (begun: BegunById, { calls }: Context, fact: FactOf<'dependency.awaited'>): BegunById => {
  const { request, attempt, call, dependency } = fact;
  const { digest = '', tool = '' } = (Object.hasOwn(calls, call) ? calls[call] : undefined) ?? {};
  return { ...begun, [dependency]: { request, attempt, call, digest, tool, isReported: false } };
};

const markReported = (begun: BegunById, { request, attempt, call }: OfCall): BegunById => {
  const isIt = (one: Begun): boolean =>
    !one.isReported && one.call === call && one.attempt === attempt && one.request === request;
  if (!Object.values(begun).some(isIt)) return begun;
  const entries = Object.entries(begun);
  return Object.fromEntries(entries.map(([id, one]) => [id, isIt(one) ? { ...one, isReported: true } : one]));
};

/** The dependencies of a task after one more record of its ledger. */
export const begunAfter = (begun: BegunById, before: Context, { kind, fact }: LedgerEntry): BegunById => {
  if (kind !== 'fact' && kind !== 'orphan') return begun;
  switch (fact?.type) {
    case 'dependency.awaited':
      return kind === 'fact' ? awaited(begun, before, fact) : begun;
    case 'call.succeeded':
    case 'call.failed':
    case 'call.doubted':
      return markReported(begun, fact);
    default:
      return begun;
  }
};

/** The last one of a call, or of an action: an action that was done is not begun again. */
export const lastBegun = (begun: BegunById, which: (one: Begun) => boolean): string | undefined =>
  Object.entries(begun).findLast(([, one]) => which(one))?.[0];

/** Returns the children whose end is not in the ledger of their parent yet. */
export const unreportedChildren = (
  begun: BegunById,
  { tools }: { readonly tools: ReadonlyMap<string, Tool> },
): readonly (readonly [string, Begun])[] =>
  Object.entries(begun).filter(
    ([, { isReported: isHeard, tool }]) => !isHeard && tools.get(tool)?.child !== undefined,
  );
