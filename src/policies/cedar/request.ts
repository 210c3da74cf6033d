import type { Context } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyRequest } from '../../ports/policy.ts';
import type { FullEntity } from './entities.ts';
import { cedarValue } from './value.ts';

/** The action of every request. */
export const action = { type: 'Action', id: 'call' };

/** Returns the agent: the host's attestation and the submitted identity. */
export const agentOf = ({ identity, attestation }: PolicyRequest): FullEntity => ({
  uid: { type: 'Agent', id: identity.agent_id },
  attrs: {
    owner: identity.owner_id,
    controlClass: identity.control_class,
    attestation,
    ...(identity.user_id !== undefined && { user: identity.user_id }),
  },
  parents: [],
});

/** Returns the tool of the call. */
export const toolOf = ({ action: id, version, tier }: PolicyRequest): FullEntity => ({
  uid: { type: 'Tool', id },
  attrs: { version, tier },
  parents: [],
});

/** Returns the context of the call. */
export const contextOf = ({ taskClass, rollback, evidence, arguments: given }: PolicyRequest): Context => ({
  arguments: cedarValue(given),
  taskClass,
  rollback: rollback !== null,
  evidence: evidence.map(({ evidence_type: type, source }) => ({ type, source })),
});
