import type { RequestDocument } from '../ports/ledger.ts';
import type { Flows, Hold, Origin } from '../ports/origin.ts';
import { forbiddenFlows } from './flows.ts';
import type { Provenance } from './provenance.ts';

/** A call, as far as its run and its tool say what it may be. */
export interface TracedCall {
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
export const holdsOn = (
  { tool, input, values, flows = {} }: TracedCall,
  provenance: Provenance,
  mandate: RequestDocument['mandate'],
): readonly Hold[] => [
  ...(isOutside(tool, provenance, mandate)
    ? [{ code: 'MANDATE_EXCEEDED' as const, at: '', why: `${tool} is not among the tools of this run` }]
    : []),
  ...forbiddenFlows(flows, values, provenance.shown, input),
];
