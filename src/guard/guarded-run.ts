import { deepFreeze } from '../base/canonical/deep-freeze.ts';
import type { Progress } from '../core/shell/progress.ts';
import type { InboxEntry } from '../core/kernel/summary.ts';
import type { CallerOutcome, CallerRollback } from '../base/ports/caller.ts';
import type { TaskView } from '../core/kernel/view.ts';
import type { Emission } from '../base/ports/emission.ts';
import type { LedgerRecord } from '../base/ports/ledger.ts';
import type { Turn, TurnOptions } from '../base/ports/model.ts';
import { documentsFor, questionsFor, wholeOutcome } from './agent-reads.ts';
import { Changes } from './changes.ts';
import { recordRefused } from './rejected.ts';
import { repeatsOf } from './recorded-proposals.ts';
import { Declared } from './declared.ts';
import { nothingSent } from './judge.ts';
import type { CallOutcome, Clearance, ClearedCall, Conclusion, Paused, Refused } from './outcome.ts';
import { pausedOn } from './paused.ts';
import { Performed } from './performed.ts';
import { Offers } from './offers.ts';
import { Proposals } from './proposals.ts';
import { checkPatience, type CallOptions, type Draft, type Patience, type Run } from './run.ts';
import type { GuardContext } from './guard-context.ts';
import { OpenTurn, outputOf } from './turn.ts';
import { noteConclusion } from './unconcluded.ts';
import { draftVerdict, finalVerdict, resultIn, shownProgress } from './verdicts.ts';
import { isRefused, type Pending, type PendingCall } from './pending-proposals.ts';

/** A run of a guarded agent: matches its proposals with the turns that the chart asks for. */
export class GuardedRun implements Run {
  readonly taskId: string;
  readonly #context: GuardContext;
  readonly #proposals: Proposals;
  readonly #offers: Offers;
  readonly #changes = new Changes();
  readonly #declared: Declared;
  readonly #performed: Performed;
  #turn: OpenTurn | null = null;
  #sent = nothingSent;
  /** Whether the host began the run and it has not paused since. */
  #isHosts = false;
  /** The number of proposals that wait for an outcome, on a store with leases. */
  #inFlight = 0;
  /** The number of agents of the host that run. */
  #attending = 0;
  /** The number of calls whose input is being parsed. What is proposed with them waits until it is 0. */
  #reading = 0;

  constructor(taskId: string, context: GuardContext) {
    this.taskId = taskId;
    this.#context = context;
    this.#proposals = new Proposals(taskId, context);
    this.#declared = new Declared(taskId, context);
    this.#performed = new Performed(taskId, context, this.#proposals);
    this.#offers = new Offers(taskId, context, this.#declared, () => this.#gather());
    Object.freeze(this); // agents hold a reference to it
  }

  propose(tool: string, input: unknown, options: CallOptions = {}): Promise<Clearance> {
    return this.#outcome<Clearance>(tool, input, options, (verdict) => verdict);
  }

  call(tool: string, input: unknown, options: CallOptions = {}): Promise<CallOutcome> {
    return this.#outcome(tool, input, options, finalVerdict);
  }

