import { digestOfPart } from '../../base/canonical/digest.ts';
import { isErased, type Erasures } from './erasures.ts';
import type { Finding, FindingCode } from './findings.ts';
import { RecordKind, type SealedRecord } from './record-schema.ts';

const none: readonly Finding[] = [];

/** The state of a task that was ended without its chart. */
export const endState = 'cancelled';

const kinds: ReadonlySet<string> = new Set(RecordKind.options);

/** Returns the first rule that a record violates; kinds of other chart versions are not checked. */
const contradictionOf = ({
  kind,
  seq,
  fact,
  code,
  erased,
  snapshot,
  from,
  to,
  documents,
}: SealedRecord): string | undefined => {
  if (!kinds.has(kind)) return undefined;
  const isFact = kind === 'fact';
  const isOpening = seq === 0;
  const isUpgrade = kind === 'upgrade';
  const isEnd = kind === 'end';
  const rules: readonly (true | string)[] = [
    isFact || !isOpening || 'kind: the record that opens a task is a fact',
    !isFact || (fact === null) === isOpening || 'fact: null opens a task, and nothing else',
    kind !== 'orphan' || fact !== null || 'fact: an orphan has one',
    kind !== 'erasure' || fact === null || 'fact: an erasure has none',
    kind !== 'recovery' || fact === null || 'fact: a recovery has none',
    (kind === 'recovery' || fact?.type === 'recovery.started') === (documents['recovery'] !== undefined) ||
      'recovery: a recovery brings one, and nothing else does',
    kind !== 'agent' || fact === null || 'fact: a saved agent state has none',
    (kind === 'agent') === (documents['agentState'] !== undefined) ||
      'agentState: an agent record brings one, and nothing else does',
    kind !== 'message' || fact === null || 'fact: a message has none',
    (kind === 'message') === (documents['message'] !== undefined) ||
      'message: a message record brings one, and nothing else does',
    !isUpgrade || fact === null || 'fact: an upgrade has none',
    !isEnd || fact === null || 'fact: an end has none',
    isUpgrade === (documents['upgrade'] !== undefined) ||
      'upgrade: an upgrade brings one, and nothing else does',
    isEnd === (documents['end'] !== undefined) || 'end: an end brings one, and nothing else does',
    ((isFact || isUpgrade) && !isOpening) ||
      isEnd ||
      from === to ||
      'to: only a fact, an upgrade and an end lead to another state, and the first record leads to none',
    !isEnd || to === endState || 'to: an end leads to cancelled',
    (snapshot === null ? !isOpening && !isUpgrade : isFact || isUpgrade) ||
      'snapshot: the first record and an upgrade lead to one, and other facts may',
    (kind === 'erasure') === (erased !== null) || 'erased: an erasure names a digest, and nothing else does',
    code === null || kind === 'refusal' || kind === 'orphan' || 'code: only a refusal or an orphan has one',
  ];
  return rules.find((rule) => rule !== true);
};

const documentFindings = (
  record: SealedRecord,
  erasures: Erasures,
  isChecked: boolean,
): readonly Finding[] => {
  const { seq } = record;
  const digests = new Map(Object.entries(record.documents));
  const brought = new Map(Object.entries(record.brought));
  const found = (code: FindingCode, message: string): Finding => ({ seq, code, message });
  const names = [...new Set([...digests.keys(), ...brought.keys()])].toSorted();
  return names.flatMap((name) => {
    const sealed = digests.get(name);
    const wasErased = sealed !== undefined && isErased(erasures, sealed, seq);
    if (!brought.has(name)) {
      return wasErased ? [] : [found('document_missing', `${name} is missing, and was not erased`)];
    }
    if (!isChecked && (sealed === undefined || digestOfPart(brought.get(name)) !== sealed)) {
      return [found('document_edited', `${name} is not what was sealed`)];
    }
    return wasErased ? [found('document_kept', `${name} was erased, but still exists`)] : [];
  });
};

/** Returns whether a record has every document that was sealed, and no erasure could have removed one. */
const isWhole = ({ brought, documents }: SealedRecord, erasures: Erasures): boolean =>
  erasures.size === 0 && Object.keys(brought).length === Object.keys(documents).length;

/**
 * Returns the problems inside a record whose own hash is right: its kind, and its documents against their digests.
 * `isChecked` says that each document that it brought has the sealed digest.
 */
export const contentFindings = (
  record: SealedRecord,
  erasures: Erasures,
  isChecked: boolean,
): readonly Finding[] => {
  const contradiction = contradictionOf(record);
  const isFine = isChecked && isWhole(record, erasures);
  const documents = isFine ? none : documentFindings(record, erasures, isChecked);
  if (contradiction === undefined) return documents;
  return [{ seq: record.seq, code: 'inconsistent', message: contradiction }, ...documents];
};
