import type { RiskTier } from '../../../schema/index.ts';
import type { Rollback, Tool } from '../ports/tool.ts';
import { refuseDefinition } from './definition.ts';
import { parseTool, type Reconcilable, type NotReconcilable, type ToolBasics } from './tool.ts';

/** A tool that lives elsewhere, as its author writes it. */
export type CallerToolDefinition<Arguments, Name extends string = string, Input = unknown> = Omit<
  ToolBasics<Arguments, Name, Input>,
  'call' | 'stops'
> & {
  /** `write_high_risk` by default: it then needs a rollback. */
  readonly tier?: RiskTier;
  /** Describes the inverse of a call, before the write. The caller performs it, or a `person` (UAICP 5.3). */
  readonly rollback?: Pick<Rollback<Arguments>, 'describe'> | 'person';
} & (Reconcilable | NotReconcilable);

/**
 * Defines a tool that lives where its callers are, in another process or another language: the guard clears its calls, callers perform
 * and undo them, and report what came of it. What they report is evidence in their words.
 *
 * Throws `definition_invalid`, as `defineTool` does.
 */
export const defineCallerTool = <Name extends string, Arguments, Input>(
  definition: CallerToolDefinition<Arguments, Name, Input>,
): Tool<Name, Input, Arguments> => {
  const { rollback, ...members } = definition;
  const performed = (): Promise<never> =>
    Promise.reject(new TypeError(`${definition.name} is performed by its caller`));
  const isByHand = rollback === undefined || rollback === 'person';
  if (!isByHand && 'run' in rollback)
    refuseDefinition('tool', definition.name, [
      { path: '/rollback/run', message: 'expected none: the caller performs the rollback' },
    ]);
  const tool = parseTool({
    ...members,
    call: performed,
    rollback: isByHand ? rollback : { describe: rollback.describe, run: performed },
  });
  // `parseTool` keeps the name and the schema
  return Object.freeze({ ...tool, performs: 'caller' }) as Tool<Name, Input, Arguments>;
};
