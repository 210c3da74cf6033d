import { isDeepStrictEqual } from 'node:util';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTaskClass } from 'agentcharter';
import { createGuard, type Guard, type Run } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { z } from 'zod';
import { specsOf, type Binding, type Opened, type Played, type Read } from './binding.ts';
import { toolName, type Arguments, type BindingName, type Call, type Entry, type Expected } from './entry.ts';
import { scenariosOf, type NamedCall, type Scenario } from './scenario.ts';

/** What became of an entry: one sentence for each thing that was not as expected. */
export type Findings = readonly string[];

/** How many people's answers an entry may need, one after the other. */
const mostRestarts = 10;

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** A value as a failed test shows it. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 160);

/** A text as JSON, where it is JSON. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const isRead = (read: Read | undefined, expected: unknown): boolean => {
  if (read === undefined || 'error' in read) return false;
  if ('value' in read) return isDeepStrictEqual(read.value, expected);
  return typeof expected === 'string'
    ? read.text === expected
    : isDeepStrictEqual(jsonIn(read.text), expected);
};

const writesIn = (calls: readonly { readonly tool: Call['tool'] }[]): number =>
  calls.filter(({ tool }) => tool === 'write').length;

/** What is found out of one entry in one binding, from its first turn to its answer. */
class Attempt {
  readonly entry: Entry;
  readonly findings: string[] = [];
  readonly received: { readonly tool: Call['tool']; readonly given: unknown }[] = [];
  /** The arguments that people were shown and approved. */
  readonly approved: unknown[] = [];
  readonly #expected: Expected;

  constructor(entry: Entry, name: BindingName) {
    this.entry = entry;
    this.#expected = entry.expectsIn?.[name] ?? entry.expects;
  }

  expect(what: string, seen: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(seen, expected))
      this.findings.push(`${what}: ${shown(seen)}, expected ${shown(expected)}`);
  }

  get isRefused(): boolean {
    return this.#expected.refused !== undefined;
  }

  get answer(): Arguments | undefined {
    return this.#expected.answer;
  }

  resultOf(at: number): unknown {
    const { results, result = { ok: true } } = this.#expected;
    return results === undefined ? result : results[at];
  }

  expectReads(calls: readonly NamedCall[], reads: readonly (Read | undefined)[]): void {
    const { refused, shown: isShown } = this.#expected;
    for (const [at, { tool }] of calls.entries()) {
      const read = reads[at];
      const isRight =
        refused !== undefined && tool === 'read'
          ? read !== undefined && 'error' in read && read.error.includes(refused)
          : isRead(read, isShown ?? this.resultOf(at));
      if (!isRight) this.findings.push(`result ${at + 1} was read as ${shown(read)}`);
    }
  }

  expectReceived(calls: readonly NamedCall[], isShown: boolean): void {
    this.expect('the number of approvals', this.approved.length, writesIn(calls));
    this.expect('the number of writes', writesIn(this.received), writesIn(calls));
    const { received } = this.#expected;
    const isRight = (given: Arguments): boolean =>
      typeof received === 'function'
        ? received(given)
        : calls.some((call) => isDeepStrictEqual(received ?? call.arguments, given));
    for (const { tool, given } of this.received) {
      const json = jsonIn(JSON.stringify(given)) as Arguments; // an absent member and an undefined one are the same
      if (!isRight(json)) this.findings.push(`a tool got ${shown(given)}`);
      const isApproved = this.approved.some((one) => isDeepStrictEqual(one, json));
      if (tool === 'write' && isShown && !isApproved)
        this.findings.push(`a person was shown ${shown(this.approved)}`);
    }
  }
}

const Asked = z.object({ action: z.object({ tool: z.string(), arguments: z.unknown() }) });

/** One agent, in all of its processes. */
class Play {
  readonly scenario: Scenario;
  readonly attempts: readonly Attempt[];
  #taskId = '';
  #last: Played | null = null;

  constructor(scenario: Scenario, name: BindingName) {
    this.scenario = scenario;
    this.attempts = scenario.entries.map((entry) => new Attempt(entry, name));
  }

  get isWaiting(): boolean {
    return this.#last === null || this.#last.status === 'paused';
  }

  find(what: string): void {
    for (const { findings } of this.attempts) findings.push(what);
  }

