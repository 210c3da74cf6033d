import {
  createOrchestrator,
  defineTaskClass,
  type Approvals,
  type CallContext,
  type OrchestratorEvents,
  type Store,
  type Tool,
} from 'agentcharter';
import type { LedgerRecord } from 'agentcharter/ledger';
import type { Step } from 'agentcharter/stores';
import { memoryStore } from 'agentcharter/stores/memory';
import type * as fc from 'fast-check';
import type { Feedback } from '../../../../../../src/base/feedback/feedback.ts';
import { call, draft, identity, plan, writeTool } from '../../scripted.ts';
import { simulatedClock } from '../../simulated-clock.ts';
import { idle, type Habit, type Parts, type Story } from './parts.ts';
import { isOfTool } from '../../../../../fixtures/is-of-tool.ts';

/** An attempt and its result. */
interface Attempt {
  readonly what: 'answer' | 'cancel' | 'resolve';
  /** The message or the dependency that it answers. */
  readonly about: string;
  readonly error: unknown;
}

/** Everything observed in a race from outside. */
interface Seen {
  /** Every step as written. */
  readonly written: Step[];
  /** By call key, in order: calls made, effects done, effects rolled back. */
  readonly invoked: { readonly key: string; readonly after: number }[];
  readonly landed: string[];
  readonly undone: string[];
  readonly attempts: Attempt[];
  readonly settled: string[];
  readonly errors: unknown[];
}

const limits = { corrections: 0, repairs: 1, rounds: 1, revisions: 1, refreshes: 0, pauses: 4 };
const shared = { id: 'work', tools: ['send'], authorities: ['approval', 'human'], limits } as const;
const offer = { explanation: 'More?', payload: {}, byDefault: { more: false } };
const classes = {
  plain: defineTaskClass(shared),
  offering: defineTaskClass({ ...shared, followup: () => offer }),
};
const sending = writeTool('send', { tier: 'write_high_risk' });
const century = Date.parse('2126-01-01T00:00:00Z');
const token = ({ oneToken }: Story, by: string, about: string): string =>
  oneToken ? `${by} one` : `${by} ${about.slice(7, 23)}`;

const ids = () => {
  let last = 0;
  const hex = (digits: number): string => (last += 1).toString(16).padStart(digits, '0');
  return { uuid: () => `00000000-0000-4000-8000-${hex(12)}`, traceId: () => hex(32) };
};

/** Returns the action of a call as last proposed or edited; refusals change nothing. */
export const actionOf = (records: readonly LedgerRecord[], call: string): string | undefined =>
  records
    .flatMap(({ kind, brought }) => (kind === 'fact' ? (brought.calls ?? []) : []))
    .findLast(({ id }) => id === call)?.digest;

/** One task with everything that happens to it; each move waits for the scheduler. */
export class Race {
  readonly seen: Seen = {
    written: [],
    invoked: [],
    landed: [],
    undone: [],
    attempts: [],
    settled: [],
    errors: [],
  };
  readonly story: Story;
  readonly clock = simulatedClock();
  readonly store: Store;
  readonly orchestrator: ReturnType<typeof createOrchestrator>;
  taskId = '';
  readonly #scheduler: fc.Scheduler;
  readonly #behaviors: Story['behaviors'][number][];
  /** Work in flight that must end. */
  #passing: Promise<void> = Promise.resolve();
  readonly #open = new Set<Promise<unknown>>();

  constructor(story: Story, scheduler: fc.Scheduler, parts: Parts) {
    this.story = story;
    this.#scheduler = scheduler;
    this.#behaviors = [...story.behaviors];
    this.store = parts.store(memoryStore());
    const send: Tool = {
      ...sending,
      call: (_, context) => this.#call(context),
      rollback: sending.rollback && {
        describe: sending.rollback.describe,
        run: async (_, { key }) => {
          this.seen.undone.push(key.slice('rollback:'.length));
          return this.#soon('undo', null);
        },
      },
    };
    this.orchestrator = createOrchestrator({
      taskClasses: [story.offers ? classes.offering : classes.plain],
      model: { answer: async ({ asks }) => this.#soon(asks, asks === 'plan' ? this.#plan() : draft()) },
      tools: [send],
      policy: { decide: async () => this.#soon('decide', { verdict: 'allow', reasons: [] }) },
      approvals: parts.approvals(this.#approvals()),
      store: this.#watched(this.store),
      clock: this.clock,
      ids: ids(),
    });
    this.orchestrator.on('question', (event) => this.#ask(event));
    this.orchestrator.on('settled', ({ taskId }) => this.seen.settled.push(taskId));
    this.orchestrator.on('error', ({ error }) => {
      if (!isOfTool(error)) this.seen.errors.push(error);
    });
  }

  /** The records so far. */
  get records(): readonly LedgerRecord[] {
    return this.seen.written.map(({ record }) => record);
  }

  /** Attempts without a result. */
  get open(): number {
    return this.#open.size;
  }

  /** Runs until only the clock can move. */
  async run(): Promise<void> {
    const { cancels, hours } = this.story;
    const { taskId } = await this.orchestrator.submit({ taskClass: 'work', payload: {}, identity });
    this.taskId = taskId;
    if (cancels) this.#try('cancel', taskId, () => this.orchestrator.cancel(taskId, { by: 'kim' }));
    for (const hour of hours)
      void this.#soon('time', hour).then((ms) => {
        this.#passing = this.clock.advance(ms);
      });
    await this.#drain();
  }

  /** Advances the clock until every deadline has passed. */
  async exhaust(): Promise<void> {
    for (let weeks = 0; weeks < 20 && this.clock.sleeping() > 0; weeks += 1) {
      await this.clock.advance(8 * 86_400_000);
      await this.#drain();
    }
  }

  async #drain(): Promise<void> {
    await idle();
    while (this.#scheduler.count() > 0) {
      await this.#scheduler.waitOne();
      await idle();
      await this.#passing;
    }
  }

  #soon<Value>(label: string, value: Value): Promise<Value> {
    return this.#scheduler.schedule(Promise.resolve(), label).then(() => value);
  }

