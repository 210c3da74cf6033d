import type { EvidenceObject } from 'agentcharter/schema';
import { z } from 'zod';

/** What a wire moved, in whole cents; a reversal moves the same back. */
export const Transfer = z.object({
  wire: z.string(),
  from: z.string(),
  to: z.string(),
  cents: z.int().positive(),
  currency: z.string().length(3),
});
export type Transfer = z.infer<typeof Transfer>;

/** What the customer asks for: the wire as they know it, and why. */
export const Ticket = z.object({ ticket: z.string(), reason: z.string(), transfer: Transfer });

/** The beneficiary's word that its account may be debited. */
export const Confirmation = z.object({ wire: z.string(), account: z.string(), isConfirmed: z.boolean() });

const Accounts = z.array(z.object({ account: z.string(), cents: z.int() }));
const Kind = z.enum(['wired', 'reversed', 'reinstated']);

/** One line of the bank's journal: money that moved for a wire, or back. */
export const Entry = z.object({ entry: z.int(), kind: Kind, key: z.string(), transfer: Transfer });
export type Entry = z.infer<typeof Entry>;

/** A booked wire, its latest status, and its accounts at that moment. */
export const Snapshot = z.object({ transfer: Transfer, last: Kind, accounts: Accounts });
export type Snapshot = z.infer<typeof Snapshot>;

/** What the bank, the ticket system and the beneficiary know before anything happens. */
export interface Case {
  readonly accounts: Snapshot['accounts'];
  readonly wire: Transfer;
  readonly ticket: z.infer<typeof Ticket>;
  readonly confirmation: z.infer<typeof Confirmation>;
}

/** The payload of the latest evidence of a tool; `undefined` if there is none that can be read. */
export const evidenceOf = <Schema extends z.ZodType>(
  evidence: readonly EvidenceObject[],
  tool: string,
  schema: Schema,
): z.output<Schema> | undefined =>
  schema.safeParse(evidence.findLast(({ source }) => source === tool)?.payload).data;

/** An amount for people. */
export const money = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
