import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWire } from 'agentcharter/adapters/http';
import { guardTool, type CallOutcome, type Conclusion, type Guard, type Run } from 'agentcharter/guard';
import type { Setup, Step, Stop, Subject } from '../subject.ts';

const identity = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** As much of a guard as a wire asks for on behalf of an agent: one run, and whose it is. */
const guardOf = (run: Run): Guard =>
  ({
    orchestrator: { ledger: async () => [{ brought: { request: { identity } } }] },
    resume: async () => run,
  }) as unknown as Guard;

/** Serves a run for as long as somebody works on it. */
const serving = async <Result>(run: Run, work: (url: string) => Promise<Result>): Promise<Result> => {
  const wire = createWire(guardOf(run), { identity: () => ({ agent: identity }), patience: 200 });
  const server = createServer(wire.handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/runs/${run.taskId}`);
  } finally {
    await wire.close();
    server.closeAllConnections();
    server.close();
  }
};

/** The steps that the agent took, as it keeps them; an answer has no outcome before it has one. */
interface Transcript {
  readonly steps: readonly Step[];
}

/** JSON text of a value, however deep it is nested: `JSON.stringify` would run out of stack. */
const textOf = (value: unknown): string => {
  const text: string[] = [];
  const rest: (string | { readonly value: unknown })[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') text.push(next);
    else if (typeof next.value !== 'object' || next.value === null) text.push(JSON.stringify(next.value));
    else {
      const isList = Array.isArray(next.value);
      const members = Object.entries(next.value)
        .filter(([, member]) => member !== undefined)
        .flatMap(([key, member], at) => [
          `${at === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}`,
          { value: member as unknown },
        ]);
      text.push(isList ? '[' : '{');
      rest.push(isList ? ']' : '}', ...members.toReversed());
    }
  }
  return text.join('');
};

const post = async (
  url: string,
  body: object,
  { signal, sees }: Pick<Setup, 'signal' | 'sees'>,
): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: textOf(body), ...(signal && { signal }) };
  const response = await fetch(url, sent);
  const answered: unknown = await response.json();
  sees?.(answered);
  if (!response.ok) throw new Error(JSON.stringify(answered));
  return answered;
};

const took = async (
  url: string,
  step: Step,
  { waits = false, ...setup }: Pick<Setup, 'waits' | 'signal' | 'sees'>,
): Promise<readonly (CallOutcome | Conclusion)[]> => {
  if ('answer' in step)
    return [(await post(`${url}/conclusion`, { payload: step.answer, waits }, setup)) as Conclusion];
  const calls = step.calls.map(({ id: ref, tool, arguments: input }) => ({ tool, arguments: input, ref }));
  const round = { calls, waits };
  return ((await post(`${url}/rounds`, round, setup)) as { outcomes: readonly CallOutcome[] }).outcomes;
};

/** An agent that knows nothing but the wire: it takes a step, says what became of it, and takes the next. */
const loop = async (url: string, setup: Setup, { steps }: Transcript): Promise<Stop> => {
  const taken = [...steps];
  for (let at = Math.max(0, taken.length - 1); at < setup.script.length; at += 1) {
    const step = taken[at] ?? setup.script[at];
    if (step === undefined) break;
    taken[at] = step;
    let outcomes = await took(url, step, setup);
    // it waited as long as the server allows: it asks for the same again
    while (setup.waits === true && outcomes.some(({ status }) => status === 'paused'))
      outcomes = await took(url, step, setup);
    for (const outcome of outcomes) {
      if (outcome.status === 'delivered') return { status: 'delivered', payload: outcome.payload };
      if (outcome.status === 'ended')
        return { status: 'ended', said: outcome.reasons.map(({ code }) => code).join(', ') };
    }
    if (outcomes.some(({ status }) => status === 'paused'))
      return {
        status: 'paused',
        kept: JSON.stringify({ steps: taken.slice(0, at + 1) } satisfies Transcript),
      };
  }
  return { status: 'ended', said: 'the script is over' };
};

const goOn = (setup: Setup, transcript: Transcript): Promise<Stop> =>
  serving(setup.run, (url) => loop(url, setup, transcript));

const read = (kept: string): Transcript => JSON.parse(kept) as Transcript;

/** An agent in any language: here by `fetch` alone. */
export const subject: Subject = {
  framework: 'HTTP',
  package: 'agentcharter',
  open: (specs) => ({
    tools: specs.map(({ contract, ...tool }) => guardTool(tool, contract)),
    begin: (setup) => goOn(setup, { steps: [] }),
    goOn: (setup, kept) => goOn(setup, read(kept)),
    // a transcript holds no approval: whoever resumes it has nothing to say of one
    approved: (kept) => kept,
    edited: (kept, call, input) =>
      JSON.stringify({
        steps: read(kept).steps.map((step) =>
          'answer' in step
            ? step
            : { calls: step.calls.map((one) => (one.id === call ? { ...one, arguments: input } : one)) },
        ),
      }),
    answered: () => null,
    swaps: { none: 'an agent names tools, and has none: those that are called are on the server' },
  }),
};
