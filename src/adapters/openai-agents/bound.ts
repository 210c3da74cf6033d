import { tool as build, UserError, type FunctionTool } from '@openai/agents';
import type { CallOutcome } from '../../guard/outcome.ts';
import type { Patience, Run } from '../../guard/run.ts';
import type { Shown } from './definition.ts';
import { owned } from './owners.ts';
import { resultOf, type Settled } from './result.ts';

/** A tool of the SDK with any arguments. */
export type SdkTool = FunctionTool<unknown, Shown['parameters'], string>;

/** Returns the error for a call that only the SDK's own state approves. It leaves that state unchanged. */
const stillWaiting = (name: string): UserError =>
  new UserError(
    `${name} waits for an answer: state.approve has no effect; answer its question with orchestrator.respond, then resume`,
  );

const over = (name: string): UserError => new UserError(`${name} is not called: the run is over`);

/**
 * Returns a tool that proposes its calls to a run, under the model's call ids.
 *
 * The call is made while the SDK asks for approval, because only then it can pause. `execute` returns the
 * outcome. If the SDK executes without asking, the run still decides.
 */
export const boundTool = (name: string, shown: Shown, run: Run, patience: Patience): SdkTool => {
  const settled = new Map<string, Settled>();
  const call = (input: unknown, ref: string | undefined): Promise<CallOutcome> =>
    run.call(name, input, { ...patience, ...(ref !== undefined && { ref, reusesRef: true }) });

  const needsApproval = async (_: unknown, input: unknown, ref?: string): Promise<boolean> => {
    if (ref === undefined) return false;
    const outcome = await call(input, ref);
    if (outcome.status === 'paused') return true;
    settled.set(ref, outcome);
    return false;
  };
  const outcomeOf = async (input: unknown, ref = ''): Promise<CallOutcome> => {
    const known = settled.get(ref);
    settled.delete(ref);
    return known ?? call(input, ref === '' ? undefined : ref);
  };
  const bound = build({
    // the schema that the SDK created for this tool, strict or not
    ...(shown as Shown & {
      readonly strict: false;
      readonly parameters: { readonly additionalProperties: true };
    }),
    needsApproval,
    isEnabled: ({ runContext, agent }) => shown.isEnabled(runContext, agent),
    execute: async (input: unknown, _, details): Promise<string> => {
      const outcome = await outcomeOf(input, details?.toolCall?.callId);
      if (outcome.status === 'paused') throw stillWaiting(name);
      if (outcome.status === 'ended') throw over(name); // no model call follows
      return resultOf(outcome);
    },
    errorFunction: null,
  });
  return owned(bound, run);
};
