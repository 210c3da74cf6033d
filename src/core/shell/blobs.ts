import {
  boundsFor,
  joinBlobs,
  referencesIn,
  Separation,
  withoutReferences,
  type BlobReference,
  type Blobs,
} from '../../base/canonical/blobs.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { digest as digestOf } from '../../base/canonical/digest.ts';
import { frozenCopy, stateBounds, valueBounds } from '../../base/canonical/freeze.ts';
import { kept, notKeptKey, type Kept } from '../../base/canonical/kept.ts';
import { causeOf } from '../../base/errors.ts';
import type { BlobOptions } from '../../base/ports/blobs.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import { unusable } from '../../stores/shared.ts';
import type { Environment } from './environment.ts';

/** The options of large values with their defaults. */
export const blobDefaults = ({
  store,
  above = valueBounds.text,
  most = 64 * valueBounds.text,
}: BlobOptions): Required<BlobOptions> => ({ store, above, most });

/** The ports of keeping values. */
type Keeping = Pick<Environment, 'blobs' | 'meter'>;

/** A value as a record can hold it, and the bytes of what was moved out of it. */
interface Recordable extends Kept {
  readonly blobs: Blobs;
}

/** Marks references that a tool wrote: only this library says what is kept beside a ledger. */
const forged =
  (own: Blobs) =>
  ({ digest }: BlobReference): unknown =>
    own.has(digest)
      ? undefined
      : { [notKeptKey]: 'a reference to a large value that its tool did not return' };

/** Returns a value as a record can hold it, redacted. Its large parts are to be kept before it is recorded. */
export const recordable = (
  given: unknown,
  document: string,
  kind: 'result' | 'agentState',
  { blobs, redact }: Pick<Environment, 'blobs' | 'redact'>,
): Recordable => {
  const parts = new Separation(blobs?.most ?? 0);
  const bounds = boundsFor(blobs?.most, kind === 'result' ? valueBounds : stateBounds);
  const { value, lost } = kept(given, document, bounds, blobs ? parts.binary : undefined);
  if (blobs === null) return { value: redact(value, kind), lost, blobs: parts.blobs };
  const isForged = referencesIn(value).some(({ digest }) => !parts.blobs.has(digest));
  const own = isForged ? frozenCopy(withoutReferences(value, forged(parts.blobs)), document, bounds) : value;
  const redacted = redact(own, kind);
  try {
    const separated = parts.of(redacted, document, blobs.above);
    const named = new Set(referencesIn(separated).map(({ digest }) => digest)); // a redaction may have removed some
    return {
      value: separated,
      lost,
      blobs: new Map([...parts.blobs].filter(([digest]) => named.has(digest))),
    };
  } catch (error) {
    const what = `too large to be kept: ${causeOf(error)}`;
    return { value: deepFreeze({ [notKeptKey]: what }), lost: [...lost, { at: '', what }], blobs: new Map() };
  }
};

/** Keeps the large parts of a value beside the ledger of its task. Throws what the store throws. */
export const keepBlobs = async (taskId: string, parts: Blobs, { blobs, meter }: Keeping): Promise<void> => {
  for (const [digest, bytes] of parts) {
    await blobs?.store.put(taskId, digest, bytes);
    meter.blobs += 1;
    meter.blobBytes += bytes.byteLength;
  }
};

/** Keeps the large parts of a result, which is marked where their store fails: its call was made. */
export const keepResult = async (taskId: string, result: Recordable, ports: Keeping): Promise<Kept> => {
  try {
    await keepBlobs(taskId, result.blobs, ports);
    return result;
  } catch (error) {
    const why = 'too large for a record, and could not be kept beside it';
    const value = deepFreeze(withoutReferences(result.value, () => ({ [notKeptKey]: why })));
    return { value, lost: [...result.lost, { at: '', what: `${why}: ${causeOf(error)}` }] };
  }
};

/** Returns a value of a task with what was kept beside its ledger; what is not kept here stays a reference. */
export const joinedFor = async (
  taskId: string,
  value: unknown,
  blobs: Environment['blobs'],
): Promise<unknown> =>
  blobs === null
    ? value
    : joinBlobs(value, (digest) => blobs.store.get(taskId, digest).catch(() => undefined)); // the call was made

/**
 * Removes what these documents named that no other document of their task names, before they are erased themselves. Throws `store_unusable` if
 * that is asked for (`isAsked`) and this process has no store of large values.
 */
export const eraseBlobs = async (
  blobs: Environment['blobs'],
  { records, emissions, indexEntry: { taskId } }: Pick<StoredTask, 'records' | 'emissions' | 'indexEntry'>,
  digests: readonly string[],
  isAsked = false,
): Promise<void> => {
  if (blobs === null && !isAsked) return;
  const documents = [
    ...records.flatMap(({ brought }) => Object.values(brought)),
    ...emissions.map(({ document }) => document),
  ].map((document) => ({ names: referencesIn(document), document }));
  const naming = documents.filter(({ names }) => names.length > 0);
  const isErased = ({ document }: (typeof naming)[number]): boolean => digests.includes(digestOf(document));
  const others = new Set(
    naming.filter((one) => !isErased(one)).flatMap(({ names }) => names.map((one) => one.digest)),
  );
  const unneeded = naming
    .filter(isErased)
    .flatMap(({ names }) => names.map((one) => one.digest))
    .filter((one) => !others.has(one));
  if (unneeded.length === 0) return;
  if (blobs === null) {
    const remedy = 'pass the `blobs` that the task was recorded with, and erase again';
    throw unusable(`task ${taskId}`, 'the document names values that are kept beside the ledger', remedy);
  }
  await blobs.store.erase(taskId, unneeded);
};
