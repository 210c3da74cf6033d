import { guardTool, type CallOutcome, type Run } from 'agentcharter/guard';
import { answerOf, toolName, turnsOf, type Call, type Entry } from './entry.ts';
import type { Binding, Opened, Read } from './binding.ts';

const readOf = (outcome: CallOutcome, valueIn: (payload: unknown) => unknown): Read => {
  switch (outcome.status) {
    case 'done':
      return { value: valueIn(outcome.result) };
    case 'refused':
      return { error: outcome.explanation };
    default:
      return { error: outcome.status };
  }
};

/** The smallest agent: it repeats all of its calls after a restart, and the store answers those that were made. */
export const loop =
  (prefix = '', valueIn = (payload: unknown): unknown => payload): Opened['play'] =>
  async (run: Run, entry: Entry) => {
    const reads: Read[] = [];
    const make = (call: Call) =>
      run.call(prefix + toolName(entry, call.tool), call.arguments, { ref: call.id, reusesRef: true });
    for (const calls of turnsOf(entry)) {
      const outcomes = await Promise.all(calls.map(make));
      const stop = outcomes.find(({ status }) => status === 'paused' || status === 'ended');
      if (stop !== undefined) return { status: stop.status, reads, earlier: [] };
      reads.push(...outcomes.map((outcome) => readOf(outcome, valueIn)));
    }
    return { ...(await run.conclude({ payload: answerOf(entry) })), reads, earlier: [] };
  };

export const byHand: Binding = {
  name: 'by hand',
  open: (cases) => ({
    tools: cases.flatMap(({ specs }) => specs.map(({ contract, ...tool }) => guardTool(tool, contract))),
    play: loop(),
  }),
};