  #track(work: Promise<unknown>): void {
    this.#open.add(work);
    work.then(
      () => this.#open.delete(work),
      (error: unknown) => this.seen.errors.push(error),
    );
  }

  #try(what: Attempt['what'], about: string, work: () => Promise<void>): void {
    const tried = this.#soon(what, null)
      .then(work)
      .then(
        () => null,
        (error: unknown) => error,
      )
      .then((error) => this.seen.attempts.push({ what, about, error }));
    this.#track(tried);
  }

  #plan() {
    const amounts = [1, 2].slice(0, this.story.writes);
    return plan(amounts.map((amount) => call('send', { amount })));
  }

  #approvals(): Approvals {
    return {
      verify: async (given) => {
        const [approver = '', name] = given.split(' ');
        return this.#soon('verify', { approver, jti: `${approver}-${name}`, expiresAt: century });
      },
    };
  }

  #watched(inner: Store): Store {
    return {
      ...inner,
      commit: async (step) => {
        if (this.story.isSlow && step.record.seq > 0) await this.#soon('commit', null);
        const answer = await inner.commit(step);
        if (answer === 'ok') this.seen.written.push(step);
        return answer;
      },
    };
  }

  async #land(key: string): Promise<unknown> {
    this.seen.landed.push(key);
    return this.#soon('return', { sent: true });
  }

  async #call({ key, met, answer, signal, notYet, notDone, needsHuman }: CallContext): Promise<unknown> {
    this.seen.invoked.push({ key, after: this.seen.written.length });
    const behavior = met === null && answer === null ? (this.#behaviors.shift() ?? 'act') : 'act';
    if (behavior === 'hang')
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await this.#soon(behavior, null);
    switch (behavior) {
      case 'act':
      case 'hang':
        return this.#land(key);
      case 'lose':
        await this.#land(key);
        throw new Error('answer lost');
      case 'refuse':
        return notDone('no');
      case 'ask':
        return needsHuman({ explanation: 'Which?' });
      case 'wait': {
        const dependency = `event-${this.seen.invoked.length}`;
        const meet = () => this.orchestrator.resolve(this.taskId, dependency, { rows: 1 }, { by: 'lee' });
        for (const _ of ['once', 'twice']) this.#try('resolve', dependency, meet);
        return notYet({ dependency, explanation: '' });
      }
    }
  }

  /** Requests changes once, so that the task ends. */
  get #hasChanged(): boolean {
    return this.records.some(({ fact }) => fact?.type === 'changes.requested');
  }

  /** Kim and Lee both answer every question, in any order. */
  #ask({ question, message: { messageId } }: OrchestratorEvents['question']): void {
    const { kim, lee, repeats } = this.story;
    const answer = (by: string, habit: Habit): void => {
      const who = habit === 'token' && question.kind === 'approval';
      const said = () => ({ target: messageId, ...this.#said(question.kind, question.about, habit, by) });
      const approval = { approval: token(this.story, by, question.about) };
      this.#try('answer', messageId, () => this.orchestrator.respond(said(), { by, ...(who && approval) }));
    };
    answer('kim', kim);
    answer('lee', lee);
    if (repeats) answer('kim', kim);
  }

  #said(
    kind: OrchestratorEvents['question']['question']['kind'],
    about: string,
    habit: Habit,
    by: string,
  ): Omit<Feedback, 'target'> {
    switch (kind) {
      case 'approval':
        if (habit === 'edit') return { type: 'edit', content: { value: { amount: 3 } } };
        if (habit === 'instruction') return { type: 'instruction', content: 'otherwise' };
        return { type: habit === 'reject' ? 'reject' : 'approve' };
      case 'doubt': {
        const key = actionOf(this.records, about); // they look at the action and answer
        if (key !== undefined && this.seen.landed.includes(key)) return { type: 'approve' };
        return by === 'kim' ? { type: 'edit', content: { value: 'absent' } } : { type: 'reject' };
      }
      case 'followup':
        return by === 'kim' && !this.#hasChanged
          ? { type: 'instruction', content: 'more' }
          : { type: 'approve' };
      case 'limit':
        return { type: habit === 'reject' ? 'reject' : 'approve' };
      case 'information':
      case 'help':
      case 'plan':
      case 'draft':
      case 'tool':
      case 'host':
        return { type: 'instruction', content: 'the first' };
    }
  }
}
