import * as z from 'zod';
import { DateTime, JsonObject, Uuid } from '../formats.ts';
import { OperationalState } from './operational-state.ts';
import { UpContext } from './up-context.ts';
import { UpFeedback } from './up-feedback.ts';
import { UpThought } from './up-thought.ts';

/** A message that declares its sender's operational state with its payload. UpFormat 2.1, Table 1. */
export const UpFormatMessage = z.looseObject({
  messageId: Uuid,
  threadId: Uuid,
  parentMessageId: Uuid.optional(),
  timestamp: DateTime,
  state: OperationalState,
  payload: JsonObject,
  /** The reason for the state, for people. */
  explanation: z.string(),
  agentId: z.string().optional(),
  upThought: UpThought.optional(),
  upFeedback: UpFeedback.optional(),
  upContext: UpContext.optional(),
});
export type UpFormatMessage = z.infer<typeof UpFormatMessage>;
