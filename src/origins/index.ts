export { defineExtraction } from '../define/extraction.ts';
export type { ExtractionDefinition } from '../define/extraction.ts';
export type { Extraction, ExtractionModel } from '../ports/extraction.ts';
export type {
  Flow,
  Flows,
  Hold,
  Integrity,
  Label,
  Labels,
  Origin,
  OriginPlace,
  OriginsDocument,
  Readers,
  ValueReference,
  WithReferences,
} from '../ports/origin.ts';
export type { SourceListing } from '../ports/model.ts';
