import type { HeldCode } from '../../../machines/index.ts';
import type { RequestDocument } from '../../base/ports/ledger.ts';
import type { Flows, Hold, Origin, OriginsDocument } from '../../base/ports/origin.ts';
import { forbiddenFlows } from './flows.ts';
import { shownUnendorsed, type Provenance } from './provenance.ts';

/** The version of the rules for origins. Raise it when they find another value, find one elsewhere, or judge it otherwise. */
export const originsVersion = 3;

/** A call, the origins of its values, and what its tool accepts. */
interface JudgedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly values: readonly Origin[];
  readonly flows?: Flows | undefined;
}

/** Returns whether the tools of a run were fixed, and this is none of them. */
const isOutside = (
  tool: string,
  { mandated, shown }: Provenance,
  mandate: RequestDocument['mandate'],
): boolean => {
  if (mandate === undefined) return false;
  if (mandate !== 'plan') return !mandate.includes(tool);
  return shown.integrity !== 'trusted' && !mandated.includes(tool);
};

/** Returns why a call is held; nothing if it may go on. */
const holdsOn = (
  { tool, input, values, flows = {} }: JudgedCall,
  provenance: Provenance,
  mandate: RequestDocument['mandate'],
): readonly Hold[] => [
  ...(isOutside(tool, provenance, mandate)
    ? [{ code: 'MANDATE_EXCEEDED' as const, at: '', why: `${tool} is not among the tools of this run` }]
    : []),
  ...forbiddenFlows(flows, values, shownUnendorsed(provenance), input),
];

/** Returns what is recorded of a call's origins, with why it is held. */
export const judgedOrigins = (
  call: JudgedCall,
  provenance: Provenance,
  mandate: RequestDocument['mandate'],
): OriginsDocument => {
  const { values, flows } = call;
  const holds = holdsOn(call, provenance, mandate);
  return {
    version: originsVersion,
    shown: shownUnendorsed(provenance),
    values,
    ...(flows && { flows }),
    ...(holds.length > 0 && { holds }),
  };
};

/** Returns the reason codes of a call that is held, each once. */
export const heldCodes = ({ holds = [] }: OriginsDocument): readonly HeldCode[] => [
  ...new Set(holds.map(({ code }) => code)),
];
