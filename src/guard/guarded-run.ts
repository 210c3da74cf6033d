import { JsonObject } from '../../schema/index.ts';
import { canonicalize } from '../canonical/canonicalize.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import type { DraftOutput } from '../orchestrator/outputs.ts';
import type { Progress } from '../orchestrator/progress.ts';
import { inWords } from '../orchestrator/read-output.ts';
import type { InboxEntry } from '../orchestrator/summary.ts';
import type { Orchestrator } from '../orchestrator/surface.ts';
import type { Turn, TurnOptions } from '../ports/model.ts';
import type { Tool } from '../ports/tool.ts';
import { proposedCalls, standingCalls } from './earlier.ts';
import type { CallOutcome, Clearance, Conclusion, Paused, Refused } from './outcome.ts';
import type { CallOptions, Draft, Patience, Run } from './run.ts';
import { OpenTurn, outputOf } from './turn.ts';
import { callVerdict, draftVerdict, isOver, isSuperseded, listingOf, standsStill } from './verdicts.ts';
import { isRefused, queued, readable, refused, saidOf, type WantedCall, type WantedDraft } from './wanted.ts';

/** What all runs of a guard share. */
export interface Surroundings {
  readonly orchestrator: Orchestrator;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly freshRef: () => string;
  /** Waits until what is proposed together has come together. */
  readonly gather: (then: () => void) => void;
}

const known = (verdict: Clearance): Clearance => verdict;
const made = (verdict: Clearance): CallOutcome | undefined =>
  verdict.status === 'cleared' ? undefined : verdict;

/** A run between two sides: an agent that proposes when it likes, and a chart that asks when it must. */
export class GuardedRun implements Run {
  readonly taskId: string;
  readonly #surroundings: Surroundings;
  readonly #calls = new Map<string, WantedCall>();
  readonly #waiting = new Set<() => void>();
  #draft: WantedDraft | null = null;
  #turn: OpenTurn | null = null;
  /** The calls that the last turn was answered with, behind so many earlier ones. */
  #sent: { readonly calls: readonly WantedCall[]; readonly behind: number } = { calls: [], behind: 0 };
  #changes = 0;
  #loaded: Promise<void> | undefined;

  constructor(taskId: string, surroundings: Surroundings) {
    this.taskId = taskId;
    this.#surroundings = surroundings;
  }

  propose(tool: string, input: unknown, options: CallOptions = {}): Promise<Clearance> {
    return this.#outcome(tool, input, options, known);
  }

  call(tool: string, input: unknown, options: CallOptions = {}): Promise<CallOutcome> {
    return this.#outcome(tool, input, options, made);
  }

