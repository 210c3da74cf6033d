import { boundsFor } from '../../base/canonical/blobs.ts';
import { deepFreeze, type Bounds } from '../../base/canonical/deep-freeze.ts';
import { frozenCopy, stateBounds, valueBounds } from '../../base/canonical/freeze.ts';
import { unreadable } from '../../base/canonical/unreadable.ts';
import { markedLines } from '../../base/text/foreign-text.ts';

/** The kind of a document that may contain sensitive data. */
export type RedactedKind = 'request' | 'result' | 'feedback' | 'explanation' | 'agentState';

/**
 * Removes sensitive data from a document before it is hashed, used or stored. No one can see the removed data later,
 * including the model. The document is frozen; return plain JSON data of the same kind.
 */
export type Redact = (document: unknown, kind: RedactedKind) => unknown;

export const nothingRedacted: Redact = (document) => document;

const boundsOf = (kind: RedactedKind, most: number | undefined): Bounds => {
  if (kind === 'agentState') return boundsFor(most, stateBounds);
  return kind === 'result' ? boundsFor(most, valueBounds) : valueBounds;
};

/**
 * Returns a redaction whose result is checked like input. Its errors are replaced, because they could quote
 * sensitive data. `most` is the text of a result or state that is not cut.
 */
export const strictRedaction =
  (redact: Redact, most?: number): Redact =>
  (document, kind) => {
    let kept: unknown;
    try {
      kept = redact(deepFreeze(document), kind);
    } catch {
      throw unreadable(kind, [], 'it could not be redacted', 'a redaction that answers');
    }
    return frozenCopy(kept, kind, boundsOf(kind, most));
  };

/** Redacts a text. If the redaction fails, the text is withheld, so that the fact can still be recorded. */
export const redactedText = (redact: Redact, text: string): string => {
  try {
    const kept = redact(text, 'explanation');
    if (typeof kept === 'string') return kept;
  } catch {
    // the text must not be kept either
  }
  return 'Withheld: it could not be redacted.';
};

/**
 * Returns a foreign explanation, reason or detail for a record: redacted, then marked as foreign text, because
 * questions, messages and the ledger show it as it is.
 */
export const recordedText = (redact: Redact, text: string): string => markedLines(redactedText(redact, text));
