import { minute, passes, type Setup, type Step } from '../world.ts';
import { approve, approver, call, cancel, elsewhere, fails, plansToSend, sending } from './parts.ts';

const adding = (line: number) => call('note.add', { line });

/** Returns a plan that reads and adds two notes. */
const plansToAdd = () => [call('ledger.read'), adding(1), adding(2)];

const sends = (...steps: readonly Step[]): Setup => ({ needs: ['approvals'], plan: plansToSend, steps });

/** Scenarios of writes (UAICP 5.3, 7). */
export const writeScenarios = {
  'a read, where the policy denies everything': { policy: 'deny' },
  'a low-risk write': { plan: plansToAdd },
  'a low-risk write, denied': { needs: ['policy'], plan: plansToAdd, policy: 'deny' },
  'a low-risk write, and a policy that throws': { needs: ['policy'], plan: plansToAdd, policy: 'throws' },
  'a write that nobody has approved': { plan: plansToSend },
  'an approved write': sends(approve()),
  'an approved write, denied': { ...sends(approve()), needs: ['approvals', 'policy'], policy: 'deny' },
  'an approval of other arguments': sends(
    approve({ action: call('money.send', { to: 'harbour', cents: 1 }) }),
  ),
  'an approval of another request': sends(approve({ request_id: elsewhere.request_id })),
  'an approval that has expired': sends(
    approve((now) => ({ issuedAt: now - 20 * minute, expiresAt: now - 10 * minute })),
  ),
  'an approval that nobody trusted has made': sends(approve({ isForged: true })),
  'an approval whose decision is no': sends(approve({ decision: 'reject' })),
  'a person who refuses': sends(() => ({ type: 'approval.refused', by: approver, action: sending })),
  'an approval that is presented twice': {
    ...sends(approve(), approve()),
    plan: () => [call('ledger.read'), sending, sending],
  },
  'a high-risk write without a rollback': { ...sends(approve()), irreversible: ['money.send'] },
  'two writes, and a verifier that fails': {
    needs: ['rollback', 'verifiers'],
    plan: plansToAdd,
    verifiers: { totals: fails },
  },
  'a write before which a verifier fails': {
    needs: ['verifiers before a write'],
    plan: plansToAdd,
    verifiers: { totals: passes, limits: fails },
    beforeWrite: { verifiers: ['limits'] },
  },
  'a write before which a verifier passes': {
    needs: ['verifiers before a write'],
    plan: plansToAdd,
    verifiers: { totals: passes, limits: passes },
    beforeWrite: { verifiers: ['limits'] },
  },
  'a write before which evidence is missing': {
    plan: () => [adding(1)],
    beforeWrite: { evidence: ['ledger.read'] },
  },
  'a write after a read that fails': { plan: plansToAdd, answers: { 'ledger.read': 'throws' } },
  'a run that is cancelled while a person decides': {
    ...sends(cancel, approve()),
    needs: ['approvals', 'cancel'],
  },
  'a run that is cancelled while it reads': {
    needs: ['cancel'],
    plan: plansToAdd,
    answers: { 'ledger.read': 'held' },
    steps: [cancel, 'release'],
  },
} satisfies Readonly<Record<string, Setup>>;
