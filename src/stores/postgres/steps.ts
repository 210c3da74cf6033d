import { digest as digestOf } from '../../canonical/digest.ts';
import { CharterError } from '../../errors.ts';
import type { Emission } from '../../ports/emission.ts';
import type { LedgerRecord } from '../../ports/ledger.ts';

/** A step as it is stored: its record with its documents, and its emissions; `null` for one that was erased. */
export interface StepBody {
  readonly record: LedgerRecord;
  readonly emissions: readonly (Emission | null)[];
}

/** Returns the error of a task that was changed in its store. */
export const corrupted = (taskId: string, seq: number, reason: string, cause?: unknown): CharterError => {
  const message = `task ${taskId} was changed in its store, at record ${seq}: ${reason}; restore a backup`;
  return new CharterError('task_corrupted', message, { taskId, seq, reason }, { cause });
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isBody = (value: unknown): value is StepBody =>
  isObject(value) &&
  'record' in value &&
  isObject(value.record) &&
  'brought' in value.record &&
  isObject(value.record.brought) &&
  'emissions' in value &&
  Array.isArray(value.emissions);

/** Parses JSON that we wrote. Throws `task_corrupted`. */
export const parsed = (text: string, taskId: string, seq: number): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw corrupted(taskId, seq, 'what is stored is not JSON', cause);
  }
};

/** Reads a stored step. Throws `task_corrupted`. */
export const bodyOf = (text: string, taskId: string, seq: number): StepBody => {
  const body = parsed(text, taskId, seq);
  if (!isBody(body)) throw corrupted(taskId, seq, 'what is stored is not a step');
  return body;
};

/** Returns the name by which an emission is found; `null` if it is no message. */
export const messageOf = ({ name, document }: Emission): string | null =>
  name === 'UpFormatMessage' || name === 'ReceivedMessage' ? document.messageId : null;

/** Returns the names of the messages of a step. */
export const messagesIn = (emissions: readonly (Emission | null)[]): readonly string[] =>
  emissions.flatMap((emission) => (emission && messageOf(emission)) ?? []);

/** Returns a step without the documents of this digest: the same one if it has none. */
const without = (step: StepBody, digest: string): StepBody => {
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
  readonly own: StepBody;
  readonly rewritten: readonly StepBody[];
  readonly gone: readonly { readonly seq: number; readonly message: string }[];
}

/** Returns what the erasure of a digest writes. */
export const erasureOf = (own: StepBody, earlier: readonly StepBody[], digest: string): Erasure => {
  const pairs = earlier
    .map((before) => [before, without(before, digest)] as const)
    .filter(([before, after]) => before !== after);
  return {
    own: without(own, digest),
    rewritten: pairs.map(([, after]) => after),
    gone: pairs.flatMap(([before, { record, emissions }]) => {
      const still = messagesIn(emissions);
      return messagesIn(before.emissions)
        .filter((message) => !still.includes(message))
        .map((message) => ({ seq: record.seq, message }));
    }),
  };
};
