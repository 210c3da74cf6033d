import { isObject } from '../../../base/boundary/is-object.ts';
import { textOfFixed } from '../../../base/canonical/canonicalize.ts';
import { digestOfPart } from '../../../base/canonical/digest.ts';
import type { Contradiction, Finding, Stated } from '../findings.ts';

/** The document of a contradiction: one that a record brought, or the record itself. */
export type Stating = Contradiction['document'];

/** Compares a member of a document with what another place of the ledger says; `undefined` there is not compared. */
export type Compare = (
  document: Stating,
  member: string,
  found: unknown,
  expected: unknown,
  /** The other place, as a message names it. */
  place: string,
) => void;

/** Returns a member of a document whose form is not known; `undefined` for none. */
export const memberOf = (document: unknown, name: string): unknown =>
  isObject(document) && Object.hasOwn(document, name) ? document[name] : undefined;

/** The longest text of a member in a finding. */
const longest = 128;

/** Returns a member as a finding names it: a long text and a container by their digest. */
const statedOf = (value: unknown): Stated => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value.length <= longest ? value : digestOfPart(value);
};

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'object' &&
    typeof other === 'object' &&
    one !== null &&
    other !== null &&
    textOfFixed(one) === textOfFixed(other));

const words = ({ document, member, found, expected }: Contradiction, place: string): string =>
  `${document}${member}: it says ${JSON.stringify(found)}, and ${place} ${JSON.stringify(expected)}`;

/** Returns a comparison that adds each contradiction of a record to a list. */
export const comparisonOf =
  (seq: number, findings: Finding[]): Compare =>
  (document, member, found, expected, place) => {
    if (expected === undefined || isSame(found ?? null, expected)) return;
    const contradiction = { document, member, found: statedOf(found), expected: statedOf(expected) };
    findings.push({ seq, code: 'contradictory', message: words(contradiction, place), contradiction });
  };