  async conclude(draft: Draft, options: Patience = {}): Promise<Conclusion> {
    const wanted = await this.#wantedDraft(draft);
    if (isRefused(wanted)) return wanted;
    return this.#until(async (progress) => {
      const verdict = draftVerdict(wanted, progress) ?? (await this.#paused(progress, options));
      if (verdict === undefined) return undefined;
      const isOpen =
        verdict.status === 'delivered' || (verdict.status === 'paused' && wanted.stage === 'sent');
      if (!isOpen && this.#draft === wanted) this.#draft = null;
      return verdict;
    }, options);
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
    if (turn.asks === 'correction') this.#judge(turn);
    this.#sent = { calls: [], behind: 0 };
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
    this.#changes += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #outcome<Result extends Clearance>(
    tool: string,
    input: unknown,
    options: CallOptions,
    enough: (verdict: Clearance) => Result | undefined,
  ): Promise<Result | Paused | Refused> {
    const wanted = await this.#wantedCall(tool, input, options);
    if (isRefused(wanted)) return wanted;
    return this.#until<Result | Paused>(async (progress) => {
      const verdict = callVerdict(wanted, progress);
      if (verdict !== undefined) return enough(verdict);
      const paused = await this.#paused(progress, options);
      // nobody waits for it any more: it is proposed when it is called again
      if (paused !== undefined && wanted.stage === 'queued') this.#calls.delete(wanted.ref);
      return paused;
    }, options);
  }

  async #wantedCall(tool: string, input: unknown, options: CallOptions): Promise<WantedCall | Refused> {
    const { tools, freshRef } = this.#surroundings;
    const { ref = freshRef(), confidence = 1 } = options;
    const given = readable(() => JsonObject.parse(frozenCopy(input, tool)));
    if (isRefused(given)) return given;
    const said = await saidOf(tools.get(tool), tool, given);
    const progress = await this.progress();
    await this.#load(progress);
    const known = this.#calls.get(ref);
    const isDead = known !== undefined && isOver(known, progress);
    if (known !== undefined && !isDead) return known.said === said ? known : this.#changed(ref);
    const wanted = { ...queued(), ref, tool, arguments: given, confidence, said };
    this.#calls.set(ref, wanted);
    this.#gather();
    return wanted;
  }

  async #wantedDraft(draft: Draft): Promise<WantedDraft | Refused> {
    const output = { canProceed: true, confidence: 1, explanation: '', ...draft };
    const said = readable(() => canonicalize(output, 'draft'));
    if (typeof said !== 'string') return said;
    const progress = await this.progress();
    const known = this.#draft;
    const isDead = known !== null && (known.verdict !== null || isSuperseded(known, progress));
    if (known !== null && !isDead) return known.said === said ? known : this.#changed('the answer');
    // what can be written canonically can be read back, and its schema is the chart's to hold it against
    const wanted: WantedDraft = { ...queued(), output: JSON.parse(said) as DraftOutput, said };
    this.#draft = wanted;
    this.#gather();
    return wanted;
  }

  /** Says, on record, that something came back under its name with another content. */
  async #changed(name: string): Promise<Refused> {
    const explanation = `${name} was proposed with another content: expected the same, or another name`;
    const refusal = refused('PROPOSAL_CHANGED', explanation);
    await this.#surroundings.orchestrator.refuse(this.taskId, { code: refusal.code, explanation });
    return refusal;
  }

  /** What was proposed before this guard was there. */
  #load(progress: Progress): Promise<void> {
    this.#loaded ??= this.#read(progress);
    return this.#loaded;
  }

  async #read(progress: Progress): Promise<void> {
    const { orchestrator, tools } = this.#surroundings;
    for (const call of proposedCalls(await orchestrator.ledger(this.taskId))) {
      const { ref, tool, arguments: input } = call;
      if (ref === undefined || this.#calls.has(ref) || listingOf(ref, progress) === undefined) continue;
      const said = await saidOf(tools.get(tool), tool, input);
      const sent = { stage: 'sent', attempt: progress.attempt, verdict: null } as const;
      const wanted = { ...sent, ref, tool, arguments: JsonObject.parse(input), confidence: 1, said };
      this.#calls.set(ref, wanted);
    }
  }

  async #paused(progress: Progress, { waits = false }: Patience): Promise<Paused | undefined> {
    if (waits || !standsStill(progress)) return undefined;
    const questions = await this.questions();
    const { awaits } = progress;
    return questions.length + awaits.length > 0 ? { status: 'paused', questions, awaits } : undefined;
  }

  async #until<Result>(
    decide: (progress: Progress) => Promise<Result | undefined>,
    { signal }: Patience,
  ): Promise<Result> {
    for (;;) {
      signal?.throwIfAborted();
      const seen = this.#changes;
      const decided = await decide(await this.progress());
      if (decided !== undefined) return decided;
      if (seen === this.#changes) await this.#change(signal);
    }
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }

  #gather(): void {
    if (this.#turn !== null) this.#surroundings.gather(() => void this.#answer());
  }

  /** Answers the open turn with what the agent proposed meanwhile: calls come before the answer. */
  async #answer(): Promise<void> {
    const open = this.#turn;
    const calls = [...this.#calls.values()].filter(({ stage }) => stage === 'queued');
    const draft = this.#draft?.stage === 'queued' ? this.#draft : null;
    if (open === null || (calls.length === 0 && draft === null)) return;
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
    const { orchestrator, tools } = this.#surroundings;
    const isRepeated = turn.wants === 'plan' && turn.attempt > 0;
    const standing = isRepeated ? standingCalls(await orchestrator.ledger(this.taskId), tools) : [];
    const earlier = standing
      .filter(({ ref }) => !calls.some((call) => call.ref === ref))
      .map(({ tool, arguments: input, ref }) => ({ tool, arguments: JsonObject.parse(input), ref }));
    this.#sent = { calls, behind: earlier.length };
    return outputOf(turn, calls, earlier);
  }

  /** What the chart sent back is said to whoever proposed it; what came with it is proposed again. */
  #judge({ rejected, wants }: Turn): void {
    const issues = rejected?.issues ?? [];
    const { calls, behind } = this.#sent;
    const own = calls.map((_, at) => issues.filter(({ path }) => path.startsWith(`/calls/${behind + at}/`)));
    const isOne = own.some((some) => some.length > 0);
    for (const [at, call] of calls.entries()) {
      const found = isOne ? (own[at] ?? []) : issues;
      if (isOne && found.length === 0) call.stage = 'queued';
      else call.verdict = refused('OUTPUT_INVALID', inWords(found), found);
    }
    if (calls.length === 0 && wants === 'draft' && this.#draft?.stage === 'sent')
      this.#draft.verdict = refused('OUTPUT_INVALID', inWords(issues), issues);
  }
}
