import type { JsonObject } from '../../../../../../schema/formats.ts';

/** Two schemas that real systems have, and what a careful person says of carrying payloads from one to the other. */
export interface Pair {
  /** Such as 'schema.org Person to vCard contact'. */
  readonly name: string;
  /** JSON Schema with descriptions; may have the keywords concepts (string[]), predicate (string), unit (string) on any schema. */
  readonly source: JsonObject;
  readonly target: JsonObject;
  /** CURIE prefixes of their own that both schemas use. */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** Target path to the one right source path; every target leaf that has a right source, and no other. Paths as deriveContext prints them. */
  readonly right: Readonly<Record<string, string>>;
  readonly expects: 'mapping' | 'ambiguous' | 'none';
  /** A payload of the source, and what it should become; only where expects is 'mapping'. */
  readonly example?: { readonly payload: JsonObject; readonly result: JsonObject };
}
