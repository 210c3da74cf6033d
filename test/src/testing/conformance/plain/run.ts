import { randomUUID } from 'node:crypto';
import type { EvidenceObject } from '../../../../../schema/index.ts';
import type {
  Draft,
  Fact,
  ProposedCall,
  Run,
  Scenario,
  ScenarioTool,
} from '../../../../../src/testing/conformance/index.ts';
import { createReviewer } from './desk.ts';
import { createDiary } from './diary.ts';
import { evidenceOf, readEvidence } from './evidence.ts';
import type { Has } from './flaws.ts';
import { Stop } from './stop.ts';

interface Written {
  readonly tool: ScenarioTool;
  readonly arguments: ProposedCall['arguments'];
}

/** Why something broke: as it was said, or by a code of its own. */
const stopOf = (error: unknown, code: string, outcome?: Stop['outcome']): Stop =>
  error instanceof Stop ? error : new Stop(code, outcome);

const undo = async ({ tool: { rollback }, arguments: given }: Written): Promise<void> => {
  if (rollback !== null) await rollback.run(rollback.describe(given));
};

/** One run of a plain orchestrator, without chart or ledger, that keeps every rule but what is wrong with it. */
export class PlainRun implements Run {
  readonly #scenario: Scenario;
  readonly #has: Has;
  readonly #of = { request_id: randomUUID(), trace_id: randomUUID().replaceAll('-', '') };
  readonly #diary;
  readonly #desk;
  readonly #cancelled = new AbortController();
  #standing: EvidenceObject[] = [];
  readonly #written: Written[] = [];
  #rested: () => void = () => {};
  #rest = Promise.resolve();

  constructor(scenario: Scenario, has: Has) {
    this.#scenario = scenario;
    this.#has = has;
    this.#diary = createDiary(scenario, this.#of, has);
    this.#desk = createReviewer(scenario.clock.now, has);
    this.#goOn();
    void this.#run();
  }

  phase() {
    return this.#diary.phase();
  }

  documents() {
    return this.#diary.documents();
  }

  quiet() {
    return this.#rest;
  }