  clear(tool: string, input: unknown, options: CallOptions = {}): Promise<ClearedCall | CallOutcome> {
    checkPatience('clear', options);
    return this.#working(async () => {
      const pending = await this.#pendingCall(tool, input, options, 'caller');
      if (isRefused(pending)) return recordRefused(this.#context, this.taskId, pending);
      return this.#performed.clear(pending, (decide) => this.#until(pending, options, decide));
    });
  }

  report(ref: string, outcome: CallerOutcome): Promise<CallOutcome> {
    return this.#working(async () => {
      const pending = await this.#performed.report(ref, outcome);
      return this.#until(pending, {}, (progress) => resultIn(pending, progress, finalVerdict));
    });
  }

  rollbacks(): Promise<readonly CallerRollback[]> {
    return this.#working(async () => this.#performed.rollbacks());
  }

  reportRollback(ref: string, outcome: CallerOutcome): Promise<void> {
    return this.#performed.endRollback(ref, outcome);
  }

  declare(tools: readonly string[]): Promise<boolean> {
    return this.#declared.declare(tools);
  }

  async conclude(draft: Draft, options: Patience = {}): Promise<Conclusion> {
    checkPatience('conclude', options);
    noteConclusion(this);
    return this.#working(async () => {
      const pending = await this.#proposals.answer(draft);
      if ('status' in pending)
        return isRefused(pending) ? recordRefused(this.#context, this.taskId, pending) : deepFreeze(pending);
      this.#gather();
      return this.#until(pending, options, (progress) => draftVerdict(pending, progress));
    });
  }

  isProposed(draft: Draft): Promise<boolean> {
    return this.#proposals.isProposed(draft);
  }

  show(content: string): boolean {
    return this.#turn?.show(content) ?? false;
  }

  saveState(state: unknown): Promise<void> {
    return this.#context.saveState(this.taskId, state);
  }

  savedState(): Promise<unknown> {
    return this.#context.savedState(this.taskId);
  }

  attend(): () => void {
    this.#attending += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#attending -= 1;
      this.#context.runAgent(this.taskId);
    };
  }

  async progress(): Promise<Progress> {
    return shownProgress(await this.#context.orchestrator.task(this.taskId));
  }

  questions(audience: 'people' | 'agent' = 'people'): Promise<readonly InboxEntry[]> {
    return audience === 'people'
      ? this.#context.orchestrator.inbox(this.taskId)
      : questionsFor(this.#context, this.taskId);
  }

  documents(): Promise<readonly Emission[]> {
    return documentsFor(this.#context, this.taskId);
  }

  /** Opens a turn of the chart. The next proposal of the agent resolves it. */
  ask(turn: Turn, options: TurnOptions): Promise<unknown> {
    if (turn.asks === 'correction') this.#proposals.judge(turn, this.#sent);
    this.#sent = nothingSent;
    const open = new OpenTurn(turn, options, () => {
      if (this.#turn === open) this.#turn = null;
    });
    this.#turn = open;
    this.changed();
    this.#gather();
    return open.answer;
  }

  /** Leaves the run to its host until it pauses. */
  leaveToHost(): void {
    this.#isHosts = true;
  }

  /** Whether the guard may start an agent. */
  get isFree(): boolean {
    return !this.#isHosts && this.#attending === 0;
  }

  /** Whether code of this process works on it. */
  get isLive(): boolean {
    return !this.isFree || this.#inFlight > 0;
  }

  /** The open turn; `null` if there is none. */
  get turn(): OpenTurn | null {
    return this.#turn;
  }

  /** Notifies the callers that wait for a change of the run. */
  changed(): void {
    this.#changes.notify();
  }

  /** Applies a record of the task; the view is after it. */
  recorded({ kind, fact }: LedgerRecord, view: TaskView | undefined): void {
    if (kind === 'fact' && fact?.type === 'changes.requested') this.#proposals.reset();
    if (kind === 'fact' && fact?.type === 'human.responded' && fact.plan !== undefined && view !== undefined)
      this.#proposals.replace(view.context.attempt, view.projection.proposals.replaced);
    this.changed();
  }

  async #outcome<Result extends Clearance>(
    tool: string,
    input: unknown,
    options: CallOptions,
    which: (verdict: Clearance) => Result | undefined,
  ): Promise<Result | Paused | Refused> {
    checkPatience('call', options);
    return this.#working(async () => {
      const pending = await this.#pendingCall(tool, input, options);
      if (isRefused(pending)) return recordRefused(this.#context, this.taskId, pending);
      return this.#until(pending, options, (progress) => resultIn(pending, progress, which));
    });
  }

  /** Runs work of an agent. On a store with leases, this process performs the task meanwhile, until the run pauses. */
  async #working<Result>(work: () => Promise<Result>): Promise<Result> {
    const { takeForAgent, runsAgent, view } = this.#context;
    if (takeForAgent === null) return work();
    this.#inFlight += 1;
    try {
      await takeForAgent(this.taskId);
      if (!runsAgent((await view(this.taskId)).taskClass.id)) this.#isHosts = true;
      return await work();
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #pendingCall(...proposed: Parameters<Proposals['call']>): Promise<PendingCall | Refused> {
    this.#reading += 1;
    try {
      return await this.#proposals.call(...proposed);
    } finally {
      this.#reading -= 1;
      this.#gather();
    }
  }

  /** Waits for an outcome. A `soon` outcome does not wait for answers to other questions. */
  async #until<Result extends Clearance | Conclusion>(
    pending: Pending,
    options: Patience,
    decide: (progress: Progress) => Result | 'soon' | undefined,
  ): Promise<Result | Paused> {
    const { signal } = options;
    const own = {};
    pending.waiting.add(own);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const countBefore = this.#changes.count;
        const progress = await this.progress();
        const decided = decide(progress);
        if (decided !== undefined && decided !== 'soon') {
          pending.isReported ||= decided.status !== 'cleared';
          return deepFreeze(await wholeOutcome(this.#context, this.taskId, decided));
        }
        const isOpen = decided === undefined && this.#turn === null;
        if (isOpen && (await this.#offers.offer(pending, progress))) continue;
        const isPatient = decided === 'soon' || options.waits === true;
        const paused = isPatient ? null : await pausedOn(this.#context, this.taskId, pending, progress);
        if (paused !== null) return this.#returnPaused(pending, own, deepFreeze(paused));
        await this.#changes.since(countBefore, signal);
      }
    } finally {
      pending.waiting.delete(own);
    }
  }

  /** Returns `paused` to a caller. Drops a proposal that is queued and has no other waiting caller. */
  #returnPaused(pending: Pending, own: object, paused: Paused): Paused {
    pending.waiting.delete(own);
    if (pending.stage === 'queued' && pending.waiting.size === 0) this.#proposals.drop(pending);
    this.#isHosts = false;
    return paused;
  }

  #gather(): void {
    if (this.#turn !== null) this.#context.gather(() => void this.#answer());
  }

  /** Answers the open turn with the pending proposals: calls first, then the answer. */
  async #answer(): Promise<void> {
    const open = this.#turn;
    const { queuedCalls: calls, queuedDraft: draft } = this.#proposals;
    if (open === null || this.#reading > 0 || (calls.length === 0 && draft === null)) return;
    this.#turn = null;
    const isDraft = open.turn.wants === 'draft' && calls.length === 0 && draft !== null;
    for (const pending of isDraft ? [draft] : calls) {
      pending.stage = 'sent';
      pending.attempt = open.turn.attempt;
    }
    try {
      open.complete(isDraft ? draft.output : await this.#proposal(open.turn, calls));
    } catch (error) {
      open.fail(error);
    }
  }

  async #proposal(turn: Turn, calls: readonly PendingCall[]): Promise<ReturnType<typeof outputOf>> {
    const given = (ref: string) => this.#proposals.argumentsOf(ref);
    const repeated = await repeatsOf(this.#context, this.taskId, { turn, calls, given });
    this.#sent = { calls, offset: repeated.length };
    const declares = await this.#declared.notYetMandated();
    return outputOf({ calls, repeated, declares }, this.#context.unstated(turn.taskClass));
  }
}

Object.freeze(GuardedRun.prototype);
