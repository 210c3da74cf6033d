import { isDeepStrictEqual } from 'node:util';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTaskClass } from 'agentcharter';
import { createGuard, type Guard, type Run } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { z } from 'zod';
import { caseOf, type Binding, type Opened, type Played, type Read } from './binding.ts';
import { answerOf, toolName, turnsOf, type Arguments, type BindingName, type Call, type Entry, type Expected } from './entry.ts';

/** What became of an entry: one sentence for each thing that was not as expected. */
export type Findings = readonly string[];

/** How many people's answers an entry may need, one after the other. */
const mostRestarts = 4;

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** A value as a failed test shows it. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 160);

const Action = z.object({ action: z.object({ arguments: z.unknown() }) });

const isRead = (read: Read | undefined, expected: unknown): boolean => {
  if (read === undefined || 'error' in read) return false;
  if ('value' in read) return isDeepStrictEqual(read.value, expected);
  return typeof expected === 'string'
    ? read.text === expected
    : isDeepStrictEqual(jsonIn(read.text), expected);
};

/** A text as JSON, where it is JSON. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** One entry in one binding, from its first turn to its answer. */
class Attempt {
  readonly entry: Entry;
  readonly findings: string[] = [];
  readonly received: { readonly tool: Call['tool']; readonly given: unknown }[] = [];
  readonly #expected: Expected;
  #taskId = '';
  #last: Played | null = null;
  /** The arguments that people were shown and approved. */
  readonly #approved: unknown[] = [];

  constructor(entry: Entry, name: BindingName) {
    this.entry = entry;
    this.#expected = entry.expectsIn?.[name] ?? entry.expects;
  }

  get isWaiting(): boolean {
    return this.findings.length === 0 && (this.#last === null || this.#last.status === 'paused');
  }

  /** Begins it, or resumes it in another process after a person has approved what it asks. */
  async goOn(guard: Guard, opened: Opened): Promise<void> {
    try {
      const run = await this.#runOf(guard);
      this.#last = await opened.play(run, this.entry);
      if (this.#last.status === 'delivered') await this.#judge(guard, run, opened, this.#last);
      else if (this.#last.status !== 'paused') this.findings.push(`it ended ${shown(this.#last)}`);
    } catch (error) {
      this.findings.push(`it threw ${String(error).slice(0, 300)}`);
    }
  }

  async #runOf(guard: Guard): Promise<Run> {
    if (this.#taskId === '') {
      const begun = await guard.begin({ taskClass: this.entry.id, payload: {}, identity });
      this.#taskId = begun.taskId;
      return begun;
    }
    const run = await guard.resume(this.#taskId);
    const questions = await run.questions();
    if (questions.length === 0) this.findings.push('it waits, and asks nobody');
    for (const { question, message } of questions) {
      if (question.kind !== 'approval') this.findings.push(`it asks about ${question.kind}`);
      await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
      this.#approved.push(Action.safeParse(message.payload).data?.action.arguments);
    }
    return run;
  }

  async #judge(guard: Guard, run: Run, { valueIn }: Opened, played: Played): Promise<void> {
    const calls = turnsOf(this.entry).flat();
    const writes = calls.filter(({ tool }) => tool === 'write');
    this.#expect('approvals', this.#approved.length, writes.length);
    this.#expectReads(calls, played.reads);
    this.#expectReceived(calls, valueIn === undefined);
    this.#expect('the answer', played.payload, this.#expected.answer ?? answerOf(this.entry));
    for (const { text, image } of this.entry.earlier ?? [])
      for (const part of [text, ...(image === undefined ? [] : [image])])
        if (![part, part.toWellFormed()].some((one) => played.earlier.includes(one))) this.findings.push(`forgot ${part.slice(0, 60)}`);
    const { evidence } = await run.progress();
    if (this.#expected.refused === undefined)
      this.#expect(
        'the ledger',
        evidence.map(({ payload }) => (valueIn === undefined ? payload : valueIn(payload))),
        calls.map((_, at) => this.#resultOf(at)),
      );
    const { intact, findings } = await verifyLedger(await guard.orchestrator.ledger(run.taskId));
    if (!intact) this.findings.push(`the ledger is not intact: ${shown(findings)}`);
  }

  #resultOf(at: number): unknown {
    const { results, result = { ok: true } } = this.#expected;
    return results === undefined ? result : results[at];
  }

  #expectReads(calls: readonly Call[], reads: readonly Read[]): void {
    const { refused, shown: isShown } = this.#expected;
    this.#expect('the number of results', reads.length, calls.length);
    for (const [at, { tool }] of calls.entries()) {
      const read = reads[at];
      const isRight =
        refused !== undefined && tool === 'read'
          ? read !== undefined && 'error' in read && read.error.includes(refused)
          : isRead(read, isShown ?? this.#resultOf(at));
      if (!isRight) this.findings.push(`result ${at + 1} was read as ${shown(read)}`);
    }
  }

  #expectReceived(calls: readonly Call[], isShown: boolean): void {
    const made = (from: readonly { readonly tool: Call['tool'] }[]) =>
      from.filter(({ tool }) => tool === 'write').length;
    this.#expect('the number of writes', made(this.received), made(calls));
    const { received } = this.#expected;
    const isRight = (given: Arguments): boolean =>
      typeof received === 'function'
        ? received(given)
        : calls.some((call) => isDeepStrictEqual(received ?? call.arguments, given));
    for (const { tool, given } of this.received) {
      const json = jsonIn(JSON.stringify(given)) as Arguments; // an absent member and an undefined one are the same
      if (!isRight(json)) this.findings.push(`a tool got ${shown(given)}`);
      const isApproved = this.#approved.some((one) => isDeepStrictEqual(one, json));
      if (tool === 'write' && isShown && !isApproved)
        this.findings.push(`a person was shown ${shown(this.#approved)}`);
    }
  }

  #expect(what: string, seen: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(seen, expected))
      this.findings.push(`${what}: ${shown(seen)}, expected ${shown(expected)}`);
  }
}

