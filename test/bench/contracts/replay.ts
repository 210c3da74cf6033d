import { createOrchestrator, type Clock, type InboxEntry, type Model, type Orchestrator } from 'agentcharter';
import { memoryStore } from 'agentcharter/stores/memory';
import { z } from 'zod';
import { contractOf, extractionName, protections, taskClassName, type Arm, type EngineArm } from './arms.ts';
import type { Charter } from './charter.ts';
import type { Replayed } from './judge.ts';
import type { Answerer } from './people.ts';
import { FromStep, type Scenario, type Step } from './scenario.ts';
import type { Suite } from './suite.ts';

/** Where a run takes place. */
export interface Stage {
  readonly suite: Pick<Suite, 'descriptions'>;
  readonly charter: Charter;
  readonly arm: Arm;
  readonly answers: Answerer;
}

type Made = { -readonly [Key in keyof Replayed]: Replayed[Key][number][] };

/** Makes the calls directly, all of them or those of the tools that the task needs. */
const direct = ({ steps, user }: Scenario, isLimited: boolean): Replayed => {
  const tools = new Set(user.map(({ tool }) => tool));
  const made = new Set<number>();
  const proposed: Step[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.unless !== undefined && made.has(step.unless)) continue;
    proposed.push(step);
    if (!isLimited || tools.has(step.tool)) made.add(at);
  }
  const calls = [...made].flatMap((at) => steps[at] ?? []);
  return { made: calls.map((step) => ({ ...step, isEarly: step.isEarly === true })), proposed, asked: [] };
};

const clock: Clock = { now: () => Date.parse('2026-11-26T00:00:00Z'), wakeAt: () => () => undefined };
const sure = { canProceed: true, confidence: 1, explanation: 'As scripted.' };
const identity = {
  agent_id: 'agent:study',
  owner_id: 'org:study',
  control_class: 'human-supervised' as const,
};
const Asked = z.object({
  action: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});

/** The agent of a run: it makes its steps one by one, and notes what comes of them. */
class Script {
  readonly #steps: readonly Step[];
  readonly #aliases = new Map<number, string>();
  readonly #counts = new Map<string, number>();
  readonly log: Made = { made: [], proposed: [], asked: [] };
  #next = 0;
  #current: { readonly at: number; readonly step: Step } | null = null;

  constructor({ steps }: Scenario) {
    this.#steps = steps;
  }

  /** Who wants the call that was proposed last. */
  get by(): Step['by'] {
    return this.#current?.step.by ?? 'user';
  }

  get isEarly(): boolean {
    return this.#current?.step.isEarly === true;
  }

  readonly model: Model = {
    answer: async ({ asks }) => {
      const call = this.#propose();
      const output = call === null ? { ...sure, payload: { done: true } } : { ...sure, calls: [call] };
      switch (asks) {
        case 'plan':
          return { calls: [], ...output, ...(call === null && { payload: undefined }) };
        case 'draft':
          return output;
        case 'correction':
          return { choice: 'fixed', output, explanation: 'Left out what is not accepted.' };
      }
    },
  };

  readonly make = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown> => {
    this.#note(tool);
    this.log.made.push({ tool, args, isEarly: this.isEarly });
    return this.#current?.step.output ?? '';
  };

  readonly extract = async (): Promise<unknown> => {
    this.#note(extractionName);
    return { value: this.#current?.step.extracted ?? null };
  };

  #note(tool: string): void {
    const count = (this.#counts.get(tool) ?? 0) + 1;
    this.#counts.set(tool, count);
    if (this.#current !== null) this.#aliases.set(this.#current.at, `${tool}#${count}`);
  }

  /** Returns the next call; one whose values come from a step that was not made is left out. */
  #propose(): { readonly tool: string; readonly arguments: unknown } | null {
    const at = this.#next;
    const step = this.#steps[at];
    if (step === undefined) return null;
    this.#next += 1;
    const isSuperseded = step.unless !== undefined && this.#aliases.has(step.unless);
    if (isSuperseded || !this.#isPossible(step.args)) return this.#propose();
    this.#current = { at, step };
    if (step.tool !== extractionName) this.log.proposed.push(step);
    return { tool: step.tool, arguments: this.#written(step.args) };
  }

  #isPossible(value: unknown): boolean {
    if (value instanceof FromStep) return this.#aliases.has(value.step);
    if (typeof value !== 'object' || value === null) return true;
    return Object.values(value).every((one) => this.#isPossible(one));
  }

  #written(value: unknown): unknown {
    if (value instanceof FromStep) return { $from: this.#aliases.get(value.step), pointer: value.pointer };
    if (Array.isArray(value)) return value.map((one: unknown) => this.#written(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#written(one)]));
  }
}

const answerQuestion = async (
  orchestrator: Orchestrator,
  { message, question }: InboxEntry,
  { log, isEarly, by }: Script,
  answers: Answerer,
): Promise<void> => {
  const { action } = Asked.parse(message.payload, {
    error: () => `a question of another kind: ${question.kind}`,
  });
  const call = { tool: action.tool, args: action.arguments };
  log.asked.push({ ...call, isEarly, by });
  const type = answers(call, isEarly) ? 'approve' : 'reject';
  await orchestrator.respond({ type, target: message.messageId }, { by: 'person' });
};

/** The time of a run, after which it counts as broken. */
const mostMilliseconds = 60_000;

/** Runs the agent in an orchestrator of its own, with a person who answers its questions. */
const inEngine = async (
  scenario: Scenario,
  { suite, charter, answers, arm }: Stage & { readonly arm: EngineArm },
): Promise<Replayed> => {
  const protection = protections[arm];
  const script = new Script(scenario);
  const orchestrator = createOrchestrator({
    ...contractOf(suite, charter, protection, script),
    model: script.model,
    policy: {
      version: '1',
      decide: () => ({ verdict: 'allow', reasons: ['the study allows what the tiers allow'] }),
    },
    store: memoryStore(),
    clock,
  });
  let overdue: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    overdue = setTimeout(
      () => reject(new Error(`${scenario.id} under ${arm} does not end`)),
      mostMilliseconds,
    );
    orchestrator.on('error', ({ error }) => reject(error));
    orchestrator.on('question', (entry) => {
      answerQuestion(orchestrator, entry, script, answers).catch(reject);
    });
  });
  const mandate = [
    ...new Set(scenario.user.map(({ tool }) => tool)),
    ...(protection.isQuarantined ? [extractionName] : []),
  ];
  const { taskId } = await orchestrator.submit({
    taskClass: taskClassName,
    payload: scenario.request,
    identity,
    ...(protection.hasMandate && { mandate }),
  });
  await Promise.race([orchestrator.settled(taskId), failed]).finally(() => clearTimeout(overdue));
  await orchestrator.close();
  return script.log;
};

/** Replays a run under an arm. */
export const replay = async (scenario: Scenario, stage: Stage): Promise<Replayed> => {
  const { arm } = stage;
  if (arm === 'no guard' || arm === 'allow-list') return direct(scenario, arm === 'allow-list');
  return inEngine(scenario, { ...stage, arm });
};
