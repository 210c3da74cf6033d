import { digest as digestOf } from '../../base/canonical/digest.ts';
import type { StoredStep } from '../../base/ports/store.ts';
import { messagesIn } from '../shared.ts';

/** Returns a step without the documents of this digest: the same one if it has none. */
const without = (step: StoredStep, digest: string): StoredStep => {
  const { record, emissions } = step;
  const digests = new Map<string, unknown>(Object.entries(record.documents));
  const brought = Object.entries(record.brought).filter(([name]) => digests.get(name) !== digest);
  const rest = emissions.map((emission, index) =>
    emission !== null && (record.emitted[index] ?? digestOf(emission.document)) === digest ? null : emission,
  );
  const isSame =
    brought.length === Object.keys(record.brought).length && rest.every((one, at) => one === emissions[at]);
  if (isSame) return step;
  return { record: { ...record, brought: Object.fromEntries(brought) }, emissions: rest };
};

/** What an erasure writes: its own step, the earlier ones that it rewrites, and the messages that are gone from them. */
export interface Erasure {
  readonly own: StoredStep;
  readonly rewritten: readonly StoredStep[];
  readonly gone: readonly { readonly seq: number; readonly message: string }[];
}

/** Returns what the erasure of a digest writes. */
export const erasureOf = (own: StoredStep, earlier: readonly StoredStep[], digest: string): Erasure => {
  const pairs = earlier
    .map((before) => [before, without(before, digest)] as const)
    .filter(([before, after]) => before !== after);
  return {
    own: without(own, digest),
    rewritten: pairs.map(([, after]) => after),
    gone: pairs.flatMap(([before, after]) => {
      const still = messagesIn(after);
      return messagesIn(before)
        .filter((message) => !still.includes(message))
        .map((message) => ({ seq: after.record.seq, message }));
    }),
  };
};
