import {
  boundsFor,
  joinBlobs,
  referencesIn,
  Separation,
  withoutReferences,
  type Blobs,
} from '../../canonical/blobs.ts';
import { deepFreeze } from '../../canonical/deep-freeze.ts';
import { digest as digestOf } from '../../canonical/digest.ts';
import { stateBounds, valueBounds } from '../../canonical/freeze.ts';
import { kept, notKeptKey, type Kept } from '../../canonical/kept.ts';
import { causeOf } from '../../errors.ts';
import type { BlobOptions } from '../../ports/blobs.ts';
import type { StoredTask } from '../../ports/store.ts';
import type { Environment } from './environment.ts';

/** The options of large values with their defaults. */
export const blobDefaults = ({
  store,
  above = valueBounds.text,
  most = 64 * valueBounds.text,
}: BlobOptions): Required<BlobOptions> => ({ store, above, most });

type Ports = Pick<Environment, 'blobs' | 'redact'>;

/** A value as a record can hold it, and the bytes of what was moved out of it. */
interface Recordable extends Kept {
  readonly blobs: Blobs;
}

/** Returns a value as a record can hold it, redacted. Its large parts are to be kept before it is recorded. */
export const recordable = (
  given: unknown,
  document: string,
  kind: 'result' | 'agentState',
  { blobs, redact }: Ports,
): Recordable => {
  const parts = new Separation();
  const { value, lost } = kept(
    given,
    document,
    boundsFor(blobs?.most, kind === 'result' ? valueBounds : stateBounds),
    blobs ? parts.binary : undefined,
  );
  const redacted = redact(value, kind);
  if (blobs === null) return { value: redacted, lost, blobs: parts.blobs };
  return { value: parts.of(redacted, document, blobs.above), lost, blobs: parts.blobs };
};

/** Keeps the large parts of a value beside the ledger of its task. Throws what the store throws. */
export const keepBlobs = async (
  taskId: string,
  parts: Blobs,
  { blobs }: Pick<Ports, 'blobs'>,
): Promise<void> => {
  for (const [digest, bytes] of parts) await blobs?.store.put(taskId, digest, bytes);
};

/** Keeps the large parts of a result, which is marked where their store fails: its call was made. */
export const keepResult = async (
  taskId: string,
  result: Recordable,
  ports: Pick<Ports, 'blobs'>,
): Promise<Kept> => {
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
  blobs === null ? value : joinBlobs(value, (digest) => blobs.store.get(taskId, digest));

/** Removes what a document named that no other document of its task names, before it is erased itself. */
export const eraseBlobs = async (
  blobs: Environment['blobs'],
  { records, emissions, indexEntry: { taskId } }: Pick<StoredTask, 'records' | 'emissions' | 'indexEntry'>,
  digest: string,
): Promise<void> => {
  if (blobs === null) return;
  const documents = [
    ...records.flatMap(({ brought }) => Object.values(brought)),
    ...emissions.map(({ document }) => document),
  ].map((document) => ({ names: referencesIn(document), document }));
  const naming = documents.filter(({ names }) => names.length > 0);
  const isErased = ({ document }: (typeof naming)[number]): boolean => digestOf(document) === digest;
  const others = new Set(
    naming.filter((one) => !isErased(one)).flatMap(({ names }) => names.map((one) => one.digest)),
  );
  const unneeded = naming
    .filter(isErased)
    .flatMap(({ names }) => names.map((one) => one.digest))
    .filter((one) => !others.has(one));
  if (unneeded.length > 0) await blobs.store.erase(taskId, unneeded);
};
