import { markedLines } from '../boundary/foreign-text.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { unreadable } from '../canonical/unreadable.ts';

/** What a document is that may hold what nobody should keep. */
export type RedactedKind = 'request' | 'result' | 'feedback' | 'explanation';

/**
 * Takes out of a document what may not be kept, before it is hashed, used or stored: what is taken out here is gone for
 * everybody, the model included. What it is given is frozen; it returns plain JSON data of the same kind.
 */
export type Redact = (document: unknown, kind: RedactedKind) => unknown;

export const nothingRedacted: Redact = (document) => document;

/** A redaction whose answer is read as strictly as what came in; one that throws could quote what it was to take out. */
export const strictRedaction =
  (redact: Redact): Redact =>
  (document, kind) => {
    let kept: unknown;
    try {
      kept = redact(deepFreeze(document), kind);
    } catch {
      throw unreadable(kind, [], 'it could not be redacted', 'a redaction that answers');
    }
    return frozenCopy(kept, kind);
  };

/** What may be kept of words; nothing, where the redaction fails: a fact is not lost for want of its explanation. */
export const redactedText = (redact: Redact, text: string): string => {
  try {
    const kept = redact(text, 'explanation');
    if (typeof kept === 'string') return kept;
  } catch {
    // whatever it was about to take out must not be kept either
  }
  return 'Withheld: it could not be redacted.';
};

/**
 * What a record keeps of an explanation, a reason or a detail that somebody gave: redacted first, then as people can trust
 * it, for questions, messages and the ledger show it as it stands.
 */
export const recordedText = (redact: Redact, text: string): string => markedLines(redactedText(redact, text));
