import {
  defineTaskClass,
  defineTaskTool,
  type OrchestratorOptions,
  type TaskClassDefinition,
  type TaskToolDefinition,
  type Tool,
  type Turn,
} from '../../../../src/index.ts';
import { scene, type Given } from './scene.ts';
import { AnyInput, call, draft, plan } from './scripted.ts';

export type Says = (turn: Turn, signal: AbortSignal) => unknown;
type TaskTool = TaskToolDefinition<Readonly<Record<string, unknown>>>;

/** A tool that runs a task of the class with the same name. */
export const taskTool = (name: string, given: Partial<TaskTool> = {}): Tool =>
  defineTaskTool({
    name,
    description: `has ${name} done`,
    tier: 'read_only',
    input: AnyInput,
    taskClass: name,
    request: () => ({ payload: {} }),
    ...given,
  });

export type Level = Partial<Omit<TaskClassDefinition, 'id'>>;

/** Plans one call of every available tool, and then drafts. */
export const calling: Says = ({ asks, tools }) =>
  asks === 'plan' ? plan(tools.map(({ name }) => call(name))) : draft();

/** A model for task classes that call each other; each calls all its tools unless `says` overrides it. */
export const nesting = (
  classes: Readonly<Record<string, Level>>,
  says: Readonly<Record<string, Says>> = {},
) => ({
  model: (turn: Turn, signal: AbortSignal) => (says[turn.taskClass] ?? calling)(turn, signal),
  taskClasses: Object.entries(classes).map(([id, level]) =>
    defineTaskClass({ id, tools: [], limits: { repairs: 0 }, ...level }),
  ),
});

/** A scenario of task classes, the outermost first. */
export const levels = (
  classes: Readonly<Record<string, Level>>,
  tools: readonly Tool[],
  says: Readonly<Record<string, Says>> = {},
  { verifiers, options }: Pick<Given, 'verifiers'> & { readonly options?: Partial<OrchestratorOptions> } = {},
) => {
  const { model, taskClasses } = nesting(classes, says);
  const scenario = scene({
    model,
    tools,
    ...(verifiers && { verifiers }),
    options: { taskClasses, ...options },
  });
  const of = async (id: string) =>
    (await scenario.orchestrator.list()).find(({ taskClass }) => taskClass === id);
  /** Returns the records of a task after it settled, as text. */
  const lateOf = async (id: string): Promise<readonly string[]> =>
    (await scenario.orchestrator.ledger((await of(id))?.taskId ?? '')).flatMap(({ kind, fact, actor }) =>
      kind === 'orphan' && fact !== null ? [`${fact.type} ${actor.id}`] : [],
    );
  return { ...scenario, of, lateOf };
};
