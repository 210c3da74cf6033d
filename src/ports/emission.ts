import type {
  EvidenceObject,
  MessageEnvelope,
  UpFormatMessage,
  VerificationReport,
} from '../../schema/index.ts';

/** A document that a step emitted, with the name of its schema. */
export type Emission =
  | { readonly name: 'UpFormatMessage'; readonly document: UpFormatMessage }
  | { readonly name: 'MessageEnvelope'; readonly document: MessageEnvelope }
  | { readonly name: 'EvidenceObject'; readonly document: EvidenceObject }
  | { readonly name: 'VerificationReport'; readonly document: VerificationReport };
