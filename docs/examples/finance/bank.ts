import type { Case, Entry, Snapshot } from './records.ts';

export type Booking = Entry | { readonly refused: string };

type Later<Value> = Value | Promise<Value>;

/** What the wire room needs of a bank, which may be another process. */
export interface BankAccess {
  readonly snapshot: () => Later<Snapshot>;
  /** Moves the wire's money back, once a key. */
  readonly reverse: (wire: string, key: string) => Later<Booking>;
  /** Undoes a reversal, once a key. */
  readonly reinstate: (wire: string, key: string) => Later<Booking>;
  /** What was booked under a key, if anything. */
  readonly find: (kind: Entry['kind'], key: string) => Later<Entry | undefined>;
}

/** A bank whose only state is its append-only journal. */
export interface Bank extends BankAccess {
  readonly journal: readonly Entry[];
  readonly snapshot: () => Snapshot;
}

/** Opens a bank with one booked wire. `keep` gets each line of the journal before it takes effect. */
export const openBank = (
  { accounts, wire: transfer }: Pick<Case, 'accounts' | 'wire'>,
  keep: (entry: Entry) => void,
): Bank => {
  const journal: Entry[] = [];
  const enter = (kind: Entry['kind'], key: string): Entry => {
    const entry = { entry: journal.length + 1, kind, key, transfer };
    keep(entry);
    journal.push(entry);
    return entry;
  };
  enter('wired', transfer.wire);

  const balance = (account: string, opening: number): number =>
    journal.reduce((sum, { kind, transfer: { from, to, cents } }) => {
      const [payer, payee] = kind === 'reversed' ? [to, from] : [from, to];
      return sum + (account === payee ? cents : 0) - (account === payer ? cents : 0);
    }, opening);
  const snapshot = (): Snapshot => ({
    transfer,
    last: journal.at(-1)?.kind ?? 'wired',
    accounts: accounts.map(({ account, cents }) => ({ account, cents: balance(account, cents) })),
  });

  const find = (kind: Entry['kind'], key: string): Entry | undefined =>
    journal.find((entry) => entry.kind === kind && entry.key === key);
  const move = (kind: Entry['kind'], wire: string, key: string, payer: string): Booking => {
    const known = find(kind, key);
    if (known !== undefined) return known;
    const { last, accounts } = snapshot();
    if (wire !== transfer.wire || (last === 'reversed') === (kind === 'reversed'))
      return { refused: `${wire} cannot be ${kind}: ${transfer.wire} is ${last}` };
    const isCovered = accounts.some(({ account, cents }) => account === payer && cents >= transfer.cents);
    return isCovered ? enter(kind, key) : { refused: `${payer} does not cover ${wire}` };
  };
  return {
    journal,
    snapshot,
    find,
    reverse: (wire, key) => move('reversed', wire, key, transfer.to),
    reinstate: (wire, key) => move('reinstated', wire, key, transfer.from),
  };
};
