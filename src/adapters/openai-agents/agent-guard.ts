import { Agent, getHandoff, Handoff, type Model, type ModelProvider, type Tool } from '@openai/agents';
import { definitionError } from '../../base/boundary/definition-error.ts';
import type { CharterError, Issue } from '../../base/errors.ts';
import type { Run } from '../../guard/run.ts';
import { settingIssues, toolIssues, type AnyAgent, type AnyHandoff } from './agents.ts';
import { GuardedModel, type TurnCheck } from './guarded-model.ts';
import { requestIssues, responseIssues } from './request.ts';

const sources = new WeakMap<object, object>();

/** Returns your own agent or handoff for a guarded copy; any other value unchanged. */
export const sourceOf = <Value>(value: Value): Value =>
  ((typeof value === 'object' && value !== null && sources.get(value)) || value) as Value; // of the same kind

const getter = (get: () => unknown): PropertyDescriptor => ({ get, enumerable: false });
const fixed = (value: unknown): PropertyDescriptor => ({ value, enumerable: false });

/**
 * The guarded copies of your agents, for one run.
 *
 * The SDK reads tools, handoffs and models from the current agent at each turn. It gets frozen copies: each
 * reads your agent at that moment, and returns only what is bound to the run.
 */
export class AgentGuard {
  readonly #run: Run;
  readonly #agents = new WeakMap<AnyAgent, AnyAgent>();
  readonly #handoffs = new WeakMap<object, AnyHandoff>();
  readonly #models = new WeakMap<Model, Model>();
  readonly #known = new Set<string>();
  readonly #check: TurnCheck;
  #refusal: CharterError | null = null;

  constructor(run: Run) {
    this.#run = run;
    this.#check = {
      request: (request) => {
        this.throwRefusal(); // the SDK may have passed it to a model as a tool result
        this.#refuse('model request', requestIssues(request, run, this.#known));
      },
      response: (response) => this.#refuse('model response', responseIssues(response)),
    };
  }

  /** Adds members of `providerData` that you declared as harmless. */
  allow(providerKeys: readonly string[]): void {
    for (const key of providerKeys) this.#known.add(key);
  }

  /** Clears the error before a run of the SDK. */
  begin(): void {
    this.#refusal = null;
  }

  /** Throws the error of a check, even if the SDK caught it. */
  throwRefusal(): void {
    if (this.#refusal !== null) throw this.#refusal;
  }

  /** Returns the guarded copy of an agent. Throws `definition_invalid` for any other value. */
  agent(source: AnyAgent): AnyAgent {
    if (sources.has(source))
      return this.#agents.get(sourceOf(source)) === source ? source : this.agent(sourceOf(source));
    if (!(source instanceof Agent))
      this.#refuse('handoff', [{ path: '', message: 'expected onInvokeHandoff to return an Agent' }]);
    const known = this.#agents.get(source);
    if (known !== undefined) return known;
    const guarded = this.#guarded(source);
    sources.set(guarded, source);
    this.#agents.set(source, guarded);
    return guarded;
  }

  model(model: Model): Model {
    const guarded = this.#models.get(model) ?? new GuardedModel(model, this.#check);
    this.#models.set(model, guarded);
    this.#models.set(guarded, guarded);
    return guarded;
  }

  /** Returns a provider whose models are checked at each turn. */
  provider(provider: ModelProvider): ModelProvider {
    return Object.freeze({ getModel: async (name?: string) => this.model(await provider.getModel(name)) });
  }

  #refuse(definition: string, found: Iterable<Issue>): void {
    const issues = [...found];
    if (issues.length === 0) return;
    this.#refusal ??= definitionError(definition, issues);
    throw this.#refusal;
  }

  #tools({ name }: AnyAgent, tools: readonly Tool[]): Tool[] {
    this.#refuse('agent', toolIssues(name, tools, this.#run));
    return [...tools];
  }

  #handoff(target: AnyAgent | AnyHandoff): AnyHandoff {
    const known = this.#handoffs.get(target);
    if (known !== undefined) return known;
    const source = getHandoff(target) as AnyHandoff; // one of these
    const guarded: AnyHandoff = new Handoff(this.agent(source.agent), async (...given) =>
      this.agent(await source.onInvokeHandoff(...given)),
    );
    const { agentName, toolName, toolDescription, inputJsonSchema, strictJsonSchema, inputFilter } = source;
    Object.assign(guarded, { agentName, toolName, toolDescription, inputJsonSchema, strictJsonSchema });
    if (inputFilter !== undefined) guarded.inputFilter = inputFilter;
    guarded.isEnabled = ({ agent, ...given }) => source.isEnabled({ ...given, agent: sourceOf(agent) });
    this.#handoffs.set(target, Object.freeze(guarded));
    return guarded;
  }

  #guarded(source: AnyAgent): AnyAgent {
    const settings = (): void => this.#refuse('agent', settingIssues(source));
    const handoffs = (targets: readonly (AnyAgent | AnyHandoff)[]) =>
      targets.map((target) => this.#handoff(target));
    const modelOf = ({ model }: AnyAgent) => (typeof model === 'object' ? this.model(model) : model);
    const guarded: AnyAgent = Object.create(source, {
      tools: getter(() => Object.freeze(this.#tools(source, source.tools))),
      handoffs: getter(() => Object.freeze(handoffs(source.handoffs))),
      model: getter(() => modelOf(source)),
      getAllTools: fixed(async (...given: Parameters<AnyAgent['getAllTools']>) => {
        settings();
        return this.#tools(source, await source.getAllTools(...given));
      }),
      getEnabledHandoffs: fixed(async (...given: Parameters<AnyAgent['getEnabledHandoffs']>) =>
        handoffs(await source.getEnabledHandoffs(...given)),
      ),
      getSystemPrompt: fixed((...given: Parameters<AnyAgent['getSystemPrompt']>) =>
        source.getSystemPrompt(...given),
      ),
      getPrompt: fixed((...given: Parameters<AnyAgent['getPrompt']>) => source.getPrompt(...given)),
      clone: fixed((...given: Parameters<AnyAgent['clone']>) => source.clone(...given)),
      emit: fixed((...[type, ...given]: Parameters<AnyAgent['emit']>) =>
        source.emit(type, ...(given.map(sourceOf) as typeof given)),
      ),
    }) as AnyAgent; // it inherits the methods
    Object.freeze(guarded);
    return guarded;
  }
}

const guards = new WeakMap<Run, AgentGuard>();

/** Returns the guard of a run. Each run has one, so that an agent always has the same copy. */
export const agentGuardOf = (run: Run, providerKeys: readonly string[] = []): AgentGuard => {
  const guard = guards.get(run) ?? new AgentGuard(run);
  guards.set(run, guard);
  guard.allow(providerKeys);
  return guard;
};
