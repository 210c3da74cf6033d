import { isDeepStrictEqual } from 'node:util';
import type { InputOf, ToolName, Tools } from '../../base/define/inferred.ts';
import { isCharterError, type CharterError, type ErrorCode } from '../../base/errors.ts';
import type { Feedback } from '../../base/feedback/feedback.ts';
import type { InboxEntry, Settled } from '../../core/kernel/summary.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { ApprovalClaims } from '../../base/ports/approvals.ts';
import type { Person } from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import type { Payload } from '../../base/ports/schema.ts';
import type { ReasonCode } from '../../../schema/index.ts';
import { TestFailure } from '../failure.ts';
import { valueText } from '../value-text.ts';
import { millisecondsOf, type Duration } from './duration.ts';
import type { Journal } from './journal.ts';
import type { ScenarioWorld } from './world.ts';

/** Which question is meant: all given members must match. */
export interface QuestionMatch<Name extends string = string> {
  readonly kind?: OpenQuestion['kind'];
  /** The tool that the question is about. */
  readonly tool?: Name;
}

/** Who answers, and which question if several are open. */
export interface Respondent<Name extends string = string> {
  /** The person, as your host would authenticate them. */
  readonly by: string | Person;
  /** A signed approval, or a function that signs the claims at this time (milliseconds since 1970). */
  readonly approval?: string | ((claims: ApprovalClaims, now: number) => string | Promise<string>);
  readonly question?: QuestionMatch<Name>;
}

/** An answer to a question: feedback without its target. */
export type ScenarioResponse = Omit<Feedback, 'target'>;

const nameOf = (by: string | Person): string => (typeof by === 'string' ? by : by.id);

const matchText = ({ kind, tool }: QuestionMatch): string =>
  `a question${kind === undefined ? '' : ` (${kind})`}${tool === undefined ? '' : ` about ${tool}`}`;

/** A task in a scenario, which rests after each step: it has ended, or waits for a person, an event or time. */
export class ScenarioRun<Has extends Tools = Tools, Output extends Payload = Payload> {
  readonly taskId: string;
  /** The orchestrator, for actions that the scenario has no method for. Call `passTime(0)` afterwards. */
  readonly orchestrator: Orchestrator;
  readonly #world: ScenarioWorld;
  readonly #journal: Journal;
  #questions: readonly InboxEntry[] = [];
  #ended: Settled | null = null;

  constructor(taskId: string, orchestrator: Orchestrator, world: ScenarioWorld, journal: Journal) {
    this.taskId = taskId;
    this.orchestrator = orchestrator;
    this.#world = world;
    this.#journal = journal;
  }

  /** What happened so far: who did or said what, in order, one numbered line each. */
  get thread(): string {
    return this.#journal.text;
  }

  /** Answers the open question. Throws if there is none or the answer is refused. */
  async respond(response: ScenarioResponse, who: Respondent<ToolName<Has>>): Promise<void> {
    const refusal = await this.#respond(response, who);
    if (refusal !== null)
      throw this.#failure(`the answer of ${nameOf(who.by)} to be accepted`, { cause: refusal });
    await this.rest();
  }

