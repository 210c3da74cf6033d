import { minute, passes, type Setup } from '../world.ts';
import { approve, call, cancel, elsewhere, fails, pass, reports } from './parts.ts';

/** A verifier that fails the first time and then passes. */
const passesLater: Setup['verifiers'] = {
  totals: (time) => ({
    status: time === 0 ? 'fail' : 'pass',
    checks: [{ check_id: 'sum', result: time === 0 ? 'fail' : 'pass' }],
  }),
};

const asDelivered = ['{"total"', ':100}'];

/** Scenarios of phases: delivery, failure, repair, streaming (UAICP 3, 4, 9). */
export const runScenarios = {
  'everything in order': {},
  'a read that fails': { answers: { 'ledger.read': 'throws' } },
  'facts after the end': { needs: ['cancel'], steps: [cancel, approve()] },
  'a read that has not answered yet': {
    plan: () => [call('ledger.read'), call('rates.read')],
    answers: { 'rates.read': 'held' },
    steps: ['release'],
  },
  'a read that never answers': {
    needs: ['deadlines'],
    answers: { 'ledger.read': 'held' },
    steps: [pass(2 * minute)],
  },
  'a verifier that fails first': { needs: ['verifiers', 'repair'], verifiers: passesLater, repairs: 1 },
  'a verifier that always fails, with one repair': {
    needs: ['verifiers', 'repair'],
    verifiers: { totals: fails },
    repairs: 1,
  },
  'a verifier that always fails, with three repairs': {
    needs: ['verifiers', 'repair'],
    verifiers: { totals: fails },
    repairs: 3,
  },
  'a repair that does not read again': {
    needs: ['verifiers', 'repair'],
    verifiers: passesLater,
    plan: (attempt) => (attempt === 0 ? [call('ledger.read')] : []),
    repairs: 1,
  },
  'a run that is nested in another': { parent_trace_id: elsewhere.trace_id },
  'a streamed draft': { needs: ['streaming'], chunks: asDelivered },
  'a streamed draft that does not pass': {
    needs: ['streaming', 'verifiers'],
    chunks: asDelivered,
    verifiers: { totals: reports('fail', 'fail') },
  },
  'an envelope from outside': { needs: ['versions'], chunks: asDelivered, admits: true },
  'two verifiers': {
    needs: ['verifiers'],
    verifiers: { totals: passes, signs: passes },
    beforeDeliver: { verifiers: ['totals', 'signs'] },
  },
} satisfies Readonly<Record<string, Setup>>;
