import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../../machines/index.ts';
import { issueInDocument } from '../../base/boundary/issues-of.ts';
import { isCharterError } from '../../base/errors.ts';
import type { InboxEntry, Settled } from '../../core/kernel/summary.ts';
import type { LedgerRecord, RecordPayload } from '../../base/ports/ledger.ts';
import { numbered } from '../failure.ts';
import { questionSubject, sentenceOf, type Proposer } from '../sentence.ts';
import { shortText, valueText } from '../value-text.ts';

/** A call of a tool, with its arguments. */
export interface NamedCall {
  readonly tool: string;
  readonly arguments: unknown;
}

const fullName = ({ tool, arguments: given }: NamedCall): string => `${tool}(${valueText(given)})`;

const failedChecks = ({ checks }: NonNullable<RecordPayload['report']>): string =>
  checks
    .filter(({ result }) => result !== 'pass')
    .map(({ check_id: id, message }) => (typeof message === 'string' ? `${id}, ${message}` : id))
    .join('; ');

/** Returns what a record adds to the sentence of its fact; nothing if the sentence says it all. */
const detailOf = ({ fact, brought }: LedgerRecord): string => {
  const { reasons, explanation, evidence, report, output, rejected, feedback } = brought;
  if (rejected) return rejected.issues.map(issueInDocument).join('; ');
  if (report) return failedChecks(report);
  if (evidence) return valueText(evidence.payload);
  if (feedback) return feedback.content === undefined ? '' : valueText(feedback.content);
  if (fact?.type === 'draft.proposed') return valueText(output?.payload);
  return reasons?.join('; ') ?? explanation ?? '';
};

/** Digests, and the ids that a scenario counts. */
const identifiers = /sha256:[\da-f]{64}|0{8}-0{4}-4000-8000-[\da-f]{12}/g;

/** Writes down what happens in a scenario, in order, as lines that a person reads. */
export class Journal {
  readonly #lines: string[] = [];
  /** Calls, by id and by digest. */
  readonly #calls = new Map<string, NamedCall>();
  /** The subjects of questions, by the id of the question. */
  readonly #subjects = new Map<string, string>();
  readonly #proposer: Proposer;
  #root: string | null = null;
  #threshold = 0;

  constructor(proposer: Proposer) {
    this.#proposer = proposer;
  }

  /** Adds a line. */
  note(line: string): void {
    this.#lines.push(shortText(line.replaceAll(identifiers, '…'), 400));
  }

  /** The lines, numbered. */
  get text(): string {
    return numbered(this.#lines);
  }

  /** Returns the call of this id or digest. */
  call(about: string): NamedCall | undefined {
    return this.#calls.get(about);
  }

  record(record: LedgerRecord): void {
    this.#root ??= record.taskId;
    this.#threshold = record.brought.contract?.threshold ?? this.#threshold;
    for (const call of record.brought.calls ?? [])
      for (const name of [call.id, call.digest]) this.#calls.set(name, call);
    if (record.kind === 'refusal' && record.actor.kind === 'human') return; // `refused` says it
    const detail = detailOf(record);
    const line = this.#lineOf(record);
    this.note(`${record.taskId === this.#root ? '' : 'within it, '}${line}${detail && `: ${detail}`}`);
  }

  /** Notes that the answer of a person was refused. */
  refused(name: string, response: string, reason: string): void {
    this.note(`${name} is refused (${response}): ${reason}`);
  }

  question({ question: { id, kind, about }, message }: InboxEntry): void {
    const subject = questionSubject(kind, this.#nameOf(about));
    this.#subjects.set(id, subject);
    this.note(`a person is asked about ${subject}: ${message.explanation}`);
  }

  error(error: unknown): void {
    this.note(isCharterError(error) || error instanceof Error ? error.message : valueText(error));
  }

  end({ outcome, message, state }: Settled): void {
    this.note(
      outcome === 'success'
        ? `the task delivers ${valueText(message.payload)}`
        : `the task ends as ${state}: ${message.explanation}`,
    );
  }

  #nameOf(about: string): string {
    const call = this.#calls.get(about);
    if (call === undefined) return 'the draft';
    const isOnly = [...this.#calls.values()].every(
      ({ tool, arguments: given }) => tool !== call.tool || isDeepStrictEqual(given, call.arguments),
    );
    return isOnly ? call.tool : fullName(call);
  }

  /** Names a call: with its arguments where it is planned. */
  #callName(id: string, { type }: Fact): string {
    const call = this.#calls.get(id);
    const isPlanned = type === 'plan.proposed' || type === 'calls.proposed';
    return call !== undefined && isPlanned ? fullName(call) : this.#nameOf(id);
  }

  #lineOf({ kind, fact, actor, brought, code }: LedgerRecord): string {
    const told =
      fact &&
      sentenceOf(fact, {
        call: (id) => this.#callName(id, fact),
        action: (digest) => this.#nameOf(digest),
        question: (id) => this.#subjects.get(id) ?? 'a question',
        proposer: this.#proposer,
        person: actor.id,
        threshold: this.#threshold,
      });
    switch (kind) {
      case 'fact':
        return (
          told ?? `${actor.id} asks for ${brought.request?.taskClass}: ${valueText(brought.request?.payload)}`
        );
      case 'orphan':
        return `too late, ${told}`;
      case 'refusal':
        return `${actor.id} is refused (${code})`;
      case 'erasure':
        return `${actor.id} erases a document`;
      case 'recovery':
        return `the effect of ${brought.recovery?.tool} in doubt is ${brought.recovery?.resolution}`;
      case 'agent':
        return `${actor.id} saves where it stopped`;
      case 'message':
        return `${actor.id} says: ${brought.message?.explanation}`;
      case 'upgrade':
        return 'the task goes on under another version of the chart';
      case 'end':
        return 'the task is ended without its chart';
    }
  }
}
