import { guardTool, type CallOutcome, type Run } from 'agentcharter/guard';
import type { Binding, Opened, Read } from './binding.ts';
import type { NamedCall, Scenario } from './scenario.ts';

const readOf = (id: string, outcome: CallOutcome, valueIn: (payload: unknown) => unknown): Read => {
  if (outcome.status === 'done') return { id, value: valueIn(outcome.result) };
  return { id, error: outcome.status === 'refused' ? outcome.explanation : outcome.status };
};

/** The smallest agent: it repeats all of its calls after a restart, and the store answers those that were made. */
export const loop =
  (prefix = '', valueIn = (payload: unknown): unknown => payload): Opened['play'] =>
  async (run: Run, { turns, answer }: Scenario) => {
    const reads: Read[] = [];
    const make = ({ id, name, arguments: given }: NamedCall) =>
      run.call(prefix + name, given, { ref: id, reusesRef: true });
    for (const calls of turns) {
      const outcomes = await Promise.all(calls.map(make));
      const stop = outcomes.find(({ status }) => status === 'paused' || status === 'ended');
      if (stop !== undefined) return { status: stop.status, reads, earlier: [] };
      reads.push(...outcomes.map((outcome, at) => readOf(calls[at]?.id ?? '', outcome, valueIn)));
    }
    return { ...(await run.conclude({ payload: answer })), reads, earlier: [] };
  };

export const byHand: Binding = {
  name: 'by hand',
  open: (cases) => ({
    tools: cases.flatMap(({ specs }) =>
      specs.map(({ of: _of, contract, ...tool }) => guardTool(tool, contract)),
    ),
    play: loop(),
  }),
};
