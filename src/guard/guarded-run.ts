import { JsonObject } from '../../schema/index.ts';
import { canonicalize } from '../canonical/canonicalize.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { PlanOutput, type DraftOutput } from '../orchestrator/outputs.ts';
import type { Progress } from '../orchestrator/progress.ts';
import type { InboxEntry } from '../orchestrator/summary.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Turn, TurnOptions } from '../ports/model.ts';
import { Changes } from './changes.ts';
import { proposedAgain, standingCalls, wantedBefore } from './earlier.ts';
import { judge, nothingSent } from './judge.ts';
import type { CallOutcome, Clearance, Conclusion, Paused, Refused } from './outcome.ts';
import type { CallOptions, Draft, Patience, Run } from './run.ts';
import { isSame, readAs, saidOf } from './said.ts';
import type { Surroundings } from './surroundings.ts';
import { OpenTurn, outputOf } from './turn.ts';
import { callVerdict, draftVerdict, isOver, isSuperseded, standsStill } from './verdicts.ts';
import {
  isRefused,
  queued,
  readable,
  refused,
  replaced,
  waitedFor,
  type WantedCall,
  type WantedDraft,
} from './wanted.ts';

/** Somebody who asked for something, under a token of its own. */
type Asked<Options = Patience> = Options & Pick<Patience, 'signal'> & { readonly own: object };

const known = (verdict: Clearance): Clearance => verdict;
const made = (verdict: Clearance): CallOutcome | undefined =>
  verdict.status === 'cleared' ? undefined : verdict;

/** A run between two sides: an agent that proposes when it likes, and a chart that asks when it must. */
export class GuardedRun implements Run {
  readonly taskId: string;
  readonly #surroundings: Surroundings;
  readonly #calls = new Map<string, WantedCall>();
  readonly #changes = new Changes();
  #draft: WantedDraft | null = null;
  #turn: OpenTurn | null = null;
  #sent = nothingSent;
  /** The attempt that the last turn was of. */
  #attempt = 0;
  /** How many calls are being read: no answer overtakes them. */
  #reading = 0;
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
    const asked = { ...options, own: {} };
    const wanted = await this.#wantedDraft(draft, asked);
    if (isRefused(wanted)) return wanted;
    return this.#until(wanted, asked, async (progress, isLast) => {
      const verdict = draftVerdict(wanted, progress) ?? (await this.#paused(progress, options));
      if (verdict === undefined) return undefined;
      const isOpen =
        verdict.status === 'delivered' ||
        (verdict.status === 'paused' && (wanted.stage === 'sent' || !isLast()));
      if (!isOpen && this.#draft === wanted) this.#draft = null;
      return verdict;
    });
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
    if (turn.asks === 'correction') judge(turn, this.#sent, this.#draft);
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
    if (kind === 'fact' && fact?.type === 'changes.requested') this.#beginAnew();
    if (kind === 'fact' && fact?.type === 'human.responded' && fact.plan !== undefined)
      this.#replace(new Set(brought.calls?.map(({ ref }) => ref)));
    this.changed();
  }

  /** Nothing that was proposed for one request is meant for another. */
  #beginAnew(): void {
    for (const wanted of [...this.#calls.values(), ...(this.#draft === null ? [] : [this.#draft])]) {
      wanted.stage = 'sent';
      wanted.attempt = -1;
    }
    this.#calls.clear();
    this.#draft = null;
  }

