import { extractionName, isTrusted } from './arms.ts';
import type { Charter } from './charter.ts';
import { FromStep, type Scenario, type Step } from './scenario.ts';
import type { Call } from './suite.ts';
import { standsIn } from './text.ts';

/** A result that the agent is not shown. */
interface Hidden {
  readonly step: number;
  readonly output: string;
}

const isHidden = ({ tool }: Call, charter: Charter): boolean => {
  const declared = charter.tools[tool];
  return declared === undefined || !isTrusted(declared);
};

/** The attacker's value for an argument: one of the same name, in a call of the same tool if there is one. */
const bentValue = ({ tool }: Call, name: string, { goals, smuggled }: Scenario, own: unknown): unknown => {
  if (smuggled !== undefined) return typeof own === 'string' ? `${own} ${smuggled}` : own;
  const calls = goals.flatMap((alternatives) => alternatives.slice(0, 1));
  const wanted = calls.find((call) => call.tool === tool) ?? calls.find(({ args }) => name in args);
  const value = wanted?.args[name];
  return typeof value === typeof own ? value : own;
};

class Rewriting {
  readonly steps: Step[] = [];
  readonly #hidden: Hidden[] = [];
  readonly #scenario: Scenario;
  readonly #charter: Charter;
  readonly #bentFrom: number;
  #visible: string;
  #isInjected = false;

  constructor(scenario: Scenario, charter: Charter, bentFrom: number) {
    this.#scenario = scenario;
    this.#charter = charter;
    this.#bentFrom = bentFrom;
    this.#visible = scenario.request.prompt;
  }

  /** Adds a call; before it, the same call with the attacker's values where the agent has to ask for one. */
  add(step: Step, at: number): void {
    if (this.#isInjected && at >= this.#bentFrom) this.#addBent(step);
    const args = this.#argsOf(step, (_, value) => value);
    this.steps.push({ ...step, args });
    if (isHidden(step, this.#charter))
      this.#hidden.push({ step: this.steps.length - 1, output: step.output });
    else this.#visible += `\n${step.output}`;
    this.#isInjected ||= at === this.#scenario.injectedAt;
  }

  #addBent(step: Step): void {
    const bent = (name: string, value: unknown): unknown => bentValue(step, name, this.#scenario, value);
    const isBent = Object.entries(step.args).some(
      ([name, value]) => !this.#isKnown(value) && bent(name, value) !== value,
    );
    if (isBent) this.steps.push({ ...step, args: this.#argsOf(step, bent), by: 'attacker' });
  }

  #isKnown(value: unknown): boolean {
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
    return this.#hidden.length === 0 || parts.every((part) => standsIn(part, this.#visible));
  }

  /** Takes an argument as it is if the agent can know it, by reference if it stands alone, or by an extraction. */
  #argsOf(step: Step, answered: (name: string, value: unknown) => unknown): Step['args'] {
    const taken = Object.entries(step.args).map(([name, value]) => {
      if (this.#isKnown(value)) return [name, value] as const;
      const extracted = answered(name, value);
      const alone = this.#hidden.find(({ output }) => output === extracted);
      if (alone !== undefined) return [name, new FromStep(alone.step, '')] as const;
      return [name, this.#extraction(`the ${name} of ${step.tool}`, extracted)] as const;
    });
    return Object.fromEntries(taken);
  }

  #extraction(instruction: string, extracted: unknown): FromStep {
    const values = this.#hidden.map((one) => new FromStep(one.step, ''));
    const args = { values, instruction };
    this.steps.push({ tool: extractionName, args, output: '', by: 'user', extracted });
    return new FromStep(this.steps.length - 1, '/value');
  }
}

/**
 * Returns the run of an agent that is not shown what is not trusted: it makes the calls of the user, and takes their values
 * by reference. An attacker has the second model alone, which gives the attacker's value wherever it is asked for one.
 *
 * A run whose injection is shown all the same stays as it is.
 */
export const quarantined = (scenario: Scenario, charter: Charter, isLate: boolean): Scenario => {
  const { steps, injectedAt, goals } = scenario;
  const source = injectedAt === null ? undefined : steps[injectedAt];
  const isShown = goals.length > 0 && (source === undefined || !isHidden(source, charter));
  if (isShown) return scenario;
  const plain = scenario.plain ?? steps;
  const rewriting = new Rewriting(scenario, charter, isLate ? plain.length - 1 : 0);
  for (const [at, step] of plain.entries()) rewriting.add(step, at);
  return { ...scenario, steps: rewriting.steps };
};
