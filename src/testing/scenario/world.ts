import { unknownAmong } from '../../base/boundary/did-you-mean.ts';
import type { TaskClasses, Tools } from '../../base/define/inferred.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { createGuard } from '../../guard/guard.ts';
import type { OrchestratorOptions } from '../../core/shell/options.ts';
import { createOrchestrator } from '../../core/orchestrator.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { Turn } from '../../base/ports/model.ts';
import type { CallContext, Tool } from '../../base/ports/tool.ts';
import { restingTurns, scenarioClock, turns, type ScenarioClock } from '../clock.ts';
import { valueText } from '../value-text.ts';
import { agentsOf } from './agent.ts';
import { misfitOf, noAnswer, outputOf, type ScenarioAnswers } from './answers.ts';
import { countedIds } from './ids.ts';
import type { NamedCall } from './journal.ts';

/** The parts of an orchestrator that a scenario tests; the scenario provides the others. */
export type Charter<Has extends Tools = Tools, Classes extends TaskClasses = TaskClasses> = Pick<
  OrchestratorOptions<Has, Classes>,
  | 'taskClasses'
  | 'tools'
  | 'verifiers'
  | 'policy'
  | 'approvals'
  | 'mayRespond'
  | 'attest'
  | 'redact'
  | 'skew'
  | 'limits'
>;

type Script = NonNullable<ScenarioAnswers<Tools, TaskClasses>['model']>;

/** Never resolves: an answer that does not come. */
const silence = (): Promise<never> => new Promise(() => {});

/** The environment of one scenario: scripted answers around the real parts of a charter, and a record of their calls. */
export class ScenarioWorld {
  readonly orchestrator: Orchestrator;
  readonly clock: ScenarioClock;
  /** The calls of tools that were made, in order. */
  readonly calls: NamedCall[] = [];
  /** The tools whose calls were rolled back, in order. */
  readonly rollbacks: string[] = [];
  /** The missing answer, if the scenario cannot continue. */
  fault: string | null = null;
  readonly #tools: readonly Tool[];
  readonly #given: ScenarioAnswers<Tools, TaskClasses>;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #asked = new Map<string, number>();
  #stirs = 0;

