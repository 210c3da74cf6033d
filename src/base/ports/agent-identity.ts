import type { Identity } from '../../../schema/index.ts';

/** An agent as the host authenticated it: two owners may have agents of the same name. */
export type AgentIdentity = Pick<Identity, 'agent_id' | 'owner_id'>;
