import { Identifier } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { digest } from '../../base/canonical/digest.ts';
import type { Keyed } from '../../core/shell/surface.ts';
import type { Asked } from './route.ts';

/** The header that makes retries safe. */
export const keyHeader = 'idempotency-key';

/** Returns the idempotency key of a request, scoped to its caller. Throws `document_invalid`. */
export const keyIn = ({ caller, headers }: Pick<Asked, 'caller' | 'headers'>): Keyed => {
  const given = headers.get(keyHeader);
  return given === null ? {} : { key: digest([caller, parseDocument('Idempotency-Key', Identifier, given)]) };
};
