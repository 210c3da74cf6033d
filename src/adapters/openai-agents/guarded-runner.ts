import { Runner } from '@openai/agents';
import type { AgentGuard } from './agent-guard.ts';
import { sourceOf } from './agent-guard.ts';

const events = ['agent_start', 'agent_end', 'agent_handoff', 'agent_tool_start', 'agent_tool_end'] as const;

/** What a runner works out of its options as it is made: kept as it was. */
const worked = ['traceOverrides', 'inputGuardrailDefs', 'outputGuardrailDefs'] as const;

/** The host's runner with models that are checked at each turn; whoever listens to the host's hears the same. */
export const guardedRunner = (runner: Runner, guard: AgentGuard): Runner => {
  const { modelProvider, model } = runner.config;
  const guarded = new Runner({
    ...runner.config,
    modelProvider: guard.provider(modelProvider),
    ...(typeof model === 'object' && { model: guard.model(model) }),
  });
  for (const name of worked) Object.assign(guarded, { [name]: Reflect.get(runner, name) });
  const emit = runner.emit.bind(runner) as (type: string, ...given: readonly unknown[]) => boolean; // of the same event
  for (const type of events)
    guarded.on(type, (...given: readonly unknown[]) => void emit(type, ...given.map(sourceOf)));
  Object.freeze(guarded.config);
  return guarded;
};
