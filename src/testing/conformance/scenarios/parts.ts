import type { Approval, Fact, Json, ProposedCall } from '../subject.ts';
import { delivered, hour, minute, type Answer, type Asked, type Opinion, type Step } from '../world.ts';

/** A proposed call. */
export const call = (tool: string, given: Json = {}): ProposedCall => ({ tool, arguments: given });

/** The high-risk write in scenarios. */
export const sending = call('money.send', { to: 'harbour', cents: 100 });

/** Returns a plan that reads and then sends money. */
export const plansToSend = (): readonly ProposedCall[] => [call('ledger.read'), sending];

/** The name of the approver. */
export const approver = 'dana';

/** Returns a valid approval of the write in `plansToSend`, with the given changes. */
export const approval = (now: number, changed: Partial<Approval> = {}): Approval => ({
  id: 'approval-1',
  approver,
  decision: 'approve',
  action: sending,
  request_id: null,
  issuedAt: now,
  expiresAt: now + 10 * minute,
  isForged: false,
  ...changed,
});

/** Returns a step that presents an approval. */
export const approve =
  (changed: Partial<Approval> | ((now: number) => Partial<Approval>) = {}): Step =>
  ({ now }) => ({
    type: 'approval.presented',
    approval: approval(now, typeof changed === 'function' ? changed(now) : changed),
  });

/** A step that cancels the run. */
export const cancel: Step = () => ({ type: 'run.cancelled', by: approver });

/** Returns a step that advances the clock. */
export const pass =
  (milliseconds: number): Step =>
  (): Fact => ({ type: 'time.passed', milliseconds });

/** The ids of another run. */
export const elsewhere = {
  request_id: 'deadbeef-0000-4000-8000-000000000000',
  trace_id: 'deadbeefdeadbeefdeadbeefdeadbeef',
} as const;

type Changed = Json | ((now: number) => Json);

/** Returns a valid evidence object of another party, with the given changes. */
export const madeElsewhere = (
  source: string,
  { of, now, hash }: Asked,
  changed: Changed = {},
): Readonly<Record<string, unknown>> => ({
  evidence_id: `made-elsewhere-by-${source}`,
  evidence_type: 'tool_result',
  source,
  request_id: of.request_id,
  trace_id: of.trace_id,
  actor: source,
  hash: hash(delivered),
  collected_at: new Date(now).toISOString(),
  payload: delivered,
  ...(typeof changed === 'function' ? changed(now) : changed),
});

/** Returns an answer with an evidence object of another party. */
export const foreign =
  (changed: Changed = {}): Answer =>
  (asked) => ({ kind: 'evidence', evidence: madeElsewhere('ledger.read', asked, changed) });

/** Returns the time at an offset from now, RFC 3339. */
export const at = (now: number, distance: number): string => new Date(now + distance).toISOString();

/** Longer than the maximum age of evidence and any clock skew in a scenario. */
export const long = 48 * hour;

/** Returns a verifier that reports a status and one check. */
export const reports =
  (status: 'pass' | 'fail' | 'partial', result: 'pass' | 'fail' | 'skip'): Opinion =>
  () => ({ status, checks: [{ check_id: 'sum', result }] });

/** A verifier that reports a failure. */
export const fails: Opinion = reports('fail', 'fail');
