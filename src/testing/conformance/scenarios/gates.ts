import { minute, passes, type Setup } from '../world.ts';
import {
  approve,
  at,
  call,
  elsewhere,
  fails,
  foreign,
  long,
  madeElsewhere,
  pass,
  plansToSend,
  reports,
} from './parts.ts';

const elsewhereMade = (changed: Parameters<typeof foreign>[0]): Setup => ({
  needs: ['foreign evidence'],
  answers: { 'ledger.read': foreign(changed) },
});

const judgedBy = (totals: NonNullable<Setup['verifiers']>[string]): Setup => ({
  needs: ['verifiers'],
  verifiers: { totals },
});

/** Scenarios of evidence and verification (UAICP 5.1, 5.2). */
export const gateScenarios = {
  'no evidence': { plan: () => [] },
  'evidence of another tool': { plan: () => [call('rates.read')] },
  'evidence of another party': elsewhereMade({}),
  'a hash of another payload': elsewhereMade({ payload: { total: 100_000 } }),
  'a hash that is no hash': elsewhereMade({ hash: 'sha256:verified' }),
  'evidence of another request': elsewhereMade({ request_id: elsewhere.request_id }),
  'evidence of another trace': elsewhereMade({ trace_id: elsewhere.trace_id }),
  'evidence from the future': elsewhereMade((now) => ({ collected_at: at(now, long) })),
  'evidence that is too old': elsewhereMade((now) => ({ collected_at: at(now, -long) })),
  'evidence that is no evidence object': elsewhereMade({ source: '', collected_at: 'yesterday' }),
  'evidence that grows old while a person decides': {
    needs: ['approvals'],
    plan: plansToSend,
    beforeWrite: { evidence: ['ledger.read'] },
    steps: [pass(120 * minute), approve()],
  },
  'evidence that no call has brought': {
    needs: ['foreign evidence', 'approvals'],
    plan: plansToSend,
    beforeDeliver: { evidence: ['ledger.read', 'rates.read'] },
    steps: [
      (asked) => ({ type: 'evidence.arrived', evidence: madeElsewhere('rates.read', asked) }),
      approve(),
    ],
  },
  'a verifier that fails': judgedBy(fails),
  'two verifiers, of which the second fails': {
    needs: ['verifiers'],
    verifiers: { totals: passes, signs: fails },
    beforeDeliver: { verifiers: ['totals', 'signs'] },
  },
  'a partial report': judgedBy(reports('partial', 'pass')),
  'a check that was skipped': judgedBy(reports('pass', 'skip')),
  'a pass beside a check that failed': judgedBy(reports('pass', 'fail')),
  'a pass without any check': judgedBy(() => ({ status: 'pass', checks: [] })),
  'a verifier that throws': judgedBy('throws'),
  'a verifier that never answers': {
    needs: ['verifiers', 'deadlines'],
    verifiers: { totals: 'held' },
    steps: [pass(2 * minute)],
  },
} satisfies Readonly<Record<string, Setup>>;
