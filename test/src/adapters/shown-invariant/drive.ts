import { randomBytes } from 'node:crypto';
import { defineTaskClass, defineTaskTool } from 'agentcharter';
import { createWire } from 'agentcharter/adapters/http';
import { createGuard, guardTool, type Guard, type Run } from 'agentcharter/guard';
import { z } from 'zod';
import { replayed, unreplayed } from '../../../../src/core/kernel/replay.ts';
import type { Label } from '../../../../src/base/ports/origin.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { loopOver } from '../by-hand/loop.ts';
import type { Step } from '../subject.ts';
import { subjectOf } from '../subjects.ts';
import { places, type Place } from './places.ts';
import { walkRoutes, walkRun } from './walk.ts';

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** Where bindings put the result of a tool. */
const within: Readonly<Record<string, string>> = { mcp: '/structured', a2a: '/parts/0/data' };

export type PlaceName = keyof typeof places;

/** What became of a marked value. */
export interface Marked {
  /** What the run had been shown, each time that the mark arrived at the agent. */
  readonly arrivals: readonly Label[];
  /** What it had been shown before its first turn. */
  readonly atFirst: Label;
  /** Whether the run recorded it anywhere. */
  readonly isRecorded: boolean;
}

/** Returns what a run had been shown after these records. */
const shownAfter = (records: readonly LedgerRecord[]): Label => {
  const [opening] = records;
  if (opening?.brought.contract === undefined) throw new Error('a ledger opens with a contract');
  const unread = unreplayed(opening.brought.contract, opening);
  return records.reduce((replay, record) => replayed(replay, record).after, unread).projection.provenance
    .shown;
};

/** A way to show an agent what no label counts: a run with something more in what it returns. */
export type Leak = (run: Run, mark: string) => Run;

/** Returns a run in whose results of one member stands a mark. */
export const leakIn =
  (name: 'call' | 'documents'): Leak =>
  (run, mark) =>
    new Proxy(run, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          const returned: unknown = Reflect.apply(member, target, given);
          if (key !== name) return returned;
          return Promise.resolve(returned).then((value) => {
            if (name === 'documents') return [...(value as readonly object[]), { leaked: mark }];
            const outcome = value as { readonly status: string; readonly result?: unknown };
            return outcome.status === 'done'
              ? { ...outcome, result: { leaked: mark, of: outcome.result } }
              : outcome;
          });
        };
      },
    });

const noLeak: Leak = (run) => run;

const stepsOf = (calls: Place['calls'], said = 'done'): readonly Step[] => [
  ...calls.map(([tool, input], at): Step => ({ calls: [{ id: `call-${at}`, tool, arguments: input }] })),
  ...Array.from({ length: 3 }, () => ({ answer: { said } })), // an answer that is sent back is given again
];

const askClerk = defineTaskTool({
  name: 'ask_clerk',
  description: 'Has a clerk do it.',
  tier: 'read_only',
  labels: { '': { integrity: 'trusted' } },
  input: z.object({ what: z.string() }),
  taskClass: 'clerk',
  request: ({ what }) => ({ payload: { what } }),
});

/** Opens a guard around a binding's tools, with the marked value in its place. */
const openPlace = async (name: string, placeName: PlaceName, mark: string) => {
  const subject = await subjectOf(name);
  const named = (prefix: string): Place => places[placeName](mark, { prefix, within: within[name] ?? '' });
  const { tools = [], own: asking = [], nested } = named('');
  const own = [
    ...asking.map(({ contract, ...tool }) => guardTool(tool, contract)),
    ...(nested ? [askClerk] : []),
  ];
  const opened = await subject.open(tools, own);
  const place = named(opened.prefix ?? '');
  const { tools: inner, calls, says } = place.nested ?? { tools: [], calls: [], says: '' };
  const innerTools = inner.map(({ contract, ...tool }) => guardTool(tool, contract));
  const limits = { rounds: 8, repairs: 1 };
  const post = defineTaskClass({
    id: 'post',
    tools: [...new Set([...opened.tools, ...own].map((tool) => tool.name))],
    authorities: ['human'],
    limits,
    ...place.taskClass,
  });
  const clerk = defineTaskClass({
    id: 'clerk',
    tools: innerTools.map((tool) => tool.name),
    authorities: ['human'],
    limits,
  });
  const guard = createGuard({
    tools: [...new Set([...opened.tools, ...own, ...innerTools])],
    taskClasses: nested ? [post, clerk] : [post],
    policy: { decide: place.decide ?? (() => ({ verdict: 'allow', reasons: [] })) },
    ...(place.verifier && { verifiers: [place.verifier] }),
    ...(nested && {
      agents: {
        clerk: (run: Run) => loopOver(inner).begin({ run, script: stepsOf(calls, says), waits: true }),
      },
    }),
  });
  return { opened, place, guard };
};