  /**
   * Answers the open question, and expects that the answer is refused; the question stays open. `code` is a reason
   * code or that of the error, which is returned.
   */
  async expectResponseRefused(
    response: ScenarioResponse,
    who: Respondent<ToolName<Has>>,
    code?: ReasonCode | ErrorCode,
  ): Promise<CharterError> {
    const refusal = await this.#respond(response, who);
    await this.rest();
    const codes = refusal === null ? [] : codesOf(refusal);
    if (refusal !== null && (code === undefined || codes.includes(code))) return refusal;
    const found = refusal === null ? '' : `, and the code was ${codes.join(' and ')}`;
    throw this.#failure(
      `the answer of ${nameOf(who.by)} to be refused${code === undefined ? '' : ` with ${code}`}${found}`,
    );
  }

  /** Advances the clock: `'2 days'`, `'90 seconds'` or milliseconds. Deadlines pass in order, each at its time. */
  async passTime(duration: Duration): Promise<void> {
    const length = millisecondsOf(duration);
    if (length > 0)
      this.#journal.note(`time passes: ${typeof duration === 'string' ? duration : `${duration} ms`}`);
    await this.#world.clock.advance(length, () => this.#world.rest());
    await this.rest();
  }

  /** Expects an open question of this kind, about this tool, and returns it with its message. */
  expectQuestion(match: QuestionMatch<ToolName<Has>> = {}): InboxEntry {
    const found = this.#matching(match)[0];
    if (found !== undefined) return found;
    throw this.#failure(matchText(match));
  }

  /** Expects that the answer was delivered, with this payload if one is given, and returns its payload. */
  expectDelivered(payload?: Output): Output {
    const ended = this.#ended;
    if (ended?.outcome !== 'success') throw this.#failure('the answer to be delivered');
    const delivered = ended.message.payload;
    if (payload === undefined || isDeepStrictEqual(delivered, payload)) return delivered as Output; // its schema read it
    throw this.#failure(`${valueText(payload)} to be delivered`);
  }

  /**
   * Expects that the task ended without an answer, for this reason if one is given. `about` is the subject of the reason, such as a tool or a verifier.
   */
  expectRefused(code?: ReasonCode, about?: string): void {
    const reasons = this.#ended === null || this.#ended.outcome === 'success' ? null : this.#ended.reasons;
    const isMet = (reason: { readonly code: string; readonly about: string }): boolean =>
      (code === undefined || reason.code === code) &&
      (about === undefined || [reason.about, this.#journal.call(reason.about)?.tool].includes(about));
    if (reasons !== null && (code === undefined || reasons.some(isMet))) return;
    const why = code === undefined ? '' : ` because of ${code}${about === undefined ? '' : ` ${about}`}`;
    throw this.#failure(`the task to end without an answer${why}`);
  }

  /** Expects that a tool was called, with these arguments if they are given. */
  expectCalled<Name extends ToolName<Has>>(tool: Name, given?: InputOf<Has, Name>): void {
    this.#world.checkTool(tool);
    const calls = this.#world.calls.filter((call) => call.tool === tool);
    if (calls.some((call) => given === undefined || isDeepStrictEqual(call.arguments, given))) return;
    const what = given === undefined ? tool : `${tool}(${valueText(given)})`;
    throw this.#failure(`${what} to be called`);
  }

  /** Expects that a tool was never called. Throws `TypeError` for the name of no tool. */
  expectNotCalled(tool: ToolName<Has>): void {
    this.#world.checkTool(tool);
    if (this.#world.calls.some((call) => call.tool === tool)) throw this.#failure(`${tool} not to be called`);
  }

  /** Expects that a call of a tool was rolled back. */
  expectRolledBack(tool: ToolName<Has>): void {
    this.#world.checkTool(tool);
    if (!this.#world.rollbacks.includes(tool)) throw this.#failure(`${tool} to be rolled back`);
  }

  /** @internal Waits until the task rests. Throws if the scenario lacks an answer. */
  async rest(): Promise<void> {
    await this.#world.rest();
    const { fault } = this.#world;
    if (fault !== null) throw new TestFailure(`${capital(fault)}.\n\n${this.#told()}`);
    this.#questions = await this.orchestrator.inbox(this.taskId);
    const [summary] = await this.orchestrator.list({ taskId: this.taskId });
    if (this.#ended !== null || summary?.isSettled !== true) return;
    this.#ended = await this.orchestrator.settled(this.taskId);
    this.#journal.end(this.#ended);
  }

  #matching({ kind, tool }: QuestionMatch): readonly InboxEntry[] {
    return this.#questions.filter(
      ({ question }) =>
        (kind === undefined || question.kind === kind) &&
        (tool === undefined || this.#toolOf(question) === tool),
    );
  }

  #toolOf({ approval, about }: OpenQuestion): string | undefined {
    return approval?.tool ?? this.#journal.call(about)?.tool;
  }

  /** Sends an answer, and returns why it was refused; `null` if it was accepted. */
  async #respond(
    response: ScenarioResponse,
    { by, approval, question = {} }: Respondent,
  ): Promise<CharterError | null> {
    const [entry, ...others] = this.#matching(question);
    if (entry === undefined) throw this.#failure(`${matchText(question)} for ${nameOf(by)} to answer`);
    if (others.length > 0)
      throw this.#failure(`one ${matchText(question).slice(2)} for ${nameOf(by)}: say which`);
    const claims = entry.question.approval;
    const token =
      typeof approval === 'function' && claims !== undefined
        ? await approval(claims, this.#world.clock.now())
        : approval;
    try {
      await this.orchestrator.respond(
        { ...response, target: entry.message.messageId },
        { by, ...(typeof token === 'string' && { approval: token }) },
      );
      return null;
    } catch (error) {
      if (!isCharterError(error)) throw error;
      this.#journal.refused(nameOf(by), response.type, reasonOf(error));
      return error;
    }
  }

  #failure(expected: string, options?: ErrorOptions): TestFailure {
    return new TestFailure(`Expected ${expected}.\nInstead, ${this.#now()}.\n\n${this.#told()}`, options);
  }

  /** Says where the task is now. */
  #now(): string {
    if (this.#ended?.outcome === 'success')
      return `the task delivered ${valueText(this.#ended.message.payload)}`;
    if (this.#ended !== null) {
      const { state, reasons, message } = this.#ended;
      const codes = [...new Set(reasons.map(({ code }) => code))].join(', ');
      return `the task ended as ${state} (${codes}): ${message.explanation.replace(/\.$/, '')}`;
    }
    const asked = this.#questions.map(({ question }) =>
      matchText({ kind: question.kind, ...this.#about(question) }),
    );
    return asked.length > 0 ? `${asked.join(' and ')} is open` : 'the task goes on and asks no one';
  }

  #about(question: OpenQuestion): { readonly tool?: string } {
    const tool = this.#toolOf(question);
    return tool === undefined ? {} : { tool };
  }

  #told(): string {
    return `What happened:\n${this.thread}`;
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const codesOf = (error: CharterError): readonly string[] =>
  isCharterError(error, 'feedback_refused') && error.details.code !== null
    ? [error.code, error.details.code]
    : [error.code];

/** Returns why an answer was refused, without identifiers of tasks and questions. */
const reasonOf = (error: CharterError): string => {
  if (isCharterError(error, 'feedback_refused')) return error.details.reason;
  if (isCharterError(error, 'identity_refused')) return 'this person may not answer';
  return error.code;
};