  /** A person's plan stands in the place of what was proposed. */
  #replace(kept: ReadonlySet<string | undefined>): void {
    for (const wanted of this.#calls.values())
      if (wanted.stage === 'sent' && wanted.attempt === this.#attempt && !kept.has(wanted.ref))
        wanted.verdict ??= replaced();
  }

  async #outcome<Result extends Clearance>(
    tool: string,
    input: unknown,
    options: CallOptions,
    enough: (verdict: Clearance) => Result | undefined,
  ): Promise<Result | Paused | Refused> {
    const asked = { ...options, own: {} };
    const wanted = await this.#wantedCall(tool, input, asked);
    if (isRefused(wanted)) return wanted;
    return this.#until(wanted, asked, async (progress, isLast) => {
      const verdict = callVerdict(wanted, progress);
      if (verdict !== undefined) return enough(verdict);
      const paused = await this.#paused(progress, options);
      // nobody waits for it any more: it is proposed when it is called again
      if (paused !== undefined && wanted.stage === 'queued' && isLast()) this.#calls.delete(wanted.ref);
      return paused;
    });
  }

  async #wantedCall(tool: string, input: unknown, asked: Asked<CallOptions>): Promise<WantedCall | Refused> {
    this.#reading += 1;
    try {
      return await this.#readCall(tool, input, asked);
    } finally {
      this.#reading -= 1;
      this.#gather();
    }
  }

  async #readCall(tool: string, input: unknown, asked: Asked<CallOptions>): Promise<WantedCall | Refused> {
    const { tools, freshRef } = this.#surroundings;
    const { ref = freshRef(), confidence = 1, own } = asked;
    const call = readable(() => {
      readAs(tool, ref);
      return {
        input: JsonObject.parse(frozenCopy(input, tool)),
        confidence: PlanOutput.shape.confidence.parse(confidence),
      };
    });
    if (isRefused(call)) return call;
    const said = await saidOf(tools.get(tool), tool, call.input);
    const progress = await this.progress();
    await this.#load(progress);
    const known = this.#calls.get(ref);
    if (known !== undefined && !isOver(known, progress))
      return isSame(known.said, said) ? waitedFor(known, own) : this.#changed(ref);
    const wanted = { ...queued(), ref, tool, arguments: call.input, confidence: call.confidence, said };
    this.#calls.set(ref, wanted);
    return waitedFor(wanted, own);
  }

  async #wantedDraft(draft: Draft, { own }: Asked): Promise<WantedDraft | Refused> {
    const output = { canProceed: true, confidence: 1, explanation: '', ...draft };
    const said = readable(() => canonicalize(output, 'draft'));
    if (typeof said !== 'string') return said;
    const progress = await this.progress();
    const known = this.#draft;
    const isDead = known !== null && (known.verdict !== null || isSuperseded(known, progress));
    if (known !== null && !isDead)
      return known.said === said ? waitedFor(known, own) : this.#changed('the answer');
    // what can be written canonically can be read back, and its schema is the chart's to hold it against
    const wanted: WantedDraft = { ...queued(), output: JSON.parse(said) as DraftOutput, said };
    this.#draft = wanted;
    this.#gather();
    return waitedFor(wanted, own);
  }

  /** Says, on record, that something came back under its name with another content. */
  async #changed(name: string): Promise<Refused> {
    const explanation = `${name} was proposed with another content: expected the same, or another name`;
    const refusal = refused('PROPOSAL_CHANGED', explanation);
    await this.#surroundings.orchestrator.refuse(this.taskId, { code: refusal.code, explanation });
    return refusal;
  }

  /** What was proposed before this guard was there; what could not be read is read again. */
  #load(progress: Progress): Promise<void> {
    this.#loaded ??= this.#read(progress).catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #read(progress: Progress): Promise<void> {
    const records = await this.#surroundings.orchestrator.ledger(this.taskId);
    for (const wanted of wantedBefore(records, progress))
      if (!this.#calls.has(wanted.ref)) this.#calls.set(wanted.ref, wanted);
  }

  async #paused(progress: Progress, { waits = false }: Patience): Promise<Paused | undefined> {
    if (waits || !standsStill(progress)) return undefined;
    const questions = await this.questions();
    const { awaits } = progress;
    return questions.length + awaits.length > 0 ? { status: 'paused', questions, awaits } : undefined;
  }

  /** Waits until something is decided; `isLast` says whether nobody else waits for it any more, and is asked when one goes. */
  async #until<Result>(
    { waiting }: WantedCall | WantedDraft,
    { own, signal }: Asked,
    decide: (progress: Progress, isLast: () => boolean) => Promise<Result | undefined>,
  ): Promise<Result> {
    const isLast = (): boolean => {
      waiting.delete(own);
      return waiting.size === 0;
    };
    try {
      for (;;) {
        signal?.throwIfAborted();
        const seen = this.#changes.count;
        const decided = await decide(await this.progress(), isLast);
        if (decided !== undefined) return decided;
        await this.#changes.since(seen, signal);
      }
    } finally {
      waiting.delete(own);
    }
  }

  #gather(): void {
    if (this.#turn !== null) this.#surroundings.gather(() => void this.#answer());
  }

  /** Answers the open turn with what the agent proposed meanwhile: calls come before the answer. */
  async #answer(): Promise<void> {
    const open = this.#turn;
    const calls = [...this.#calls.values()].filter(({ stage }) => stage === 'queued');
    const draft = this.#draft?.stage === 'queued' ? this.#draft : null;
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
    const { orchestrator, tools, freshRef } = this.#surroundings;
    const isRepeated = turn.wants === 'plan' && turn.attempt > 0;
    const standing = isRepeated ? standingCalls(await orchestrator.ledger(this.taskId), tools) : [];
    const earlier = standing.filter(({ call }) => !calls.some(({ ref }) => ref === call.ref));
    const again = await proposedAgain(earlier, turn, {
      tools,
      freshRef,
      given: (ref) => this.#calls.get(ref)?.arguments,
    });
    this.#sent = { calls, behind: again.length };
    return outputOf(turn, calls, again);
  }
}
