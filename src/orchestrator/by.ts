import * as z from 'zod';
import { Identifier } from '../../schema/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import type { Actor, Person } from '../ports/ledger.ts';
import type { By } from './surface.ts';

const kind = z.enum(['system', 'agent', 'human']).default('human');
const Named = z.looseObject({ by: Identifier, kind });
const Known = z.looseObject({ by: z.looseObject({ id: Identifier }), kind });

/** Returns all that is known of whom the host has authenticated, frozen. Throws `document_invalid` or `input_unreadable`. */
export const personOf = ({ by }: By): Person => {
  if (!isObject(by)) return Object.freeze({ id: parseDocument('By', Named, { by }).by });
  const copy = frozenCopy(by, 'By');
  parseDocument('By', Known, { by: copy });
  return copy as Person; // what was read, and not what zod makes of it: that is not frozen
};

/** Returns who acts, as a record names them. Throws `document_invalid` or `input_unreadable`. */
export const actorOf = (who: By): Actor => ({
  kind: parseDocument('By', z.looseObject({ kind }), who).kind,
  id: personOf(who).id,
});
