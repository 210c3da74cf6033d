import type { Approval, Fact, Json, ProposedCall } from '../subject.ts';
import { delivered, hour, minute, type Answer, type Asked, type Opinion, type Step } from '../world.ts';

/** A proposed call. */
export const call = (tool: string, given: Json = {}): ProposedCall => ({ tool, arguments: given });

/** The high-risk write of every scenario that has one. */
export const sending = call('money.send', { to: 'harbour', cents: 100 });

/** A plan that reads, and then sends money. */
export const plansToSend = (): readonly ProposedCall[] => [call('ledger.read'), sending];

/** Who approves. */
export const approver = 'dana';

/** An approval in which everything is in order, for the write of `plansToSend`, but what is changed. */
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

/** Presents an approval. */
export const approve =
  (changed: Partial<Approval> | ((now: number) => Partial<Approval>) = {}): Step =>
  ({ now }) => ({
    type: 'approval.presented',
    approval: approval(now, typeof changed === 'function' ? changed(now) : changed),
  });

/** Cancels the run. */
export const cancel: Step = () => ({ type: 'run.cancelled', by: approver });

/** Lets time pass. */
export const pass =
  (milliseconds: number): Step =>
  (): Fact => ({ type: 'time.passed', milliseconds });

/** An identifier of another run. */
export const elsewhere = {
  request_id: 'deadbeef-0000-4000-8000-000000000000',
  trace_id: 'deadbeefdeadbeefdeadbeefdeadbeef',
} as const;

type Changed = Json | ((now: number) => Json);

/** An evidence object that another party made, in which everything is in order but what is changed. */
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

/** An answer with an evidence object that another party made. */
export const foreign =
  (changed: Changed = {}): Answer =>
  (asked) => ({ kind: 'evidence', evidence: madeElsewhere('ledger.read', asked, changed) });

/** An instant at a distance from now, RFC 3339. */
export const at = (now: number, distance: number): string => new Date(now + distance).toISOString();

/** Longer than any scenario's evidence may be old, and than any clock may be wrong. */
export const long = 48 * hour;

/** A verifier that reports a status beside one check. */
export const says =
  (status: 'pass' | 'fail' | 'partial', result: 'pass' | 'fail' | 'skip'): Opinion =>
  () => ({ status, checks: [{ check_id: 'sum', result }] });

/** A verifier that finds something against it. */
export const fails: Opinion = says('fail', 'fail');
