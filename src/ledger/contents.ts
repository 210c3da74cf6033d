import { digestOfPart } from '../canonical/digest.ts';
import { isErased, type Erasures } from './erasures.ts';
import type { Finding, FindingCode } from './findings.ts';
import { RecordKind, type SealedRecord } from './record-schema.ts';

/** The state of a task that was ended without its chart. */
export const endState = 'cancelled';

/** Returns the rules that a record violates; kinds of other chart versions are not checked. */
const contradictionsOf = ({ kind, seq, fact, code, erased, snapshot, from, to, documents }: SealedRecord) => {
  if (!RecordKind.safeParse(kind).success) return [];
  const isFact = kind === 'fact';
  const isOpening = seq === 0;
  const isUpgrade = kind === 'upgrade';
  const isEnd = kind === 'end';
  const rules: Readonly<Record<string, boolean>> = {
    'kind: the record that opens a task is a fact': isFact || !isOpening,
    'fact: null opens a task, and nothing else': !isFact || (fact === null) === isOpening,
    'fact: an orphan has one': kind !== 'orphan' || fact !== null,
    'fact: an erasure has none': kind !== 'erasure' || fact === null,
    'fact: a recovery has none': kind !== 'recovery' || fact === null,
    'recovery: a recovery brings one, and nothing else does':
      (kind === 'recovery' || fact?.type === 'recovery.started') === (documents['recovery'] !== undefined),
    'fact: a saved agent state has none': kind !== 'agent' || fact === null,
    'agentState: an agent record brings one, and nothing else does':
      (kind === 'agent') === (documents['agentState'] !== undefined),
    'fact: a message has none': kind !== 'message' || fact === null,
    'message: a message record brings one, and nothing else does':
      (kind === 'message') === (documents['message'] !== undefined),
    'fact: an upgrade has none': !isUpgrade || fact === null,
    'fact: an end has none': !isEnd || fact === null,
    'upgrade: an upgrade brings one, and nothing else does':
      isUpgrade === (documents['upgrade'] !== undefined),
    'end: an end brings one, and nothing else does': isEnd === (documents['end'] !== undefined),
    'to: only a fact, an upgrade and an end lead to another state, and the first record leads to none':
      ((isFact || isUpgrade) && !isOpening) || isEnd || from === to,
    'to: an end leads to cancelled': !isEnd || to === endState,
    'snapshot: the first record and an upgrade lead to one, and other facts may':
      (snapshot !== null || !(isOpening || isUpgrade)) && (snapshot === null || isFact || isUpgrade),
    'erased: an erasure names a digest, and nothing else does': (kind === 'erasure') === (erased !== null),
    'code: only a refusal or an orphan has one': code === null || kind === 'refusal' || kind === 'orphan',
  };
  return Object.keys(rules).filter((rule) => rules[rule] === false);
};

/**
 * Returns the problems inside a record whose own hash is right: its kind, and its documents against their digests.
 */
export const contentFindings = (record: SealedRecord, erasures: Erasures): readonly Finding[] => {
  const { seq } = record;
  const digests = new Map(Object.entries(record.documents));
  const brought = new Map(Object.entries(record.brought));
  const found = (code: FindingCode, message: string): Finding => ({ seq, code, message });
  const [contradiction] = contradictionsOf(record);
  const names = [...new Set([...digests.keys(), ...brought.keys()])].toSorted();
  return [
    ...(contradiction === undefined ? [] : [found('inconsistent', contradiction)]),
    ...names.flatMap((name) => {
      const sealed = digests.get(name);
      const wasErased = sealed !== undefined && isErased(erasures, sealed, seq);
      if (!brought.has(name)) {
        return wasErased ? [] : [found('document_missing', `${name} is missing, and was not erased`)];
      }
      if (sealed === undefined || digestOfPart(brought.get(name)) !== sealed) {
        return [found('document_edited', `${name} is not what was sealed`)];
      }
      return wasErased ? [found('document_kept', `${name} was erased, but still exists`)] : [];
    }),
  ];
};
