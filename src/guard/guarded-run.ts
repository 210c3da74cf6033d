import { deepFreeze } from '../canonical/deep-freeze.ts';
import type { Progress } from '../orchestrator/progress.ts';
import type { InboxEntry } from '../orchestrator/summary.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Turn, TurnOptions } from '../ports/model.ts';
import { Changes } from './changes.ts';
import { proposedAgain, standingCalls } from './earlier.ts';
import { nothingSent } from './judge.ts';
import type { CallOutcome, Clearance, Conclusion, Paused, Refused } from './outcome.ts';
import { Proposals } from './proposals.ts';
import type { CallOptions, Draft, Patience, Run } from './run.ts';
import type { Surroundings } from './surroundings.ts';
import { OpenTurn, outputOf } from './turn.ts';
import { callVerdict, draftVerdict, standsStill } from './verdicts.ts';
import { isRefused, type WantedCall, type WantedDraft } from './wanted.ts';

const known = (verdict: Clearance): Clearance => verdict;
const made = (verdict: Clearance): CallOutcome | undefined =>
  verdict.status === 'cleared' ? undefined : verdict;

/** A run between two sides: an agent that proposes when it likes, and a chart that asks when it must. */
export class GuardedRun implements Run {
  readonly taskId: string;
  readonly #surroundings: Surroundings;
  readonly #proposals: Proposals;
  readonly #changes = new Changes();
  #turn: OpenTurn | null = null;
  #sent = nothingSent;
  /** The attempt that the last turn was of. */
  #attempt = 0;
  /** How many calls are being read: no answer overtakes them. */
  #reading = 0;

  constructor(taskId: string, surroundings: Surroundings) {
    this.taskId = taskId;
    this.#surroundings = surroundings;
    this.#proposals = new Proposals(taskId, surroundings);
    Object.freeze(this); // agents hold it
  }

  propose(tool: string, input: unknown, options: CallOptions = {}): Promise<Clearance> {
    return this.#outcome(tool, input, options, known);
  }

  call(tool: string, input: unknown, options: CallOptions = {}): Promise<CallOutcome> {
    return this.#outcome(tool, input, options, made);
  }

  async conclude(draft: Draft, options: Patience = {}): Promise<Conclusion> {
    const wanted = await this.#proposals.answer(draft);
    if (isRefused(wanted)) return this.#refused(wanted);
    this.#gather();
    return this.#until(wanted, options, (progress) => draftVerdict(wanted, progress));
  }

  isProposed(draft: Draft): Promise<boolean> {
    return this.#proposals.isProposed(draft);
  }

  show(content: string): boolean {
    return this.#turn?.show(content) ?? false;
  }

  progress(): Promise<Progress> {
    return this.#surroundings.orchestrator.progress(this.taskId);
  }

  questions(): Promise<readonly InboxEntry[]> {
    return this.#surroundings.orchestrator.inbox(this.taskId);
  }

