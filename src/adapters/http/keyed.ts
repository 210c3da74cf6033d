import { Identifier } from '../../../schema/index.ts';
import { parseDocument } from '../../boundary/parse-document.ts';
import { digest } from '../../canonical/digest.ts';
import type { Keyed } from '../../orchestrator/surface.ts';
import type { Asked } from './route.ts';

/** The header that makes a repeated request harmless. */
export const keyHeader = 'idempotency-key';

/** The key of a request, kept apart from those of other callers. Throws `document_invalid`. */
export const keyIn = ({ caller, headers }: Pick<Asked, 'caller' | 'headers'>): Keyed => {
  const given = headers.get(keyHeader);
  return given === null ? {} : { key: digest([caller, parseDocument('Idempotency-Key', Identifier, given)]) };
};
