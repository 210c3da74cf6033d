import * as z from 'zod';
import { Identifier, RiskTier } from '../../schema/index.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { ChildRequest, Rollback, Tool } from '../ports/tool.ts';
import { Callable, checkDefinition, Schema } from './definition.ts';
import { RollbackDefinition, rollbackOf } from './rollback.ts';

const Definition = z.strictObject({
  name: Identifier,
  version: Identifier.optional(),
  description: z.string(),
  tier: RiskTier.optional(),
  input: Schema,
  taskClass: Identifier,
  request: Callable,
  rollback: RollbackDefinition.optional(),
});

/** A tool that is another task, as its author writes it. */
export interface TaskToolDefinition<Arguments> {
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  /** Left out, it is `write_high_risk`; never below that of any tool that the child may call (UAICP 5.3). */
  readonly tier?: RiskTier;
  readonly input: StandardSchema<Arguments>;
  /** The class of the child, which the same orchestrator must know. */
  readonly taskClass: string;
  /** What the child is asked for. */
  readonly request: (input: Arguments) => ChildRequest;
  /** Inverts what the child delivered as one. By default each write of the child is rolled back as its own tool declares. */
  readonly rollback?: Rollback<Arguments>;
}

/** Declares that a task is undone through its own ledger; the orchestrator does that and never calls `run`. */
const undoTask = (name: string, taskClass: string): Rollback => ({
  describe: () => ({ type: 'undo_task', target: taskClass, payload: {} }),
  run: () => Promise.reject(new TypeError(`${name} is a task: an orchestrator undoes it`)),
  doubt: 'idempotent', // the ledger of the child says what is undone already
});

/**
 * A tool whose call is a task of its own, under its own contract: while it runs the parent waits, what it asks stands in
 * the parent's inbox, and its fail_safe is a failed call with its reasons (UAICP 4.3). Throws `definition_invalid`.
 */
export const defineTaskTool = <Arguments>(definition: TaskToolDefinition<Arguments>): Tool => {
  checkDefinition('tool', definition.name, Definition, definition);
  const { name, version = '1', description, tier = 'write_high_risk', input, taskClass } = definition;
  return Object.freeze({
    name,
    version,
    description,
    tier,
    input,
    evidenceType: 'tool_result',
    deadline: null,
    call: () => Promise.reject(new TypeError(`${name} is a task: an orchestrator begins it`)),
    rollback: rollbackOf(definition.rollback) ?? undoTask(name, taskClass),
    doubt: 'idempotent', // a task that was begun is known by its identifier, and is not begun twice
    lookup: null,
    // an orchestrator asks with nothing but what `input` has read
    child: {
      taskClass,
      request: (given: unknown) => definition.request(given as Arguments),
      ...(definition.rollback === undefined && { undo: 'ledger' as const }),
    },
  });
};
