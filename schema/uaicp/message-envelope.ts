import * as z from 'zod';
import { DateTime, JsonObject, Uuid } from '../formats.ts';
import { Outcome } from './outcome.ts';
import { Phase } from './phase.ts';
import { RollbackAction } from './rollback-action.ts';

/** How independently of a person an agent acts. UAICP 6, message-envelope schema. */
export const ControlClass = z.enum(['autonomous', 'human-supervised', 'human-directed']);
export type ControlClass = z.infer<typeof ControlClass>;

const Name = z.string().min(1);

/** The acting agent and its responsible owner. UAICP 5.4, message-envelope schema. */
export const Identity = z.looseObject({
  agent_id: Name,
  owner_id: Name,
  user_id: Name.optional(),
  control_class: ControlClass,
});
export type Identity = z.infer<typeof Identity>;

/** The chunk of a stream that an envelope belongs to. UAICP 4.2. */
export const Streaming = z.looseObject({
  chunk_id: z.string().optional(),
  is_final: z.boolean().optional(),
  stream_index: z.int().optional(),
});
export type Streaming = z.infer<typeof Streaming>;

/** One published step of an execution. Only `metadata` accepts extensions. UAICP 6. */
export const MessageEnvelope = z.strictObject({
  uaicp_version: z.string(),
  request_id: Uuid,
  trace_id: Name,
  /** The orchestrator's trace that this execution is nested in. UAICP 4.3. */
  parent_trace_id: Name.optional(),
  state: Phase,
  timestamp: DateTime,
  identity: Identity,
  outcome: Outcome,
  streaming: Streaming.optional(),
  rollback_action: RollbackAction.optional(),
  /** Extensions, under namespaced keys. */
  metadata: JsonObject.optional(),
});
export type MessageEnvelope = z.infer<typeof MessageEnvelope>;