  /** Begins it, or resumes it in another process after a person has approved what it asks. */
  async goOn(guard: Guard, opened: Opened): Promise<void> {
    try {
      const run = await this.#runOf(guard, opened);
      this.#last = await opened.play(run, this.scenario);
      if (this.#last.status === 'delivered') await this.#judge(guard, run, opened, this.#last);
      else if (this.#last.status !== 'paused') this.find(`it ended ${shown(this.#last)}`);
    } catch (error) {
      this.#last = { status: 'threw', reads: [], earlier: [] };
      this.find(`it threw ${String(error).slice(0, 300)}`);
    }
  }

  async #runOf(guard: Guard, { prefix = '' }: Opened): Promise<Run> {
    if (this.#taskId === '') {
      const begun = await guard.begin({ taskClass: this.scenario.id, payload: {}, identity });
      this.#taskId = begun.taskId;
      return begun;
    }
    const run = await guard.resume(this.#taskId);
    for (const { question, message } of await run.questions()) {
      if (question.kind !== 'approval') throw new Error(`it asks about ${question.kind}`);
      const { tool, arguments: given } = Asked.parse(message.payload).action;
      const isAsked = ({ entry }: Attempt) => prefix + toolName(entry, 'write') === tool;
      this.attempts.find(isAsked)?.approved.push(given);
      await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
    }
    return run;
  }

  async #judge(guard: Guard, run: Run, { prefix = '', valueIn }: Opened, played: Played): Promise<void> {
    const { turns, earlier, answer } = this.scenario;
    const calls = turns.flat();
    const haveOneId = new Set(calls.map(({ id }) => id)).size < calls.length;
    const { evidence } = await run.progress();
    const valuesOf = (entry: Entry): readonly unknown[] =>
      evidence
        .filter(({ source }) =>
          [toolName(entry, 'read'), toolName(entry, 'write')].some((name) => prefix + name === source),
        )
        .map(({ payload }) => (valueIn === undefined ? payload : valueIn(payload)));
    for (const attempt of this.attempts) {
      const own = calls.filter(({ of }) => of === attempt.entry);
      // frameworks list refused calls before others; where ids come again, there is none
      const reads = own.map((call) =>
        haveOneId ? played.reads[calls.indexOf(call)] : played.reads.find(({ id }) => id === call.id),
      );
      attempt.expectReads(own, reads);
      attempt.expectReceived(own, valueIn === undefined);
      attempt.expect('the answer', played.payload, attempt.answer ?? answer);
      if (!attempt.isRefused)
        attempt.expect(
          'the ledger',
          valuesOf(attempt.entry),
          own.map((_, at) => attempt.resultOf(at)),
        );
    }
    if (played.reads.length !== calls.length) this.find(`${played.reads.length} results were read`);
    for (const part of earlier.flatMap(({ text, image = text }) => [text, image]))
      if (![part, part.toWellFormed()].some((one) => played.earlier.includes(one)))
        this.find(`forgot ${part.slice(0, 60)}`);
    const { intact, findings } = await verifyLedger(await guard.orchestrator.ledger(run.taskId));
    if (!intact) this.find(`the ledger is not intact: ${shown(findings)}`);
  }
}

const openGuard = (file: string, { prefix = '', tools }: Opened, plays: readonly Play[]): Guard =>
  createGuard({
    tools,
    taskClasses: plays.map(({ scenario: { id, entries } }) => {
      const names = entries.flatMap((entry) => [toolName(entry, 'read'), toolName(entry, 'write')]);
      return defineTaskClass({ id, tools: names.map((name) => prefix + name) });
    }),
    policy: { version: '1', decide: () => ({ verdict: 'needs_review', reasons: ['a person decides'] }) },
    store: sqliteStore(file),
  });

/** Plays scenarios in one process, and ends it: what they wait for stays in the file. */
const playIn = async (file: string, binding: Binding, plays: readonly Play[]): Promise<void> => {
  const opened = await binding.open(
    plays.map(({ scenario, attempts }) => ({
      scenario,
      specs: attempts.flatMap(({ entry, received }) =>
        specsOf(entry, (tool, given) => received.push({ tool, given })),
      ),
    })),
  );
  const guard = openGuard(file, opened, plays);
  try {
    await guard.orchestrator.recover();
    await Promise.all(plays.filter(({ isWaiting }) => isWaiting).map((play) => play.goOn(guard, opened)));
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
  const expressible = entries.filter(({ not }) => not?.[binding.name] === undefined);
  const plays = scenariosOf(expressible).map((scenario) => new Play(scenario, binding.name));
  try {
    for (let restart = 0; restart <= mostRestarts; restart += 1)
      if (plays.some(({ isWaiting }) => isWaiting)) await playIn(join(folder, 'corpus.db'), binding, plays);
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const play of plays) if (play.isWaiting) play.find('it waits for ever');
  const attempts = plays.flatMap((play) => play.attempts);
  return new Map(attempts.map(({ entry, findings }) => [entry.id, findings]));
};
