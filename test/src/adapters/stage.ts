import { isCharterError, type Telemetry } from 'agentcharter';
import type { Run } from 'agentcharter/guard';
import type { Step, Stop, Subject } from './subject.ts';
import { beginRun, openHouse, Backend, type House } from './backend.ts';

export const balance: Step = {
  calls: [{ id: 'call-1', tool: 'read_balance', arguments: { account: 'a-1' } }],
};
export const note = (line: string): Step => ({
  calls: [{ id: 'call-2', tool: 'add_note', arguments: { line } }],
});
export const payment: Step = {
  calls: [{ id: 'call-2', tool: 'send_money', arguments: { to: 'alice', cents: 100 } }],
};
export const rates = (id: string): Step => ({ calls: [{ id, tool: 'read_rates', arguments: {} }] });
export const clerk: Step = { calls: [{ id: 'call-2', tool: 'ask_clerk', arguments: { what: 'pay' } }] };
export const answer: Step = { answer: { said: 'the secret answer' } };
export const delivered: Stop = { status: 'delivered', payload: { said: 'the secret answer' } };

/** A run of an agent, in its house. */
export interface Stage {
  readonly backend: Backend;
  readonly house: House;
  readonly run: Run;
  readonly script: readonly Step[];
}

interface Staging {
  readonly inner?: readonly Step[];
  readonly failures?: number;
  readonly telemetry?: Telemetry;
}

export const staged = async (
  subject: Subject,
  script: readonly Step[],
  { inner, failures = 0, telemetry }: Staging = {},
): Promise<Stage> => {
  const backend = new Backend();
  backend.failures = failures;
  const house = await openHouse(subject, backend, inner, telemetry);
  return { backend, house, run: await beginRun(house), script };
};

export const kept = (stop: Stop): string => {
  if (stop.status !== 'paused') throw new Error(`expected a pause, not ${JSON.stringify(stop)}`);
  return stop.kept;
};

export const paused = async ({ house, run, script }: Stage): Promise<string> =>
  kept(await house.opened.begin({ run, script }));

export const goOn = ({ house, run, script }: Stage, state: string): Promise<Stop> =>
  house.opened.goOn({ run, script }, state);

export const facts = async ({ house, run }: Stage): Promise<readonly string[]> =>
  (await house.guard.orchestrator.ledger(run.taskId)).flatMap(({ fact }) => fact?.type ?? []);

export const refusals = async ({ house, run }: Stage): Promise<readonly (string | null)[]> =>
  (await house.guard.orchestrator.ledger(run.taskId))
    .filter(({ kind }) => kind === 'refusal')
    .map(({ code }) => code);

export const codeOf = async (refused: Promise<unknown>): Promise<string | null> => {
  try {
    await refused;
  } catch (error) {
    if (isCharterError(error, 'feedback_refused')) return error.details.code ?? 'answered';
    throw error;
  }
  return 'taken';
};

/** One thing that every binding shows, as a sentence and as a run. */
export interface Behaviour {
  readonly name: string;
  readonly sentence: string;
  readonly show: (subject: Subject) => Promise<void>;
}

export const behaviour = (name: string, sentence: string, show: Behaviour['show']): Behaviour => ({
  name,
  sentence,
  show,
});