const openGuard = (file: string, opened: Opened, entries: readonly Entry[]): Guard => {
  const { prefix = '' } = opened;
  const namesOf = (entry: Entry) =>
    (['read', 'write'] as const).map((tool) => prefix + toolName(entry, tool));
  return createGuard({
    tools: opened.tools,
    taskClasses: entries.map((entry) => defineTaskClass({ id: entry.id, tools: namesOf(entry) })),
    policy: { version: '1', decide: () => ({ verdict: 'needs_review', reasons: ['a person decides'] }) },
    store: sqliteStore(file),
  });
};

/** Plays entries in one process, and ends it: what they wait for stays in the file. */
const playIn = async (file: string, binding: Binding, attempts: readonly Attempt[]): Promise<void> => {
  const opened = await binding.open(
    attempts.map(({ entry, received }) => caseOf(entry, (tool, given) => received.push({ tool, given }))),
  );
  const entries = attempts.map(({ entry }) => entry);
  const guard = openGuard(file, opened, entries);
  try {
    await guard.orchestrator.recover();
    await Promise.all(
      attempts.filter(({ isWaiting }) => isWaiting).map((attempt) => attempt.goOn(guard, opened)),
    );
  } finally {
    await guard.close();
    await opened.close?.();
  }
};

/**
 * Plays every entry that a binding can express, over one file: from the first turn to a question, through a restart and an
 * approval, to the answer. Returns what was not as expected, by entry.
 */
export const playAll = async (
  binding: Binding,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Findings>> => {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  const attempts = entries
    .filter(({ not }) => not?.[binding.name] === undefined)
    .map((entry) => new Attempt(entry, binding.name));
  try {
    for (let restart = 0; restart <= mostRestarts; restart += 1)
      if (attempts.some(({ isWaiting }) => isWaiting))
        await playIn(join(folder, 'corpus.db'), binding, attempts);
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const { isWaiting, findings } of attempts) if (isWaiting) findings.push('it waits for ever');
  return new Map(attempts.map(({ entry, findings }) => [entry.id, findings]));
};
