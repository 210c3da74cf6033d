import type { Context } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyRequest } from '../../ports/policy.ts';
import type { FullEntity } from './entities.ts';
import { cedarValue } from './value.ts';

/** The one thing that an agent does to a tool. */
export const action = { type: 'Action', id: 'call' };

/** Who asks: what the host says of the agent, and what the agent submitted. */
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

/** The tool that is to be called. */
export const toolOf = ({ action: id, version, tier }: PolicyRequest): FullEntity => ({
  uid: { type: 'Tool', id },
  attrs: { version, tier },
  parents: [],
});

/** What the call is made with and under. */
export const contextOf = ({ taskClass, rollback, evidence, arguments: given }: PolicyRequest): Context => ({
  arguments: cedarValue(given),
  taskClass,
  rollback: rollback !== null,
  evidence: evidence.map(({ evidence_type: type, source }) => ({ type, source })),
});
