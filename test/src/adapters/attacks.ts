import type { Setup, Step, Stop, Subject, ToolSpec } from './subject.ts';
import { approve, beginRun, openHouse, questionOf, signed, Backend } from './backend.ts';

const balance: Step = { calls: [{ id: 'call-1', tool: 'read_balance', arguments: { account: 'a-1' } }] };
const payment: Step = {
  calls: [{ id: 'call-2', tool: 'send_money', arguments: { to: 'alice', cents: 100 } }],
};
const answer: Step = { answer: { said: 'it is done' } };
const script = [balance, payment, answer];

/** The means of whoever attacks: a framework's run, with a guard around it or without one. */
export interface Target {
  readonly backend: Backend;
  readonly begin: (script: readonly Step[]) => Promise<Stop>;
  readonly goOn: (kept: string) => Promise<Stop>;
  /** What the framework keeps, with its own word that everything is approved. */
  readonly approved: (kept: string) => string;
  readonly edited: (kept: string, call: string, input: object) => string | null;
  /** A person whom the host knows approves what waits. */
  readonly approve: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** An attack: what it comes to in numbers, payments made or answers let out, and what it should. */
export interface Attack {
  readonly name: string;
  readonly withstood: readonly string[];
  readonly attempt: (target: Target) => Promise<string>;
}

const times = (count: number): string => `${count} payment${count === 1 ? '' : 's'}`;

const pausedIn = (stop: Stop): string => {
  if (stop.status === 'paused') return stop.kept;
  throw new Error(`expected a pause, not ${JSON.stringify(stop)}`);
};

/** A framework may refuse a state that was tampered with before anybody else does. */
const attempted = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

const nowhere = 'the kept state holds no arguments';

export const attacks: readonly Attack[] = [
  {
    name: 'an approval in the kept state that no person gave',
    withstood: ['0 payments'],
    attempt: async ({ backend, begin, goOn, approved }) => {
      await attempted(goOn(approved(pausedIn(await begin(script)))));
      return times(backend.payments.length);
    },
  },
  {
    name: 'other arguments after a person approved',
    withstood: ['0 payments to another', nowhere],
    attempt: async ({ backend, begin, goOn, approve, approved, edited }) => {
      const kept = pausedIn(await begin(script));
      await approve();
      const changed = edited(approved(kept), 'call-2', { to: 'mallory', cents: 999_999 });
      if (changed === null) return nowhere;
      await attempted(goOn(changed));
      return `${times(backend.payments.filter((payment) => payment.includes('mallory')).length)} to another`;
    },
  },
  {
    name: 'one approval, resumed three times',
    withstood: ['1 payment'],
    attempt: async ({ backend, begin, goOn, approve, approved }) => {
      const kept = pausedIn(await begin(script));
      await approve();
      for (let time = 0; time < 3; time += 1) await attempted(goOn(approved(kept)));
      return times(backend.payments.length);
    },
  },
  {
    name: 'one approval, resumed twice at once',
    withstood: ['1 payment'],
    attempt: async ({ backend, begin, goOn, approve, approved }) => {
      const kept = pausedIn(await begin(script));
      await approve();
      await Promise.all([attempted(goOn(approved(kept))), attempted(goOn(approved(kept)))]);
      return times(backend.payments.length);
    },
  },
  {
    name: 'an answer without evidence',
    withstood: ['held back'],
    attempt: async ({ begin }) => {
      const { status } = await begin([answer, answer, answer, answer]);
      return status === 'delivered' ? 'let out' : 'held back';
    },
  },
];

const guarded = async (subject: Subject): Promise<Target> => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  let played: readonly Step[] = script;
  return {
    ...house.opened,
    backend,
    begin: (steps) => {
      played = steps;
      return house.opened.begin({ run, script: steps });
    },
    goOn: (kept) => house.opened.goOn({ run, script: played }, kept),
    approve: async () => {
      const entry = await questionOf(run);
      await approve(house, entry, await signed(entry));
    },
    close: house.close,
  };
};

const unguarded = ({ unguarded: open }: Subject): Target | undefined => {
  if (open === undefined) return undefined;
  const backend = new Backend();
  const specs: readonly ToolSpec[] = backend.specs;
  const opened = open(specs, ['send_money']);
  let played: Omit<Setup, 'run' | 'waits'> = { script };
  return {
    ...opened,
    backend,
    begin: (steps) => {
      played = { script: steps };
      return opened.begin(played);
    },
    goOn: (kept) => opened.goOn(played, kept),
    approve: async () => {}, // the framework's own word is all there is
    close: async () => {},
  };
};

/** What an attack comes to: with a guard, and without one where the framework can be had so. */
export const attacked = async (
  subject: Subject,
  { attempt }: Attack,
): Promise<{ readonly guarded: string; readonly unguarded: string | null }> => {
  const target = await guarded(subject);
  const bare = unguarded(subject);
  try {
    return { guarded: await attempt(target), unguarded: bare === undefined ? null : await attempt(bare) };
  } finally {
    await target.close();
  }
};
