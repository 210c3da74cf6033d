import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { warnWithout } from '../../base/boundary/warn-of-error.ts';
import type { CallerOutcome } from '../../base/ports/caller.ts';
import { OutcomeReport } from '../../core/shell/duties/caller.ts';
import type { CallOutcome, ClearedCall, Conclusion } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';
import { callerOf, type Caller, type FirstContext, type SecondContext } from './context.ts';
import type { TaskToolServer } from './server.ts';
import { clientError } from './task-call.ts';

/** Options of the tools with which an agent performs its own calls. */
export interface CallerToolsOptions {
  /** What the names of the tools begin with: `guard` by default, for `guard_clear`. */
  readonly prefix?: string;
  /** Returns the run of the client: begin or resume the one that belongs to whom you authenticated. */
  readonly run: (caller: Caller) => Run | Promise<Run>;
  /** Called with errors that the client did not cause; the client sees only that one occurred. By default, a Node.js warning. */
  readonly onError?: (error: unknown) => void;
}

const ref = z.string().describe('Your name for the call. The same one asks again about the same call.');

const inputs = lazily(() => ({
  clear: z.object({ tool: z.string(), arguments: JsonObject, ref }),
  reported: z.object({ ref, outcome: OutcomeReport }),
  none: z.object({}),
  answer: z.object({ payload: JsonObject }),
}));

type Told = ClearedCall | CallOutcome | Conclusion | { readonly rollbacks: unknown };

const failures: readonly string[] = ['refused', 'repairing', 'ended'];

const replyOf = (told: Told) => ({
  content: [{ type: 'text', text: JSON.stringify(told) }],
  structuredContent: told,
  isError: 'status' in told && failures.includes(told.status),
});

const rollbacksOf = async (run: Run): Promise<Told> => ({ rollbacks: await run.rollbacks() });

interface Reported {
  readonly ref: string;
  readonly outcome: CallerOutcome;
}

interface Proposed {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly ref: string;
}

/**
 * Registers the tools with which an MCP client guards calls that it performs itself, where its tools live: `clear` asks for the clearance
 * of a call, `report` tells what came of it, `rollbacks` and `report_rollback` do so for what is to be undone, and `conclude` delivers the
 * answer. Each returns what [`Run`](guard.md) returns.
 */
export const registerCallerTools = (
  server: TaskToolServer,
  { prefix = 'guard', run, onError = warnWithout('a caller tool failed') }: CallerToolsOptions,
): void => {
  const register = <Input>(
    name: string,
    description: string,
    inputSchema: z.ZodType<Input>,
    work: (run: Run, given: Input, signal: AbortSignal) => Promise<Told>,
  ): void => {
    const callback = async (given: Input, context: FirstContext | SecondContext): Promise<object> => {
      const { signal } = 'mcpReq' in context ? context.mcpReq : context;
      try {
        return replyOf(await work(await run(callerOf(context)), given, signal));
      } catch (error) {
        const shown = clientError(error);
        if (shown !== error && !signal.aborted) onError(error);
        throw shown;
      }
    };
    // each SDK has its own types, and accepts both
    server.registerTool(`${prefix}_${name}`, { description, inputSchema } as never, callback as never);
  };
  const { clear, reported, none, answer } = inputs();
  register<Proposed>(
    'clear',
    `Asks whether you may call one of your own tools. Perform it only if the status is "cleared", with the arguments of the answer, and then report it with ${prefix}_report before "expiresAt". While it is "paused", ask again with the same ref.`,
    clear,
    (of, { tool, arguments: given, ref: name }, signal) => of.clear(tool, given, { ref: name, signal }),
  );
  register<Reported>(
    'report',
    'Tells what came of a cleared call: "done" with the result of the tool, "notDone" if it certainly had no effect, or "unknown".',
    reported,
    (of, { ref: name, outcome }) => of.report(name, outcome),
  );
  register<object>('rollbacks', 'Returns the calls of yours that you must undo now.', none, rollbacksOf);
  register<Reported>(
    'report_rollback',
    'Tells what came of undoing such a call, and returns those that are left.',
    reported,
    async (of, { ref: name, outcome }) => {
      await of.reportRollback(name, outcome);
      return rollbacksOf(of);
    },
  );
  register<{ readonly payload: JsonObject }>(
    'conclude',
    'Delivers your answer, if the evidence that the task needs is there.',
    answer,
    (of, { payload }, signal) => of.conclude({ payload }, { signal }),
  );
};
