import type { PolicyRequest } from '../../../../src/base/ports/policy.ts';

/** A write of an agent that is supervised by a person and attested by the host. */
export const request: PolicyRequest = {
  action: 'mail.send',
  version: '1',
  arguments: { to: 'dana@example.org', amount: 5 },
  tier: 'write_low_risk',
  rollback: null,
  identity: { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' },
  attestation: 'vouched',
  taskClass: 'letters',
  requestId: '00000000-0000-4000-8000-000000000000',
  request: {},
  confidence: 0.9,
  identical: 0,
  origins: null,
  evidence: [],
};

/** Returns the error of an invalid definition. */
export const refusalOf = (define: () => unknown): unknown => {
  try {
    return define();
  } catch (error) {
    return error;
  }
};

export const options = { signal: new AbortController().signal };
