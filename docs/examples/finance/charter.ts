import { isDeepStrictEqual } from 'node:util';
import { defineTaskClass, defineTool, defineVerifier, type Tool } from 'agentcharter';
import { tablePolicy } from 'agentcharter/policies';
import { z } from 'zod';
import type { Bank } from './bank.ts';
import { Confirmation, Entry, evidenceOf, Snapshot, Ticket, Transfer, type Case } from './records.ts';

/** What the wire room may do: three reads, and one write that can be taken back. */
export const tools = (bank: Bank, { ticket, confirmation }: Case): readonly Tool[] => [
  defineTool({
    name: 'ticket.read',
    description: 'Reads a ticket: which wire is to be reversed, and why.',
    tier: 'read_only',
    input: z.object({ ticket: z.literal(ticket.ticket) }),
    call: async () => ticket,
  }),
  defineTool({
    name: 'ledger.snapshot',
    description: 'Reads a wire as it is booked, and both of its accounts.',
    tier: 'read_only',
    input: z.object({ wire: z.string() }),
    call: async () => bank.snapshot(),
  }),
  defineTool({
    name: 'beneficiary.read',
    description: 'Reads whether the beneficiary of a wire lets its account be debited.',
    tier: 'read_only',
    input: z.object({ wire: z.string() }),
    call: async () => confirmation,
  }),
  defineTool({
    name: 'wire.reverse',
    description: 'Moves the money of a wire back.',
    tier: 'write_high_risk',
    input: Transfer.extend({ ticket: z.string() }),
    call: async ({ wire }, { key, notDone }) => {
      const booking = bank.reverse(wire, key);
      return 'refused' in booking ? notDone(booking.refused) : booking;
    },
    rollback: {
      describe: ({ wire, cents, currency }) => ({
        type: 'wire.reinstate',
        target: wire,
        payload: { cents, currency },
      }),
      run: async ({ target = '' }, { key }) => {
        const booking = bank.reinstate(target, key);
        if ('refused' in booking) throw new Error(booking.refused);
        return booking;
      },
    },
  }),
];

const check = (check_id: string, isMet: boolean) =>
  ({ check_id, result: isMet ? 'pass' : 'fail' }) as const;

const isSameTransfer = (one: unknown, other: unknown): boolean => {
  const { data } = Transfer.safeParse(one);
  return data !== undefined && isDeepStrictEqual(data, Transfer.safeParse(other).data);
};

const Action = z.object({ arguments: Transfer });

/** The action is what ticket and books say, the beneficiary agrees, and the money is there. */
const caseVerifier = defineVerifier({
  id: 'case-agrees',
  requires: ['ticket', 'books', 'beneficiary', 'balance'],
  verify: ({ value, evidence }) => {
    const { arguments: action } = Action.parse(value);
    const books = evidenceOf(evidence, 'ledger.snapshot', Snapshot);
    const beneficiary = evidenceOf(evidence, 'beneficiary.read', Confirmation);
    const { wire, to: account } = action;
    const payer = books?.accounts.find((known) => known.account === account);
    return {
      checks: [
        check('ticket', isSameTransfer(action, evidenceOf(evidence, 'ticket.read', Ticket))),
        check('books', isSameTransfer(action, books?.booked)),
        check('beneficiary', isDeepStrictEqual(beneficiary, { wire, account, isConfirmed: true })),
        check('balance', payer !== undefined && payer.cents >= action.cents),
      ],
    };
  },
});

/** The draft is what the bank has booked. */
const bookingVerifier = defineVerifier({
  id: 'booking-agrees',
  requires: ['booking'],
  verify: ({ value, evidence }) => {
    const booking = evidenceOf(evidence, 'wire.reverse', Entry);
    const draft = z.object({ entry: z.int() }).safeParse(value).data;
    const isBooked = booking?.kind === 'reversed' && draft?.entry === booking.entry;
    return { checks: [check('booking', isBooked && isSameTransfer(value, booking))] };
  },
});

export const verifiers = [caseVerifier, bookingVerifier];

/** Who may ask for a reversal at all: a signed approval comes on top of it. */
export const policy = tablePolicy({
  version: 'wire-room-3',
  rules: [
    {
      tools: ['wire.reverse'],
      controlClasses: ['human-supervised'],
      attestation: 'vouched',
      verdict: 'allow',
      reason: 'an agent of this bank, with a person beside it',
    },
  ],
});

const resultOf = (tool: string) => ({ type: 'tool_result', tool }) as const;

/** The contract: nothing moves without ticket, books and beneficiary; nothing is reported that did not move. */
export const reversals = defineTaskClass({
  id: 'wire-reversal',
  tools: ['ticket.read', 'ledger.snapshot', 'beneficiary.read', 'wire.reverse'],
  beforeWrite: {
    evidence: [resultOf('ticket.read'), resultOf('ledger.snapshot'), resultOf('beneficiary.read')],
    verifiers: [caseVerifier.id],
  },
  beforeDeliver: { evidence: [resultOf('wire.reverse')], verifiers: [bookingVerifier.id] },
});