/** Answers what a run waits for, in the name of people and other agents; `false` if nothing of it can be answered. */
const answered = async ({ orchestrator }: Guard, run: Run, { answer, message }: Place): Promise<boolean> => {
  const { threadId, awaits } = await run.progress();
  if (message !== undefined && awaits.length > 0) {
    const sent = {
      messageId: crypto.randomUUID(),
      threadId,
      timestamp: new Date().toISOString(),
      ...message,
    };
    await orchestrator.receive(sent, { agent_id: 'scout', owner_id: 'acme' });
    return true;
  }
  const open = await run.questions();
  if (answer === undefined || open.length === 0) return false;
  for (const { message: asked } of open)
    await orchestrator.respond({ ...answer, target: asked.messageId }, { by: 'kim' });
  return true;
};

/** Runs the agent of a binding, and says where the value that was marked in one place arrived. */
export const marked = async (name: string, placeName: PlaceName, leak = noLeak): Promise<Marked> => {
  const mark = `MARKED-${randomBytes(6).toString('hex')}`;
  const { opened, place, guard } = await openPlace(name, placeName, mark);
  const { orchestrator } = guard;
  const leaky: Guard = { ...guard, resume: async (id: string) => leak(await guard.resume(id), mark) };
  const wire = createWire(leaky, {
    identity: () => ({ agent: identity }),
    trusts: () => place.isUntrusted !== true,
    patience: 100,
  });
  const url = name === 'http' ? await wire.listen() : '';
  const arrivals: Promise<Label>[] = [];
  const sees =
    (taskId: string) =>
    (shown: unknown): void => {
      if (!JSON.stringify(shown).includes(mark)) return;
      arrivals.push(orchestrator.ledger(taskId).then(shownAfter));
    };

  const begin = async (): Promise<Run> => {
    const request = { taskClass: 'post' as const, payload: place.payload ?? {} };
    if (name !== 'http') {
      const label = place.payload && { label: { integrity: 'untrusted' as const } };
      return guard.begin({ ...request, identity, ...label });
    }
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/runs`, { method: 'POST', headers, body: JSON.stringify(request) });
    const begun = (await response.json()) as { readonly taskId: string };
    sees(begun.taskId)(begun);
    return guard.resume(begun.taskId);
  };
  const run = leak(await begin(), mark);
  const see = sees(run.taskId);
  const atFirst = shownAfter(await orchestrator.ledger(run.taskId));
  const script = stepsOf(place.calls);
  const setup = { run, script, sees: see };

  const look = async (isLast: boolean): Promise<void> => {
    if (name === 'by-hand') await walkRun(run, see);
    if (name !== 'http') return;
    const { threadId } = await run.progress();
    const [asked] = await run.questions();
    const [first] = script;
    const call = first && 'calls' in first ? first.calls[0] : undefined;
    const question = asked?.message.messageId ?? crypto.randomUUID();
    await walkRoutes(url, { taskId: run.taskId, threadId, question, call }, see, isLast);
  };
  let stop = await opened.begin(setup);
  while (stop.status === 'paused') {
    await look(false);
    if (!(await answered(guard, run, place))) break;
    stop = await opened.goOn(setup, stop.kept);
  }
  await look(true);
  const labels = await Promise.all(arrivals);
  const tasks = await orchestrator.list();
  const ledgers = await Promise.all(tasks.map(({ taskId }) => orchestrator.ledger(taskId)));
  await wire.close();
  await guard.close();
  await opened.close?.();
  return { arrivals: labels, atFirst, isRecorded: JSON.stringify(ledgers).includes(mark) };
};

/** Returns what is wrong with a run in which a value was marked: the mark arrived, and what it was shown does not count it. */
export const leaks = ({ arrivals }: Marked): readonly Label[] =>
  arrivals.filter(({ integrity }) => integrity !== 'untrusted');
