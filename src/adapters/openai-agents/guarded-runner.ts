import { Runner } from '@openai/agents';
import type { AgentGuard } from './agent-guard.ts';
import { sourceOf } from './agent-guard.ts';

const events = ['agent_start', 'agent_end', 'agent_handoff', 'agent_tool_start', 'agent_tool_end'] as const;

/** Members that a runner computes in its constructor. They are copied. */
const computedMembers = ['traceOverrides', 'inputGuardrailDefs', 'outputGuardrailDefs'] as const;

/** Returns your runner with checked models. Listeners of yours get the same events. */
export const guardedRunner = (runner: Runner, guard: AgentGuard): Runner => {
  const { modelProvider, model } = runner.config;
  const guarded = new Runner({
    ...runner.config,
    modelProvider: guard.provider(modelProvider),
    ...(typeof model === 'object' && { model: guard.model(model) }),
  });
  for (const name of computedMembers) Object.assign(guarded, { [name]: Reflect.get(runner, name) });
  const emit = runner.emit.bind(runner) as (type: string, ...given: readonly unknown[]) => boolean; // of the same event
  for (const type of events)
    guarded.on(type, (...given: readonly unknown[]) => void emit(type, ...given.map(sourceOf)));
  Object.freeze(guarded.config);
  return guarded;
};
