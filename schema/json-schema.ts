import * as z from 'zod';
import { EvidenceObject } from './uaicp/evidence-object.ts';
import { MessageEnvelope } from './uaicp/message-envelope.ts';
import { Outcome } from './uaicp/outcome.ts';
import { Phase } from './uaicp/phase.ts';
import { ReasonCode } from './uaicp/reason-code.ts';
import { RiskTier } from './uaicp/risk-tier.ts';
import { RollbackAction } from './uaicp/rollback-action.ts';
import { VerificationReport } from './uaicp/verification-report.ts';
import { UpFormatMessage } from './upformat/message.ts';
import { OperationalState } from './upformat/operational-state.ts';
import { UpContext } from './upformat/up-context.ts';
import { UpFeedback } from './upformat/up-feedback.ts';
import { UpThought } from './upformat/up-thought.ts';

/** The documents and vocabularies that have a printed JSON Schema, by file name. */
export const documents = {
  'upformat-message': UpFormatMessage,
  'operational-state': OperationalState,
  'up-thought': UpThought,
  'up-feedback': UpFeedback,
  'up-context': UpContext,
  'message-envelope': MessageEnvelope,
  'evidence-object': EvidenceObject,
  'verification-report': VerificationReport,
  'rollback-action': RollbackAction,
  'risk-tier': RiskTier,
  phase: Phase,
  outcome: Outcome,
  'reason-code': ReasonCode,
} as const satisfies Record<string, z.ZodType>;
/** The name of a document or vocabulary in `documents`. */
export type DocumentName = keyof typeof documents;

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns the JSON Schema of each document, self-contained, with the id `urn:agentcharter:schema:<name>`. */
export const jsonSchemas = (): Readonly<Record<DocumentName, JsonSchema>> => {
  const printed = Object.entries(documents).map(([name, schema]) => [
    name,
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:agentcharter:schema:${name}`,
      ...z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }),
    },
  ]);
  return Object.fromEntries(printed) as Record<DocumentName, JsonSchema>;
};
