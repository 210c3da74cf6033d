import { isDeepStrictEqual } from 'node:util';
import { defineTaskClass, defineTool, defineVerifier, type Tool } from 'agentcharter';
import { tablePolicy } from 'agentcharter/policies';
import { z } from 'zod';
import type { BankAccess } from './bank.ts';
import { Confirmation, Entry, evidenceOf, Snapshot, Ticket, Transfer, type Case } from './records.ts';

/** A tool that only reads, by the number of a ticket or a wire. */
const reading = (name: string, description: string, of: string, call: () => Promise<unknown>): Tool =>
  defineTool({ name, description, tier: 'read_only', input: z.object({ of: z.literal(of) }), call });

const Reversal = z.object({ ticket: z.string(), transfer: Transfer });

/** Moves money. A person approves it, and it declares its rollback. */
const reversing = (bank: BankAccess): Tool =>
  defineTool({
    name: 'wire.reverse',
    description: 'Moves the money of a wire back.',
    tier: 'write_high_risk',
    input: Reversal,
    call: async ({ transfer }, { key, notDone }) => {
      const booking = await bank.reverse(transfer.wire, key);
      return 'refused' in booking ? notDone(booking.refused) : booking;
    },
    doubt: 'reconcilable', // the journal says whether it is booked
    lookup: async (key) => {
      const result = await bank.find('reversed', key);
      return result === undefined ? { found: 'absent' } : { found: 'done', result };
    },
    rollback: {
      describe: ({ transfer: { wire, ...payload } }) => ({ type: 'wire.reinstate', target: wire, payload }),
      run: async ({ target = '' }, { key }) => {
        const booking = await bank.reinstate(target, key);
        if ('refused' in booking) throw new Error(booking.refused);
        return booking;
      },
      doubt: 'idempotent', // the bank books once a key
    },
  });

/** What the wire room may do. */
export const tools = (bank: BankAccess, { ticket, confirmation, wire: { wire } }: Case): readonly Tool[] => [
  reading('ticket.read', 'Which wire is to be reversed, and why.', ticket.ticket, async () => ticket),
  reading('ledger.snapshot', 'A wire as it is booked, and both accounts.', wire, async () => bank.snapshot()),
  reading('beneficiary.read', 'Whether the beneficiary may be debited.', wire, async () => confirmation),
  reversing(bank),
];

const check = (check_id: string, isMet: boolean) => ({ check_id, result: isMet ? 'pass' : 'fail' }) as const;

/** The action agrees with ticket and books, the beneficiary consents, and the money is there. */
const caseVerifier = defineVerifier({
  id: 'case-agrees',
  requires: ['ticket', 'books', 'beneficiary', 'balance'],
  verify: ({ value, evidence }) => {
    const { ticket, transfer } = z.object({ arguments: Reversal }).parse(value).arguments;
    const { wire, to: account, cents } = transfer;
    const asked = evidenceOf(evidence, 'ticket.read', Ticket);
    const books = evidenceOf(evidence, 'ledger.snapshot', Snapshot);
    const beneficiary = evidenceOf(evidence, 'beneficiary.read', Confirmation);
    const payer = books?.accounts.find((known) => known.account === account);
    return {
      checks: [
        check('ticket', asked?.ticket === ticket && isDeepStrictEqual(transfer, asked.transfer)),
        check('books', isDeepStrictEqual(transfer, books?.transfer)),
        check('beneficiary', isDeepStrictEqual(beneficiary, { wire, account, isConfirmed: true })),
        check('balance', payer !== undefined && payer.cents >= cents),
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
    return { checks: [check('booking', booking?.kind === 'reversed' && isDeepStrictEqual(value, booking))] };
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
      reason: 'an agent of this bank, supervised by a person',
    },
  ],
});

const resultOf = <Name extends string>(tool: Name) => ({ type: 'tool_result', tool }) as const;

/** The contract: nothing moves without ticket, books and beneficiary; nothing is reported that did not move. */
export const reversals = defineTaskClass({
  id: 'wire-reversal',
  tools: ['ticket.read', 'ledger.snapshot', 'beneficiary.read', 'wire.reverse'],
  beforeWrite: {
    evidence: [resultOf('ticket.read'), resultOf('ledger.snapshot'), resultOf('beneficiary.read')],
    verifiers: [caseVerifier.id],
  },
  limits: { repairs: 0 }, // a reversal that was taken back is closed: a second attempt could not make it
  beforeDeliver: { evidence: [resultOf('wire.reverse')], verifiers: [bookingVerifier.id] },
});