  async state(fact: Fact): Promise<'taken' | 'refused'> {
    switch (fact.type) {
      case 'approval.presented':
        if (!this.#desk.present(fact.approval)) return 'refused';
        this.#goOn();
        return 'taken';
      case 'approval.refused':
        this.#goOn();
        this.#desk.refuse();
        return 'taken';
      case 'run.cancelled':
        return this.#cancel(fact.by);
      case 'evidence.arrived':
        if (!this.#has('takes evidence from outside')) return 'refused';
        this.#standing.push(fact.evidence as EvidenceObject); // the flaw: it is not even read
        return 'taken';
      case 'time.passed':
        return 'taken';
    }
  }

  #goOn(): void {
    this.#rest = new Promise((resolve) => {
      this.#rested = resolve;
    });
  }

  #cancel(by: string): 'taken' | 'refused' {
    const phase = this.phase();
    if (phase === 'deliver' && this.#has('takes a delivery back')) this.#diary.enter('fail_safe');
    if (phase === 'deliver' || phase === 'fail_safe') return 'refused';
    if (this.#desk.isAsking()) this.#goOn();
    else if (this.#has('goes on after it was cancelled')) return 'taken';
    this.#desk.withdraw();
    this.#cancelled.abort(new Stop('CANCELLED', 'failure', by));
    return 'taken';
  }

  /** What comes first: the work, its deadline, or that somebody cancels. */
  async #inTime<Value>(work: Promise<Value>, late: string, milliseconds = Infinity): Promise<Value> {
    const { clock } = this.#scenario;
    const { signal } = this.#cancelled;
    signal.throwIfAborted();
    const settled = new AbortController();
    const over = new Promise<never>((_, reject) => {
      const stop = () => reject(signal.reason as Stop); // aborted by `#cancel` alone
      signal.addEventListener('abort', stop, { signal: settled.signal });
      if (milliseconds === Infinity) return;
      const forget = clock.wakeAt(clock.now() + milliseconds, () => reject(new Stop(late)));
      settled.signal.addEventListener('abort', forget);
    });
    return Promise.race([work, over]).finally(() => settled.abort());
  }

  #toolOf(name: string): ScenarioTool {
    const tool = this.#scenario.tools.find((known) => known.name === name);
    if (tool === undefined) throw new Stop('OUTPUT_INVALID', 'failure');
    return tool;
  }

  async #call({ tool: name, arguments: given }: ProposedCall): Promise<void> {
    const { clock, deadlines, maxAge } = this.#scenario;
    const has = this.#has;
    const tool = this.#toolOf(name);
    if (tool.tier !== 'read_only') this.#written.push({ tool, arguments: given });
    this.#diary.calling(name, tool.rollback?.describe(given) ?? null);
    const limit = has('waits for a tool for ever') ? Infinity : deadlines.call;
    const made = await this.#inTime(tool.call(given, this.#of), 'TOOL_TIMEOUT', limit).catch(
      (error: unknown) => {
        throw stopOf(error, 'TOOL_FAILED', 'failure');
      },
    );
    const expected = { tool: name, of: this.#of, now: clock.now(), maxAge };
    const evidence =
      made.kind === 'result'
        ? evidenceOf(name, made.payload, this.#of, expected.now)
        : readEvidence(made.evidence, expected, has);
    if (evidence === null) throw new Stop('EVIDENCE_INVALID');
    this.#standing.push(evidence);
    this.#diary.collected(evidence);
  }

  async #read(reads: readonly ProposedCall[]): Promise<void> {
    const has = this.#has;
    if (has('asks the policy about reads') && reads[0] !== undefined)
      if ((await this.#scenario.policy(reads[0])) === 'deny') throw new Stop('POLICY_BLOCKED');
    const calls = reads.map((read) =>
      this.#call(read).catch((error: unknown) => {
        const isIgnored = has('goes on after a failed read') && stopOf(error, '').code === 'TOOL_FAILED';
        if (!isIgnored) throw error;
      }),
    );
    const isHasty = has('does not wait for every read') && calls.length > 0;
    await (isHasty ? Promise.any(calls) : Promise.all(calls));
  }

  #requireEvidence(names: readonly string[]): void {
    const { clock, maxAge } = this.#scenario;
    const isAnyAge = this.#has('takes evidence of any age');
    for (const name of names) {
      const found = this.#standing.filter(
        ({ source }) => source === name || this.#has('takes evidence of any tool'),
      );
      if (found.length === 0) throw new Stop('EVIDENCE_MISSING');
      if (!isAnyAge && !found.some(({ collected_at }) => clock.now() - Date.parse(collected_at) <= maxAge))
        throw new Stop('EVIDENCE_STALE');
    }
  }

  async #verify(ids: readonly string[], value: unknown): Promise<void> {
    for (const id of this.#has('asks one verifier only') ? ids.slice(0, 1) : ids)
      if (!(await this.#passes(id, value)) && !this.#has('delivers what failed'))
        throw new Stop('VERIFICATION_FAILED');
  }

  async #passes(id: string, value: unknown): Promise<boolean> {
    const has = this.#has;
    const { verifiers, deadlines } = this.#scenario;
    const verifier = verifiers.find((known) => known.id === id);
    if (verifier === undefined) return false;
    const evidence = has('shows verifiers nothing') ? [] : [...this.#standing];
    const work = verifier.verify({ value, evidence });
    const found = await this.#inTime(work, 'VERIFIER_TIMEOUT', deadlines.verifier).catch((error: unknown) => {
      const stop = stopOf(error, 'VERIFIER_ERROR');
      const isLate = stop.code === 'VERIFIER_TIMEOUT';
      if (has(isLate ? 'takes silence for a pass' : 'takes an error for a pass')) return null;
      throw stop;
    });
    if (found === null) return true;
    const { status, checks } = found;
    const isBorneOut = checks.length > 0 && checks.every(({ result }) => result === 'pass');
    const passes =
      (status === 'pass' && (isBorneOut || has('believes the status'))) ||
      (status === 'partial' && has('takes partial for a pass'));
    this.#diary.reported(id, isBorneOut ? status : 'fail', [...checks]);
    return passes;
  }

  async #write(write: ProposedCall): Promise<void> {
    const has = this.#has;
    const { policy, requires } = this.#scenario;
    const { tier, rollback } = this.#toolOf(write.tool);
    const isHigh = tier === 'write_high_risk';
    const isDeclared = rollback !== null || has('writes without a rollback');
    if (isHigh && !isDeclared) throw new Stop('ROLLBACK_REQUIRED');
    if (!has('writes without evidence')) this.#requireEvidence(requires.beforeWrite.evidence);
    if (!has('writes before it verifies')) await this.#verify(requires.beforeWrite.verifiers, write);
    const isFree = has(isHigh ? 'lets an approval overrule the policy' : 'does not ask the policy');
    const verdict = isFree ? 'allow' : await policy(write).catch(() => 'deny' as const);
    if (verdict === 'deny') throw new Stop('POLICY_BLOCKED');
    if (!isHigh) return this.#call(write);
    const isEarly = has('writes before the approval');
    if (isEarly) await this.#call(write);
    const answered = this.#desk.ask(write);
    this.#rested();
    if (!(await this.#inTime(answered, ''))) throw new Stop('HUMAN_REJECTED', 'failure');
    if (!has('lets evidence grow old')) this.#requireEvidence(requires.beforeWrite.evidence);
    if (!isEarly)
      await this.#call(has('writes other than approved') ? { ...write, arguments: { cents: 1 } } : write);
  }

  async #execute(attempt: number): Promise<Draft> {
    this.#diary.enter('plan', { isRepair: attempt > 0 });
    const planned = await this.#scenario.plan(attempt);
    this.#diary.enter('execute', { isRepair: attempt > 0 });
    if (!this.#has('keeps evidence over a repair')) this.#standing = [];
    const isRead = ({ tool }: ProposedCall) => this.#toolOf(tool).tier === 'read_only';
    await this.#read(planned.filter(isRead));
    for (const write of planned.filter((one) => !isRead(one))) await this.#write(write);
    const draft = await this.#scenario.draft(attempt);
    const last = this.#has('commits a draft too early') ? draft.chunks.length - 1 : -1;
    for (const [at] of draft.chunks.entries()) this.#diary.shown(at === last);
    return draft;
  }

  async #run(): Promise<void> {
    try {
      await this.#deliver(await this.#verified());
    } catch (error) {
      await this.#failSafe(stopOf(error, 'GUARD_ERROR'));
    }
    this.#rested();
  }

  /** A draft that its verifiers have passed, after as many repairs as are allowed. */
  async #verified(): Promise<Draft> {
    const { repairs, requires } = this.#scenario;
    const limit = repairs === 0 ? 0 : repairs + (this.#has('repairs too often') ? 2 : 0);
    this.#diary.enter('intake');
    for (let attempt = 0; ; attempt += 1) {
      const draft = await this.#execute(attempt);
      this.#diary.enter('verify');
      try {
        await this.#verify(requires.beforeDeliver.verifiers, draft.payload);
        return draft;
      } catch (error) {
        if (stopOf(error, '').code !== 'VERIFICATION_FAILED' || attempt >= limit) throw error;
      }
    }
  }

  async #deliver({ payload, chunks }: Draft): Promise<void> {
    const { requires } = this.#scenario;
    if (!this.#has('needs no evidence')) this.#requireEvidence(requires.beforeDeliver.evidence);
    this.#diary.enter('deliver', { outcome: 'success' });
    if (chunks.length > 0) this.#diary.shown(true);
    const delivered = this.#has('delivers something else') ? {} : payload;
    this.#diary.end({ outcome: 'success', reasonCodes: [], payload: delivered });
  }

  async #failSafe({ code, outcome, by }: Stop): Promise<void> {
    const has = this.#has;
    if (code === 'TOOL_FAILED' && has('stays in execute when a read fails')) return;
    const owed = has('rolls back oldest first') ? this.#written : this.#written.toReversed();
    for (const written of has('does not roll back') ? [] : owed) {
      await undo(written);
      if (has('rolls back twice')) await undo(written);
    }
    this.#diary.enter('fail_safe', { outcome, ...(by !== null && { actor: { kind: 'human', id: by } }) });
    const reportedOutcome = has('says failure where it is uncertain') ? 'failure' : outcome;
    const reason = has('gives another reason') ? 'CANNOT_PROCEED' : code;
    this.#diary.end({
      outcome: has('says success when it failed') ? 'success' : reportedOutcome,
      reasonCodes: has('gives no reason') ? [] : [reason],
      payload: null,
    });
  }
}
