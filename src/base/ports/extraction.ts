import type { JsonObject } from '../../../schema/index.ts';

/** What a second model reads. */
export interface Extraction {
  /** Values from untrusted sources. */
  readonly values: unknown;
  /** What the first model wants to know of them. */
  readonly instruction: string;
  /** The JSON Schema of the answer; `null` if its library prints none. */
  readonly schema: JsonObject | null;
}

/** A second model: it reads what the first one is not shown, returns values, and has no tools. */
export interface ExtractionModel {
  readonly extract: (extraction: Extraction, options: { readonly signal: AbortSignal }) => Promise<unknown>;
}
