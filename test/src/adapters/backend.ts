import { randomUUID } from 'node:crypto';
import { defineTaskClass, defineTaskTool, type InboxEntry, type Store, type Telemetry } from 'agentcharter';
import { approvalSubject, jwsApprovals, signApproval } from 'agentcharter/approvals';
import { createGuard, type Guard, type Run } from 'agentcharter/guard';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { generateKeys } from '../../key-pair.ts';
import type { Opened, Step, Subject, ToolSpec } from './subject.ts';

const parties = { issuer: 'https://desk.example', audience: 'bank' };
const minute = 60_000;

interface Key {
  readonly kid: string;
  readonly jwk: object;
}

const pair = (kid: string) => {
  const { privateKey, publicKey } = generateKeys();
  return { kid, jwk: privateKey.export({ format: 'jwk' }), publicJwk: publicKey.export({ format: 'jwk' }) };
};
const desk = pair('desk');
const forger: Key = { ...pair('forger'), kid: 'desk' };

/** The system behind the tools: it records their effects, and its first calls fail as often as `failures` says. */
export class Backend {
  readonly effects: string[] = [];
  /** Another connection to what is stored, as another process has it. */
  readonly store: () => Store;
  failures = 0;
  /** What is thrown by a tool that fails. */
  failure = (): Error => new Error('the exchange is closed');

  constructor(store?: () => Store) {
    const database = memoryDatabase();
    this.store = store ?? (() => database.connect());
  }

  get payments(): readonly string[] {
    return this.effects.filter((effect) => effect.startsWith('paid'));
  }

  readonly specs: readonly ToolSpec[] = [
    {
      name: 'read_balance',
      description: 'Reads the balance of an account.',
      input: z.object({ account: z.string() }),
      execute: ({ account }) => ({ account, cents: 1200 }),
      contract: { tier: 'read_only' },
    },
    {
      name: 'read_rates',
      description: 'Reads the rates of exchange.',
      input: z.object({}),
      execute: () => {
        this.failures -= 1;
        if (this.failures >= 0) throw this.failure();
        return { euro: 1.1 };
      },
      contract: { tier: 'read_only' },
    },
    {
      name: 'add_note',
      description: 'Adds a line to the notes.',
      input: z.object({ line: z.string() }),
      execute: ({ line }) => {
        this.effects.push(`noted ${String(line)}`);
        return { noted: line };
      },
      contract: { tier: 'write_low_risk' },
    },
    {
      name: 'send_money',
      description: 'Sends money.',
      input: z.object({ to: z.string(), cents: z.int() }),
      execute: ({ to, cents }) => {
        this.effects.push(`paid ${String(to)} ${String(cents)}`);
        return { sent: cents };
      },
      contract: {
        tier: 'write_high_risk',
        rollback: {
          describe: ({ to, cents }) => ({ type: 'money.recall', target: String(to), payload: { cents } }),
          run: async ({ target }) => this.effects.push(`recalled ${String(target)}`),
        },
      },
    },
  ];
}

const limits = { rounds: 12, repairs: 2 };
const taskClassesOf = ({ prefix = '' }: Opened) => [
  defineTaskClass({
    id: 'payment',
    tools: [
      ...['read_balance', 'read_rates', 'add_note', 'send_money'].map((name) => prefix + name),
      'ask_clerk',
    ],
    limits,
    beforeDeliver: { evidence: [{ type: 'tool_result', tool: `${prefix}read_balance` }] },
  }),
  defineTaskClass({ id: 'clerk', tools: [`${prefix}send_money`], limits }),
];

/** An agent of another class as a tool of this one. */
const askClerk = defineTaskTool({
  name: 'ask_clerk',
  description: 'Has a clerk do it.',
  input: z.object({ what: z.string() }),
  taskClass: 'clerk',
  request: ({ what }) => ({ payload: { what } }),
  rollback: {
    describe: ({ what }) => ({ type: 'clerk.revoke', target: 'clerk', payload: { what } }),
    run: async () => ({}),
  },
});

/** A process in which a guard lives, with the framework's agent in it. */
export interface House extends AsyncDisposable {
  readonly guard: Guard;
  readonly opened: Opened;
  readonly close: () => Promise<void>;
}

/** `inner` is the script of the agent that is nested in another; `telemetry` follows what the guard does. */
export const openHouse = async (
  subject: Subject,
  backend: Backend,
  inner: readonly Step[] = [],
  telemetry?: Telemetry,
): Promise<House> => {
  const opened = await subject.open(backend.specs, [askClerk]);
  const nested = await subject.open(backend.specs, []);
  const guard = createGuard({
    taskClasses: taskClassesOf(opened),
    tools: [...opened.tools, askClerk],
    store: backend.store(),
    ...(telemetry && { telemetry }),
    policy: {
      version: '1',
      decide: (request) =>
        JSON.stringify(request.arguments).includes('forbidden')
          ? { verdict: 'deny', reasons: ['it is forbidden'] }
          : { verdict: 'allow', reasons: ['that is what it is for'] },
    },
    approvals: jwsApprovals({
      ...parties,
      keys: { keys: [{ ...desk.publicJwk, kid: desk.kid, subjects: 'any' }] },
    }),
    agents: { clerk: (run) => nested.begin({ run, script: inner, waits: true }) },
  });
  const close = async (): Promise<void> => {
    await guard.close();
    await opened.close?.();
    await nested.close?.();
  };
  return { guard, opened, close, [Symbol.asyncDispose]: close };
};

export const beginRun = ({ guard }: House): Promise<Run> =>
  guard.begin({
    taskClass: 'payment',
    payload: { account: 'a-1' },
    explanation: 'Pay Alice.',
    identity: { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' },
  });

const tokenFor = (entry: InboxEntry, key: Key): Promise<string> =>
  signApproval({
    ...parties,
    approver: 'kim',
    claims: approvalSubject(entry).claims,
    jti: randomUUID(),
    issuedAt: Date.now(),
    expiresAt: Date.now() + 10 * minute,
    key: { ...key.jwk, kid: key.kid },
  });

/** A person's signed word on a question; `forged` is signed with a key that nobody trusts. */
export const signed = (entry: InboxEntry, how: 'honest' | 'forged' = 'honest'): Promise<string> =>
  tokenFor(entry, how === 'honest' ? desk : forger);

export const approve = async ({ guard }: House, entry: InboxEntry, approval: string): Promise<void> =>
  guard.orchestrator.respond({ type: 'approve', target: entry.message.messageId }, { by: 'kim', approval });

/** The one question that is open, here or in what is nested in it. */
export const questionOf = async (run: Run): Promise<InboxEntry> => {
  const [entry, ...others] = await run.questions();
  if (entry === undefined || others.length > 0)
    throw new Error(`expected one question, not ${1 + others.length}`);
  return entry;
};
