import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { Model, Store } from 'agentcharter';
import type { BankAccess, Booking } from '../../../docs/examples/finance/bank.ts';
import given from '../../../docs/examples/finance/case.json' with { type: 'json' };
import { createKeys, openDesk } from '../../../docs/examples/finance/desk.ts';
import { clerk } from '../../../docs/examples/finance/model.ts';
import type { Entry, Snapshot } from '../../../docs/examples/finance/records.ts';
import { reverse } from '../../../docs/examples/finance/reversal.ts';
import answers from '../../../docs/examples/shortlisting/answers.json' with { type: 'json' };
import freelancers from '../../../docs/examples/shortlisting/freelancers.json' with { type: 'json' };
import { scriptedHuman, type Answers, type Human } from '../../../docs/examples/shortlisting/human.ts';
import type { Mailer, Receipt } from '../../../docs/examples/shortlisting/mail.ts';
import { openSearch } from '../../../docs/examples/shortlisting/search.ts';
import { shortlist } from '../../../docs/examples/shortlisting/shortlist.ts';
import { courses, type CourseName } from './courses.ts';
import { createFate, say } from './fate.ts';
import { mortalStore } from './mortal.ts';
import { requester, type Request } from './request.ts';

/** What one life of the process is given. */
export interface Life {
  readonly course: CourseName;
  readonly file: string;
  readonly server: string;
  /** The desk's private key, which outlives the process. */
  readonly desk: JsonWebKey;
  /** The boundary that it dies at, counted from 1; `null` where it is left alone. */
  readonly diesAt: number | null;
  /** A planted fault: what has begun is not kept. */
  readonly hidesIntents: boolean;
}

/** Mail, by a server that knows no keys. */
const mailerOf = (request: Request): Mailer => ({
  send: async ({ idempotencyKey: key, ...input }) =>
    (await request({ kind: 'call', tool: 'email.send', key, input })) as Receipt,
  close: () => {},
});

/** Gives the prepared answers, and says of an effect in doubt what is true. */
const humanOf = (request: Request): Human => {
  const prepared = scriptedHuman(answers as Answers);
  return {
    answer: async (question, signal) => {
      if (question.kind !== 'doubt') return prepared.answer(question, signal);
      const isDone = await request({ kind: 'told', tool: 'email.send', key: '' });
      return { type: 'edit', content: isDone === true ? 'done' : 'absent', by: answers.by };
    },
  };
};

const bankOf = (request: Request): BankAccess => {
  const move = (kind: 'call' | 'rollback', tool: string) => (input: string, key: string) =>
    request({ kind, tool, key, input }) as Promise<Booking>;
  return {
    snapshot: () => request({ kind: 'read', tool: 'ledger.snapshot', key: '' }) as Promise<Snapshot>,
    reverse: move('call', 'wire.reverse'),
    reinstate: move('rollback', 'wire.reinstate'),
    find: async (_, key) =>
      ((await request({ kind: 'lookup', tool: 'wire.reverse', key })) as Entry | null) ?? undefined,
  };
};

const honest = clerk(['ledger.snapshot', 'beneficiary.read']);

/** States another entry than the bank's: the reversal is rolled back. */
const mistaken: Model = {
  answer: async (turn, options) => {
    const output = (await honest.answer(turn, options)) as Readonly<Record<string, unknown>>;
    return 'payload' in output
      ? { ...output, payload: { ...(output['payload'] as object), entry: 7 } }
      : output;
  },
};

const reversal = (model: Model) => async (life: Life, request: Request, store: Store) => {
  const { kid = '', d: _private, ...open } = life.desk as JsonWebKey & { kid?: string };
  const publicKey = createPublicKey({ key: open, format: 'jwk' });
  const own = {
    ...createKeys(kid),
    signing: { ...life.desk, kid },
    open: { keys: [{ ...open, kid }] },
    publicKey,
  };
  const parts = { given, model, brings: 'signed', ports: {}, store } as const;
  await reverse({ ...parts, bank: bankOf(request), desk: openDesk(Date.now, own) }, async () => {});
};

const workflows: Record<CourseName, (life: Life, request: Request, store: Store) => Promise<unknown>> = {
  hiring: (_, request, store) =>
    shortlist({
      search: openSearch(freelancers),
      mailer: mailerOf(request),
      human: humanOf(request),
      store,
      patience: 600_000,
      watch: () => {},
    }),
  reversal: reversal(honest),
  'reversal taken back': reversal(mistaken),
};

const life = JSON.parse(process.argv[2] ?? '') as Life;
const fate = createFate(life.diesAt);
say({ says: 'ready' });
const sound = mortalStore(life.file, fate);
const store: Store = {
  ...sound,
  commit: (step) => sound.commit(life.hidesIntents ? { ...step, intents: [] } : step),
};
const settled = await store.taskIndex({ isSettled: true });
const isOver = settled.length === courses[life.course].tasks && settled.every(({ isOwed }) => !isOwed);
await (isOver ? store.close() : workflows[life.course](life, requester(life.server, fate), store));
say({ says: 'ended' });
