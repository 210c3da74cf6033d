import type { CallOutcome } from 'agentcharter/guard';
import type { Opened, Setup, Stop, ToolSpec } from '../subject.ts';

/** The step that comes next, and arguments that somebody put in the place of what the script says. */
interface Kept {
  readonly step: number;
  readonly edits: Readonly<Record<string, object>>;
}

type Calls = readonly { readonly id: string; readonly tool: string; readonly arguments: object }[];

const endedBy = (ended: { readonly reasons: readonly { readonly code: string }[] }): Stop => ({
  status: 'ended',
  said: ended.reasons.map(({ code }) => code).join(', '),
});

const edited = (calls: Calls, edits: Kept['edits']): Calls =>
  calls.map((call) => ({ ...call, arguments: edits[call.id] ?? call.arguments }));

const firstStop = async ({ run, waits = false, sees }: Setup, calls: Calls): Promise<CallOutcome> => {
  const made = calls.map(({ id, tool, arguments: input }) => run.call(tool, input, { ref: id, waits }));
  const outcomes = await Promise.all(made);
  sees?.(outcomes);
  const [first] = outcomes;
  const stop = outcomes.find(({ status }) => status === 'paused' || status === 'ended') ?? first;
  if (stop === undefined) throw new Error('a step calls something');
  return stop;
};

/** The smallest agent, a loop over `Run`; where these tools stand under a prefix, it calls them so. */
export const loopOver = (
  specs: readonly ToolSpec[],
  prefix = '',
): Omit<Opened, 'tools' | 'swaps' | 'close'> => {
  const names = new Map(specs.map(({ name }) => [name, prefix + name]));
  const named = (calls: Calls): Calls =>
    calls.map((call) => ({ ...call, tool: names.get(call.tool) ?? call.tool }));

  const goOn = async (setup: Setup, { step, edits }: Kept): Promise<Stop> => {
    const { run, script, waits = false, sees } = setup;
    sees?.(specs.map(({ name, description }) => ({ name: prefix + name, description })));
    for (let at = step; at < script.length; at += 1) {
      const next = script[at];
      if (next === undefined) break;
      const outcome =
        'answer' in next
          ? await run.conclude({ payload: next.answer }, { waits })
          : await firstStop(setup, edited(named(next.calls), edits));
      sees?.(outcome);
      if (outcome.status === 'delivered') return { status: 'delivered', payload: outcome.payload };
      if (outcome.status === 'paused') return { status: 'paused', kept: JSON.stringify({ step: at, edits }) };
      if (outcome.status === 'ended') return endedBy(outcome);
    }
    return { status: 'ended', said: 'the script is over' };
  };

  return {
    prefix,
    begin: (setup) => goOn(setup, { step: 0, edits: {} }),
    goOn: (setup, kept) => goOn(setup, JSON.parse(kept) as Kept),
    approved: (kept) => kept,
    edited: (kept, call, input) => {
      const { step, edits } = JSON.parse(kept) as Kept;
      return JSON.stringify({ step, edits: { ...edits, [call]: input } });
    },
    answered: () => null,
  };
};
