import type { UpFormatMessage } from '../../../schema/index.ts';
import { digest } from '../../base/canonical/digest.ts';
import type { SealedRecord } from './record-schema.ts';

/** The erased documents of a ledger: by digest, the number of the last erasure. */
export type Erasures = ReadonlyMap<string, number>;

export const erasuresIn = (records: readonly Pick<SealedRecord, 'erased' | 'seq'>[]): Erasures => {
  const erasures = new Map<string, number>();
  for (const { erased, seq } of records) if (erased !== null) erasures.set(erased, seq);
  return erasures;
};

/** Returns whether a document of the record `seq` was erased after it. */
export const isErased = (erasures: Erasures, digest: string, seq: number): boolean =>
  (erasures.get(digest) ?? -1) > seq;

/** Returns an erased message without its content. */
const erasedMessage = ({
  messageId,
  threadId,
  parentMessageId,
  timestamp,
  state,
}: UpFormatMessage): UpFormatMessage => ({
  messageId,
  threadId,
  ...(parentMessageId !== undefined && { parentMessageId }),
  timestamp,
  state,
  payload: {},
  explanation: 'This message was erased.',
});

/** Returns messages, those of an erased digest without their content. */
export const withoutErased = (
  messages: readonly UpFormatMessage[],
  erased: string,
): readonly UpFormatMessage[] => messages.map((one) => (digest(one) === erased ? erasedMessage(one) : one));
