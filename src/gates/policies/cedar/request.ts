import type { CedarValueJson, Context } from '@cedar-policy/cedar-wasm/nodejs';
import type { EvidenceObject } from '../../../../schema/index.ts';
import { isVouching } from '../../origins/flows.ts';
import { labelOfEvidence } from '../../origins/sources.ts';
import type { PolicyRequest } from '../../../base/ports/policy.ts';
import type { RequestEntity } from './entities.ts';
import { cedarValue } from './value.ts';

/** The action of every request. */
export const action = { type: 'Action', id: 'call' };

/** Returns the agent: the host's attestation and the submitted identity. */
export const agentOf = ({ identity, attestation }: PolicyRequest): RequestEntity => ({
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
export const toolOf = ({ action: id, version, tier }: PolicyRequest): RequestEntity => ({
  uid: { type: 'Tool', id },
  attrs: { version, tier },
  parents: [],
});

const isTrusted = (evidence: EvidenceObject): boolean => labelOfEvidence(evidence).integrity === 'trusted';

/** Returns where the arguments come from: for each value, the places that vouch for it. */
const originsOf = ({ origins }: PolicyRequest) =>
  (origins?.values ?? [])
    .filter(({ isName }) => isName !== true) // a record here speaks for the value at its place
    .map((value) => ({
      at: value.at,
      integrity: value.integrity,
      from: value.found
        .filter((place) => isVouching(place, value, value.integrity === 'trusted'))
        .map(({ source }) => source),
    }));

const evidenceOf = (evidence: readonly EvidenceObject[]) =>
  evidence.map(({ evidence_type: type, source }) => ({ type, source }));

/** What a policy may have in its context beyond what each one has. */
const further = {
  request: ({ request }: PolicyRequest) => cedarValue(request),
  confidence: ({ confidence }: PolicyRequest) => String(confidence),
  identical: ({ identical }: PolicyRequest) => identical,
  origins: originsOf,
  trustedEvidence: ({ evidence }: PolicyRequest) => evidenceOf(evidence.filter(isTrusted)),
} as const satisfies Readonly<Record<string, (asked: PolicyRequest) => CedarValueJson>>;

/** A further member of the context: the payload of the request, the plan's confidence as a text, the identical writes before, where arguments come from, the trusted evidence. */
export type ContextMember = keyof typeof further;

/** The names of the further members. */
export const contextMembers = Object.keys(further) as readonly ContextMember[]; // its own keys

/** Returns the context of the call, with these further members. */
export const contextOf = (asked: PolicyRequest, members: readonly ContextMember[]): Context => ({
  arguments: cedarValue(asked.arguments),
  taskClass: asked.taskClass,
  rollback: asked.rollback !== null,
  evidence: evidenceOf(asked.evidence),
  ...Object.fromEntries(members.map((name) => [name, further[name](asked)])),
});
