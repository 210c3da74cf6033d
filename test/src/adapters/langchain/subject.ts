import { AIMessage } from '@langchain/core/messages';
import { Command, isInterrupted, MemorySaver } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware, type AgentMiddleware } from 'langchain';
import { charterMiddleware, guardTools, runGraph, type GraphStop } from 'agentcharter/adapters/langchain';
import type { Setup, Stop, Subject } from '../subject.ts';
import { editedText, saverOf, textOf } from './saver.ts';
import { scripted, toolOf } from './scripted.ts';
import { swapsOf } from './swaps.ts';

/** What a checkpointer keeps, and whether whoever goes on says that everything is approved. */
interface Kept {
  readonly saved: string;
  readonly isApproved: boolean;
}

const begun = { messages: [{ role: 'user', content: 'Pay Alice.' }] };
const decisions = [{ type: 'approve' }];

const kept = (saver: MemorySaver): string => JSON.stringify({ saved: textOf(saver), isApproved: false });
const read = (text: string): Kept => JSON.parse(text) as Kept;
const approved = (text: string): string => JSON.stringify({ ...read(text), isApproved: true });
const edited = (text: string, call: string, input: object): string =>
  JSON.stringify({ ...read(text), saved: editedText(read(text).saved, call, input) });

const stopOf = (stop: GraphStop, saver: MemorySaver): Stop => {
  switch (stop.status) {
    case 'delivered':
      return { status: 'delivered', payload: stop.payload };
    case 'paused':
      return { status: 'paused', kept: kept(saver) };
    case 'ended':
      return { status: 'ended', said: stop.reasons.map(({ code }) => code).join(', ') };
  }
};

/** What stands where somebody writes an answer into what was kept. */
const blank = 'an answer of nobody';

/** A text as it stands in JSON that stands in JSON, so many times over. */
const inJson = (text: string, times: number): string =>
  times === 0 ? text : inJson(JSON.stringify(text).slice(1, -1), times - 1);

const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

export const subject: Subject = {
  framework: 'LangChain',
  package: 'langchain',
  open: (specs, own) => {
    const contracts = Object.fromEntries(specs.map(({ name, contract }) => [name, contract]));
    const guarded = guardTools(
      specs.map((spec) => toolOf(spec)),
      contracts,
      own,
    );
    const agentOf = ({ run, script, waits = false, sees }: Setup, checkpointer: MemorySaver) =>
      createAgent({
        model: scripted(script, sees),
        middleware: [charterMiddleware(guarded, run, { waits })],
        checkpointer,
      });
    const forged = new Map<string, string>();
    /** As LangGraph lets whoever has the checkpointer: an answer that waits to be delivered. */
    const forge = async (setup: Setup, saver: MemorySaver): Promise<void> => {
      const copy = saverOf(textOf(saver));
      const config = { configurable: { thread_id: setup.run.taskId } };
      const values = { _withheld: new AIMessage(blank), jumpTo: 'end' };
      await agentOf(setup, copy).graph.updateState(config, values, 'AgentCharter.after_model');
      forged.set(kept(saver), kept(copy));
    };
    return {
      tools: guarded.tools,
      begin: async (setup) => {
        const saver = new MemorySaver();
        const agent = agentOf(setup, saver);
        const stop = await runGraph(agent, setup.run, begun, withSignal(setup.signal));
        if (stop.status === 'paused') await forge(setup, saver);
        return stopOf(stop, saver);
      },
      goOn: async (setup, text) => {
        const { saved, isApproved } = read(text);
        const saver = saverOf(saved);
        const input = isApproved ? new Command({ resume: { decisions } }) : undefined;
        const agent = agentOf(setup, saver);
        return stopOf(await runGraph(agent, setup.run, input, withSignal(setup.signal)), saver);
      },
      approved,
      edited,
      answered: (text, payload) =>
        forged.get(text)?.replace(blank, () => inJson(JSON.stringify(payload), 3)) ?? null,
      swaps: swapsOf(guarded, (stop) => stopOf(stop, new MemorySaver())),
    };
  },
  /**
   * With `humanInTheLoopMiddleware`, as the documentation has it: a tool that it does not name is approved by default. What is
   * resumed twice is an older checkpoint; a thread that already went on does nothing when it is resumed once more.
   */
  unguarded: (specs, risky) => {
    const interruptOn = Object.fromEntries(risky.map((name) => [name, true]));
    const asks: AgentMiddleware = humanInTheLoopMiddleware({ interruptOn } as never); // its types know no exact optional properties
    const config = { configurable: { thread_id: 'thread' } };
    const run = async (
      { script, signal }: Omit<Setup, 'run'>,
      saver: MemorySaver,
      input: object | null,
    ): Promise<Stop> => {
      const agent = createAgent({
        model: scripted(script),
        tools: specs.map((spec) => toolOf(spec)),
        middleware: [asks],
        checkpointer: saver,
      });
      const state: unknown = await agent.invoke(input as never, { ...config, ...withSignal(signal) });
      if (isInterrupted(state)) return { status: 'paused', kept: kept(saver) };
      const { messages } = state as { messages: readonly { readonly text: string }[] };
      return { status: 'delivered', payload: JSON.parse(messages.at(-1)?.text ?? 'null') };
    };
    return {
      begin: (setup) => run(setup, new MemorySaver(), begun),
      goOn: (setup, text) => {
        const { saved, isApproved } = read(text);
        const input = isApproved ? new Command({ resume: { decisions } }) : null;
        return run(setup, saverOf(saved), input);
      },
      approved,
      edited,
    };
  },
};
