import { invalidText } from '../../../base/boundary/parse-document.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import { CharterError } from '../../../base/errors.ts';

/** The place of a value in the message that a document becomes. */
export type Keys = readonly (string | number)[];

/** Returns the error for JSON-LD that does not say an UpFormat message. */
export function refuseLinked(at: Keys, message: string): CharterError<'document_invalid'> {
  const issues = [{ path: pointerTo(at), message }];
  return new CharterError('document_invalid', invalidText('JSON-LD', issues), {
    document: 'JSON-LD',
    issues,
  });
}
