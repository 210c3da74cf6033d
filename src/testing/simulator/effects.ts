import { isDeepStrictEqual } from 'node:util';
import {
  ToolOutcome,
  type CallContext,
  type Found,
  type Rollback,
  type Tool,
} from '../../base/ports/tool.ts';
import type { Json } from '../scenario/answers.ts';
import type { Choices, Choose } from './choices.ts';
import { unanswered, type Life } from './life.ts';

/** The answer of a tool, in place of its code: a value, or a function of the arguments. */
export type SimulatedAnswer<Input> = Json | ((input: Input, context: CallContext, choose: Choose) => unknown);

/** A write of a tool that happened, or the rollback of one. */
export interface Effect {
  readonly kind: 'call' | 'rollback';
  readonly tool: string;
  /** The idempotency key: a second effect of one key happened twice. */
  readonly key: string;
  readonly arguments: unknown;
}

/** Returns the key of the call that an effect makes or undoes. */
export const callKeyOf = (key: string): string => key.replace(/^rollback:/, '');

/** How often of a thousand calls a tool breaks, and how often its answer is lost. */
const [breaks, losesAnswer, hangs] = [30, 30, 20];

/** What a call comes to that answers later, and how much later, in milliseconds: after most deadlines of calls. */
const [late, lateBy] = [Symbol('late'), 5 * 60_000];

const broken = (name: string): Error => new Error(`${name} cannot be reached`);

/** Called before a call or a rollback reaches its tool. */
export type Watch = (asked: Pick<Effect, 'kind' | 'key'>, tool: Pick<Tool, 'tier'>) => void;

/** What is behind the tools: it outlives every process. */
export class Effects {
  /** In the order in which they happened. */
  readonly all: Effect[] = [];
  /** The keys of calls that happened although a person or a look-up had said before that they had not. */
  readonly mistaken = new Set<string>();
  /** The tools that are tasks. */
  readonly tasks = new Set<string>();
  readonly #results = new Map<string, unknown>();
  /** The keys of which somebody was told that nothing happened: what a dead process asked for does not land after that. */
  readonly #absent = new Set<string>();
  readonly #choices: Choices;
  readonly #note: (line: string) => void;
  readonly #watch: Watch;

  constructor(choices: Choices, note: (line: string) => void, watch: Watch) {
    this.#choices = choices;
    this.#note = note;
    this.#watch = watch;
  }

  /** Looks whether the effect of a key stands: the last thing that was done of its call. */
  isFound(key: string): boolean {
    const call = callKeyOf(key);
    const isDone = this.all.findLast((effect) => callKeyOf(effect.key) === call)?.key === key;
    if (!isDone) this.#absent.add(key);
    return isDone;
  }

  /** Undoes the last call of a tool with these arguments by hand, if it stands. */
  undo(tool: unknown, given: unknown): void {
    const last = this.all.findLast((one) => one.tool === tool && isDeepStrictEqual(one.arguments, given));
    if (last?.kind !== 'call') return;
    this.#note(`${last.tool} is undone by hand`);
    this.all.push({ ...last, kind: 'rollback', key: `rollback:${last.key}` });
  }

  /** Returns a tool whose calls a life makes here, in place of its code. */
  around(tool: Tool, answer: SimulatedAnswer<unknown> | undefined, life: Life): Tool {
    const { name, rollback, doubt } = tool;
    if (tool.child !== undefined) this.tasks.add(name);
    const callOf = (input: unknown, context: CallContext) => (): unknown =>
      typeof answer === 'function' ? answer(input, context, this.#choices.of) : (answer ?? { ok: true });
    return {
      ...tool,
      call: (input, context) => {
        const effect = { kind: 'call', tool: name, key: context.key, arguments: input } as const;
        this.#watch(effect, tool);
        const [isRead, isKeyed] = [tool.tier === 'read_only', doubt === 'idempotent'];
        return this.#ask(life, effect, isRead, isKeyed, callOf(input, context));
      },
      lookup: tool.lookup && ((key) => life.ask(() => this.#found(key))),
      rollback: rollback && this.#undoing(tool, rollback, life),
    };
  }

  #undoing(tool: Tool, rollback: Rollback, life: Life): Rollback {
    const { name } = tool;
    return {
      ...rollback,
      run: ({ payload }, { key }) => {
        const effect = { kind: 'rollback', tool: name, key, arguments: payload } as const;
        this.#watch(effect, tool);
        return this.#ask(life, effect, false, rollback.doubt === 'idempotent', () => null);
      },
      ...(rollback.lookup && { lookup: (key: string) => life.ask(() => this.#found(key)) }),
    };
  }

  async #found(key: string): Promise<Found> {
    if (this.#choices.isRare(breaks)) return { found: 'unknown' };
    return this.isFound(key) ? { found: 'done', result: this.#results.get(key) } : { found: 'absent' };
  }

  async #ask(
    life: Life,
    effect: Effect,
    isRead: boolean,
    isKeyed: boolean,
    result: () => unknown,
  ): Promise<unknown> {
    const act = async (): Promise<unknown> => {
      if (isKeyed && this.all.some(({ key }) => key === effect.key)) return this.#results.get(effect.key);
      const made = await result();
      const isNothing = made instanceof ToolOutcome && made.kind !== 'evidence';
      if (!isRead && !isNothing) {
        this.all.push(effect);
        this.#results.set(effect.key, made);
      }
      return made;
    };
    const name = effect.kind === 'call' ? effect.tool : `the rollback of ${effect.tool}`;
    const answered = async (): Promise<unknown> => {
      if (this.#choices.isRare(breaks)) {
        this.#note(`${name} cannot be reached`);
        throw broken(name);
      }
      const how = this.#choices.of(['never', 'done', 'late']);
      if (this.#choices.isRare(hangs)) {
        this.#note(`${name} does not answer${how === 'done' ? ', and did it' : ''}`);
        if (how === 'late') return late;
        if (how === 'done') await act();
        return unanswered;
      }
      const made = await act();
      if (!this.#choices.isRare(losesAnswer)) return made;
      this.#note(`the answer of ${name} is lost`);
      throw broken(name);
    };
    const torn = async (): Promise<void> => {
      if (this.#absent.has(effect.key)) return;
      this.#note(`${name} did it all the same`);
      await act();
    };
    const answer = await life.ask(answered, torn);
    if (answer !== late) return answer;
    await life.wait(lateBy);
    return life.ask(async () => {
      this.#note(`${name} answers late`);
      if (this.#absent.has(effect.key)) this.mistaken.add(effect.key);
      return act();
    }, torn);
  }
}
