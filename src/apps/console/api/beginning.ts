import { argumentsLine } from '../../../base/boundary/call-sentence.ts';
import { oneLine } from '../../../base/text/foreign-text.ts';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import type { Beginning } from '../wire.ts';

/** The maximum of characters of a request in a list. */
const cut = 240;

/** Returns when a task began and what was requested: the explanation of the request, else its payload on a line. */
export const beginningOf = ([opening]: readonly LedgerRecord[]): Beginning => {
  const { explanation = '', payload = {} } = opening?.brought.request ?? {};
  const about = explanation.trim() === '' ? argumentsLine(payload) : oneLine(explanation);
  return { began: opening?.timestamp ?? null, about: about.slice(0, cut) };
};
