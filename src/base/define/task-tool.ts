import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import { Identifier, RiskTier } from '../../../schema/index.ts';
import type { Flows, Labels } from '../ports/origin.ts';
import type { ChildRequest, Rollback, Tool } from '../ports/tool.ts';
import { Callable, checkDefinition, checkObject, refuseDefinition, Schema } from './definition.ts';
import { RollbackDefinition, rollbackOf, type RollbackDeclaration } from './rollback.ts';
import { unknownArguments, unknownResults } from './unknown-members.ts';
import { FlowsDefinition, LabelsDefinition, declaredTerms } from './labels.ts';
import { summaryOf } from './summary.ts';
import type { ToolBasics } from './tool.ts';

const definitionSchema = lazily(() =>
  z.strictObject({
    name: Identifier,
    version: Identifier.optional(),
    formerly: z.array(Identifier).optional(),
    description: z.string(),
    tier: RiskTier.optional(),
    input: Schema,
    summary: Callable.optional(),
    taskClass: Identifier,
    request: Callable,
    labels: LabelsDefinition().optional(),
    flows: FlowsDefinition().optional(),
    rollback: RollbackDefinition.optional(),
  }),
);

/** What a child delivers to its parent; the task class of the child says what the payload has. */
const resultSchema = lazily(() =>
  z.strictObject({ taskId: z.string(), traceId: z.string(), payload: z.record(z.string(), z.unknown()) }),
);

/** A tool that is another task, as its author writes it. */
export interface TaskToolDefinition<Arguments, Name extends string = string, Input = unknown> extends Pick<
  ToolBasics<Arguments, Name, Input>,
  'name' | 'version' | 'formerly' | 'description' | 'input' | 'summary'
> {
  /** `write_high_risk` by default. It must be at least the tier of every tool that the child may call (UAICP 5.3). */
  readonly tier?: RiskTier;
  /** The labels of the result, by JSON Pointer: `/payload` is what the child delivers. By default it is untrusted. */
  readonly labels?: Labels;
  /** What the arguments may come from, by JSON Pointer. The request of the child has their labels together. */
  readonly flows?: Flows;
  /** The class of the child; the same orchestrator must know it. */
  readonly taskClass: string;
  /** Returns the request for the child. */
  readonly request: (input: Arguments) => ChildRequest;
  /** Undoes the child's delivery as a whole. By default each write of the child is rolled back by its own tool. */
  readonly rollback?: RollbackDeclaration<Arguments>;
}

/** Returns a rollback that the orchestrator performs through the child's ledger; it never calls `run`. */
const undoTask = (name: string, taskClass: string): Rollback => ({
  describe: () => ({ type: 'undo_task', target: taskClass, payload: {} }),
  run: () => Promise.reject(new TypeError(`${name} is a task: an orchestrator undoes it`)),
  doubt: 'idempotent', // the child's ledger records what is already undone
});

/**
 * Defines a tool whose call is a task of its own, under its own contract. The parent waits for it and shows the
 * child's questions in its own inbox. A child that fails safe is a failed call with its reasons (UAICP 4.3). Throws
 * `definition_invalid`.
 */
export const defineTaskTool = <Name extends string, Arguments, Input>(
  definition: TaskToolDefinition<Arguments, Name, Input>,
): Tool<Name, Input, Arguments> => {
  checkObject('tool', definition);
  checkDefinition('tool', definition.name, definitionSchema(), definition);
  refuseDefinition('tool', definition.name, [
    ...unknownArguments(definition.input, definition.flows),
    ...unknownResults(resultSchema(), definition.labels),
  ]);
  const { name, version = '1', description, tier = 'write_high_risk', input, taskClass } = definition;
  return Object.freeze({
    name,
    version,
    description,
    tier,
    input,
    ...summaryOf(definition.summary),
    ...declaredTerms(definition),
    evidenceType: 'tool_result',
    deadline: null,
    call: () => Promise.reject(new TypeError(`${name} is a task: an orchestrator begins it`)),
    rollback: rollbackOf(name, definition.rollback) ?? undoTask(name, taskClass),
    doubt: 'idempotent', // a task that began is found by its identifier and not begun twice
    lookup: null,
    // the orchestrator passes only input that the `input` schema has parsed
    child: {
      taskClass,
      request: (given: unknown) => definition.request(given as Arguments),
      ...(definition.rollback === undefined && { undo: 'ledger' as const }),
    },
  });
};
