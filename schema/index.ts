export { correspondences, fieldCorrespondences } from './bridge.ts';
export type { Correspondence, FieldCorrespondence } from './bridge.ts';
export { DateTime, Identifier, JsonObject, JsonPointer, JsonValue, Uuid } from './formats.ts';
export { documents, jsonSchemas } from './json-schema.ts';
export type { DocumentName, JsonSchema } from './json-schema.ts';
export { EvidenceObject, EvidenceType } from './uaicp/evidence-object.ts';
export { ControlClass, Identity, MessageEnvelope, Streaming } from './uaicp/message-envelope.ts';
export { Outcome } from './uaicp/outcome.ts';
export { Phase } from './uaicp/phase.ts';
export { PublishedReasonCode, ReasonCode, reasonMeaning } from './uaicp/reason-code.ts';
export { RiskTier } from './uaicp/risk-tier.ts';
export { RollbackAction } from './uaicp/rollback-action.ts';
export { VerificationCheck, VerificationReport } from './uaicp/verification-report.ts';
export { UpFormatMessage } from './upformat/message.ts';
export { OperationalState } from './upformat/operational-state.ts';
export { Annotation, JsonPatch, MergePatch, TextEdit } from './upformat/revision.ts';
export { UpContext } from './upformat/up-context.ts';
export {
  FeedbackContent,
  FeedbackTarget,
  FeedbackType,
  Ranking,
  UpFeedback,
} from './upformat/up-feedback.ts';
export { UpThought } from './upformat/up-thought.ts';
