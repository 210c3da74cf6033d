import type {
  EvidenceObject,
  MessageEnvelope,
  UpFormatMessage,
  VerificationReport,
} from '../../../schema/index.ts';

/** A document that a step emitted, with the name of its schema. */
export type Emission =
  | { readonly name: 'UpFormatMessage'; readonly document: UpFormatMessage }
  /** A message of another participant, as it came: it asks nothing and ends nothing by itself. */
  | { readonly name: 'ReceivedMessage'; readonly document: UpFormatMessage }
  | { readonly name: 'MessageEnvelope'; readonly document: MessageEnvelope }
  | { readonly name: 'EvidenceObject'; readonly document: EvidenceObject }
  | { readonly name: 'VerificationReport'; readonly document: VerificationReport };