  constructor(charter: Charter, given: ScenarioAnswers<Tools, TaskClasses>, note: (line: string) => void) {
    this.#given = given;
    this.clock = scenarioClock(given.now);
    this.#tools = (charter.tools ?? []).map((tool) => this.#scripted(tool));
    const options = {
      ...this.#real(charter),
      tools: this.#tools,
      clock: this.clock,
      ids: countedIds(),
    };
    const { agents, model } = given;
    if (agents === undefined) {
      this.orchestrator = createOrchestrator({
        ...options,
        model: { answer: (turn) => this.#answer(model, turn) },
      });
      return;
    }
    const classes = charter.taskClasses.map(({ id }) => id);
    const world = { busy: () => this.#busy(), lacks: (what: string) => this.#lacks(what), note };
    this.orchestrator = createGuard({ ...options, agents: agentsOf(classes, agents, world) }).orchestrator;
  }

  /** Throws for an unknown tool: an expectation about it would prove nothing. */
  checkTool(name: string): void {
    const [unknown] = unknownNames(
      'the tool',
      { [name]: null },
      this.#tools.map((tool) => tool.name),
    );
    if (unknown !== undefined) throw new TypeError(unknown);
  }

  /** Notes that something happened, so that the run does not rest yet. */
  stir(): void {
    this.#stirs += 1;
  }

  /** Waits until nothing more happens without a person, an event or time. */
  async rest(): Promise<void> {
    for (let still = 0; still < restingTurns && this.fault === null;) {
      const before = this.#stirs;
      await Promise.allSettled(this.#underWay);
      await turns(1);
      still = this.#underWay.size === 0 && this.#stirs === before ? still + 1 : 0;
    }
  }

  /** Calls a function of the charter; the run does not rest before its result is there. */
  readonly #run = <Asked extends readonly unknown[], Result>(
    work: (...asked: Asked) => Result | Promise<Result>,
  ) => {
    return (...asked: Asked): Promise<Result> => {
      const result = (async () => work(...asked))();
      this.#underWay.add(result);
      const over = (): void => {
        this.#underWay.delete(result);
        this.stir();
      };
      result.then(over, over);
      return result;
    };
  };

  /** Keeps the run from resting until the returned function is called. */
  #busy(): () => void {
    let over: (() => void) | undefined;
    void this.#run(() => new Promise<void>((resolve) => (over = resolve)))();
    return () => over?.();
  }

  /** Returns the parts of a charter, whose code runs unchanged. */
  #real({ taskClasses, verifiers = [], policy, approvals, mayRespond, attest, ...rest }: Charter) {
    return {
      ...rest,
      taskClasses: taskClasses.map((taskClass): DefinedTaskClass =>
        taskClass.accept === undefined ? taskClass : { ...taskClass, accept: this.#run(taskClass.accept) },
      ),
      verifiers: verifiers.map((verifier) => ({
        ...verifier,
        verify: this.#run(verifier.verify.bind(verifier)),
      })),
      ...(policy && { policy: { ...policy, decide: this.#run(policy.decide.bind(policy)) } }),
      ...(approvals && { approvals: { verify: this.#run(approvals.verify.bind(approvals)) } }),
      ...(mayRespond && { mayRespond: this.#run(mayRespond) }),
      ...(attest && { attest: this.#run(attest) }),
    };
  }

  /** Fails the scenario, because an answer is missing. */
  #lacks(what: string): Promise<never> {
    this.fault ??= what;
    return silence();
  }

  #scripted(tool: Tool): Tool {
    const { name, rollback } = tool;
    const { tools, rollbacks, lookups } = this.#given;
    return {
      ...tool,
      call: (input: unknown, context: CallContext) => {
        this.calls.push({ tool: name, arguments: input });
        const answer = tools?.[name];
        if (answer !== undefined) return this.#reply(answer, input, context);
        return this.#lacks(
          `the scenario gives no answer for the tool ${name}, called with ${valueText(input)}`,
        );
      },
      rollback: rollback && {
        ...rollback,
        run: (action, context) => {
          this.rollbacks.push(name);
          return this.#reply(rollbacks?.[name] ?? null, action.payload ?? null, context as CallContext);
        },
        ...(rollback.lookup && { lookup: async () => lookups?.[name] ?? { found: 'unknown' as const } }),
      },
      lookup: tool.lookup && (async () => lookups?.[name] ?? { found: 'unknown' as const }),
    };
  }

  #reply(answer: unknown, input: unknown, context: CallContext): Promise<unknown> {
    if (answer === noAnswer) return silence();
    return this.#run(async () =>
      typeof answer === 'function' ? (answer(input, context) as unknown) : answer,
    )();
  }

  #answer(model: Script, turn: Turn): Promise<unknown> {
    const { script, key } = scriptFor(model, turn);
    const at = this.#asked.get(key) ?? 0;
    this.#asked.set(key, at + 1);
    const answer = script[at];
    if (answer === noAnswer) return silence();
    if (typeof answer === 'function') return this.#run(async () => answer(turn))();
    if (typeof answer === 'object' && answer !== null) {
      const misfit = misfitOf(answer, turn);
      return misfit === null
        ? this.#run(() => outputOf(answer))()
        : this.#lacks(`${misfit} (number ${at + 1})`);
    }
    return this.#lacks(exhausted(turn, at));
  }
}

const isList = (model: Script): model is Extract<Script, readonly unknown[]> => Array.isArray(model);

/** Returns the script for a turn, and the key under which its answers are counted. */
const scriptFor = (model: Script, { taskClass }: Turn) =>
  isList(model) ? { script: model, key: '' } : { script: model[taskClass] ?? [], key: taskClass };

/** Says that no answer of the model is left, and why it is asked again. */
const exhausted = ({ asks, taskClass, attempt, unmet }: Turn, count: number): string => {
  const because = [...new Set(unmet.map(({ code }) => code))].join(', ');
  return (
    `the scenario gives no more answers of the model: after ${count}, it is asked for a ${asks} of ${taskClass}` +
    (attempt === 0 ? '' : `, in attempt ${attempt + 1} because of ${because}`)
  );
};

const unknownNames = (kind: string, names: object, known: readonly string[]): readonly string[] =>
  unknownAmong(Object.keys(names), known).map(
    ({ name, hint }) => `${kind} ${JSON.stringify(name)} is unknown${hint}`,
  );

/** Answers by name: of tools, of the model or of the agents of task classes. */
type NamedAnswers = {
  readonly [Of in 'model' | 'agents' | 'tools' | 'rollbacks' | 'lookups']?: object | undefined;
};

/** Returns what is wrong with the names of the given answers; `null` if they are known. */
export const unknownNameIn = (charter: Charter, given: NamedAnswers): string | null => {
  const tools = (charter.tools ?? []).map(({ name }) => name);
  const classes = charter.taskClasses.map(({ id }) => id);
  const { model, agents, tools: answers = {}, rollbacks = {}, lookups = {} } = given;
  if (model === undefined && agents === undefined) return 'expected `model` or `agents`';
  if (model !== undefined && agents !== undefined) return 'expected `model` or `agents`, and not both';
  const byClass = agents ?? (model === undefined || isList(model) ? {} : model);
  const [first] = [
    ...[answers, rollbacks, lookups].flatMap((names) => unknownNames('the tool', names, tools)),
    ...unknownNames('the task class', byClass, classes),
  ];
  return first ?? null;
};
