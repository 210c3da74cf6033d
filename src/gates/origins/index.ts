export { defineExtraction } from '../../base/define/extraction.ts';
export type { ExtractionDefinition } from '../../base/define/extraction.ts';
export type { Extraction, ExtractionModel } from '../../base/ports/extraction.ts';
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
} from '../../base/ports/origin.ts';
export type { SourceListing } from '../../base/ports/model.ts';