  /** Puts a turn of the chart to the agent: it is answered by what the agent proposes next. */
  ask(turn: Turn, options: TurnOptions): Promise<unknown> {
    if (turn.asks === 'correction') this.#proposals.judge(turn, this.#sent);
    this.#sent = nothingSent;
    this.#attempt = turn.attempt;
    const open = new OpenTurn(turn, options, () => {
      if (this.#turn === open) this.#turn = null;
    });
    this.#turn = open;
    this.changed();
    this.#gather();
    return open.answer;
  }

  /** The turn that waits for its answer. */
  get turn(): OpenTurn | null {
    return this.#turn;
  }

  /** Something happened that those who wait may want to know. */
  changed(): void {
    this.#changes.tell();
  }

  /** Something was recorded of its task. */
  recorded({ kind, fact, brought }: LedgerRecord): void {
    if (kind === 'fact' && fact?.type === 'changes.requested') this.#proposals.beginAnew();
    if (kind === 'fact' && fact?.type === 'human.responded' && fact.plan !== undefined)
      this.#proposals.replace(this.#attempt, new Set(brought.calls?.map(({ ref }) => ref)));
    this.changed();
  }

  async #outcome<Result extends Clearance>(
    tool: string,
    input: unknown,
    options: CallOptions,
    enough: (verdict: Clearance) => Result | undefined,
  ): Promise<Result | Paused | Refused> {
    const wanted = await this.#wanted(tool, input, options);
    if (isRefused(wanted)) return this.#refused(wanted);
    return this.#until(wanted, options, (progress) => {
      const verdict = callVerdict(wanted, progress);
      return verdict === undefined ? undefined : (enough(verdict) ?? 'soon');
    });
  }

  async #wanted(tool: string, input: unknown, options: CallOptions): Promise<WantedCall | Refused> {
    this.#reading += 1;
    try {
      return await this.#proposals.call(tool, input, options);
    } finally {
      this.#reading -= 1;
      this.#gather();
    }
  }

  /** What came back under its name with another content is on record. */
  async #refused(refusal: Refused): Promise<Refused> {
    const { code, explanation } = refusal;
    if (code === 'PROPOSAL_CHANGED')
      await this.#surroundings.orchestrator.refuse(this.taskId, { code, explanation });
    return deepFreeze(refusal);
  }

  async #paused(progress: Progress, { waits = false }: Patience): Promise<Paused | undefined> {
    if (waits || !standsStill(progress)) return undefined;
    const questions = await this.questions();
    const { awaits } = progress;
    return questions.length + awaits.length > 0 ? { status: 'paused', questions, awaits } : undefined;
  }

  /** Waits until something is decided; what is decided `soon` is not held up by people who are asked something else. */
  async #until<Result extends Clearance | Conclusion>(
    wanted: WantedCall | WantedDraft,
    options: Patience,
    decide: (progress: Progress) => Result | 'soon' | undefined,
  ): Promise<Result | Paused> {
    const { signal } = options;
    const own = {};
    wanted.waiting.add(own);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const seen = this.#changes.count;
        const progress = await this.progress();
        const decided = decide(progress);
        if (decided !== undefined && decided !== 'soon') {
          wanted.isTold ||= decided.status !== 'cleared';
          return deepFreeze(decided);
        }
        const paused = decided === 'soon' ? undefined : await this.#paused(progress, options);
        if (paused !== undefined) return this.#left(wanted, own, deepFreeze(paused));
        await this.#changes.since(seen, signal);
      }
    } finally {
      wanted.waiting.delete(own);
    }
  }

  /** Somebody goes without an outcome: what was not sent is dropped, if nobody else waits for it. */
  #left(wanted: WantedCall | WantedDraft, own: object, paused: Paused): Paused {
    wanted.waiting.delete(own);
    if (wanted.stage === 'queued' && wanted.waiting.size === 0) this.#proposals.drop(wanted);
    return paused;
  }

  #gather(): void {
    if (this.#turn !== null) this.#surroundings.gather(() => void this.#answer());
  }

  /** Answers the open turn with what the agent proposed meanwhile: calls come before the answer. */
  async #answer(): Promise<void> {
    const open = this.#turn;
    const { queuedCalls: calls, queuedDraft: draft } = this.#proposals;
    if (open === null || (calls.length === 0 && (draft === null || this.#reading > 0))) return;
    this.#turn = null;
    const { turn } = open;
    const isDraft = turn.wants === 'draft' && calls.length === 0 && draft !== null;
    for (const wanted of isDraft ? [draft] : calls) {
      wanted.stage = 'sent';
      wanted.attempt = turn.attempt;
    }
    try {
      open.say(isDraft ? draft.output : await this.#proposal(turn, calls));
    } catch (error) {
      open.fail(error);
    }
  }

  async #proposal(turn: Turn, calls: readonly WantedCall[]): Promise<ReturnType<typeof outputOf>> {
    const { orchestrator, tools, freshRef, unstated } = this.#surroundings;
    const isRepeated = turn.wants === 'plan' && turn.attempt > 0;
    const standing = isRepeated ? standingCalls(await orchestrator.ledger(this.taskId), tools) : [];
    const earlier = standing.filter(({ call }) => !calls.some(({ ref }) => ref === call.ref));
    const again = await proposedAgain(earlier, turn, {
      tools,
      freshRef,
      given: (ref) => this.#proposals.argumentsOf(ref),
    });
    this.#sent = { calls, behind: again.length };
    return outputOf(calls, again, unstated(turn.taskClass));
  }
}

Object.freeze(GuardedRun.prototype);
