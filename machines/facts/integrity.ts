import { Identifier, ReasonCode, Uuid } from '../../schema/index.ts';
import { failing } from '../change.ts';
import type { Context } from '../context.ts';
import { runOf } from '../owed.ts';
import { family } from './family.ts';
import { digest } from './fields.ts';

/** How stored evidence differs from what was collected: in its hash, or in the call that it belongs to. */
const Fault = ReasonCode.extract(['EVIDENCE_HASH_MISMATCH', 'EVIDENCE_FOREIGN']);

/** Returns whether a request is the current one and still relies on its documents. A run that fails does not. */
const relies = (c: Context, request: string): boolean => request === c.request && c.reasons.length === 0;

/** The facts that a stored document is not the one that the run relies on. They fail the run. */
export const integrityFacts = family({
  'evidence.changed': {
    cites: 'UAICP 5.1',
    shape: { request: Uuid, evidence: Identifier, code: Fault },
    accepts: (c, { request, evidence: id }) =>
      relies(c, request) && runOf(c).calls.some(({ evidence }) => evidence?.id === id),
    apply: (c, { evidence, code }) => failing(c, { code, about: evidence }),
    isRepeatable: () => true,
    says: ({ code }) => `recorded evidence was changed (${code})`,
  },
  'output.changed': {
    cites: 'UAICP 5.2',
    shape: { request: Uuid, digest },
    accepts: (c, { request }) => relies(c, request),
    apply: (c, { digest: about }) => failing(c, { code: 'OUTPUT_CHANGED', about }),
    isRepeatable: () => true,
    says: () => 'the recorded draft was changed',
  },
});
