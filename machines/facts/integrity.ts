import { Identifier, ReasonCode, Uuid } from '../../schema/index.ts';
import { failing } from '../change.ts';
import type { Context } from '../context.ts';
import { callsOf } from '../owed.ts';
import { fact } from './family.ts';
import { digest } from './fields.ts';

/** How evidence differs from what was collected: its hash, or the call that it belongs to. */
const Fault = ReasonCode.extract(['EVIDENCE_HASH_MISMATCH', 'EVIDENCE_FOREIGN']);

/** A run that fails relies on no document any more. */
const relies = (c: Context, request: string): boolean => request === c.request && c.reasons.length === 0;

/** A stored document is not the one that the run relies on: the run fails. */
export const integrityFacts = [
  fact(
    'evidence.changed',
    'UAICP 5.1',
    { request: Uuid, evidence: Identifier, code: Fault },
    {
      accepts: (c, { request, evidence: id }) =>
        relies(c, request) && callsOf(c).some(({ evidence }) => evidence?.id === id),
      apply: (c, { evidence, code }) => failing(c, { code, about: evidence }),
    },
  ),
  fact(
    'output.changed',
    'UAICP 5.2',
    { request: Uuid, digest },
    {
      accepts: (c, { request }) => relies(c, request),
      apply: (c, { digest: about }) => failing(c, { code: 'OUTPUT_CHANGED', about }),
    },
  ),
] as const;
