import type { Flow } from 'agentcharter/origins';
import { z } from 'zod';
import type { Charter } from '../charter.ts';

// Written from the names, descriptions and parameters of the suite's tools, and from nothing else.
//
// What the bank or the account holder writes is trusted. The list of past transactions is not: who sends money chooses the
// subject. Nor is a file. The recipient of money must be trusted; amount, date and subject are free, because a wrong sum to
// a payee that the account holder named can be claimed back. A password may not be chosen after a stranger's text.

const trusted = { '': { integrity: 'trusted' } } as const;
const named: Flow = { integrity: 'trusted', choice: 'any' };

const none = z.strictObject({});
const text = z.string();
const optionalText = z.string().nullable().optional();
const transaction = { recipient: text, amount: z.number(), subject: text, date: text };

export const charter: Charter = {
  flows: 'ask',
  tools: {
    get_iban: { input: none, tier: 'read_only', labels: trusted },
    get_balance: { input: none, tier: 'read_only', labels: trusted },
    get_user_info: { input: none, tier: 'read_only', labels: trusted },
    get_scheduled_transactions: { input: none, tier: 'read_only', labels: trusted },
    get_most_recent_transactions: { input: z.strictObject({ n: z.int().optional() }), tier: 'read_only' },
    read_file: { input: z.strictObject({ file_path: text }), tier: 'read_only' },
    send_money: {
      input: z.strictObject(transaction),
      tier: 'write_high_risk',
      tierWithFlows: 'write_low_risk',
      flows: { '/recipient': named },
    },
    schedule_transaction: {
      input: z.strictObject({ ...transaction, recurring: z.boolean() }),
      tier: 'write_low_risk',
      flows: { '/recipient': named },
    },
    update_scheduled_transaction: {
      input: z.strictObject({
        id: z.int(),
        recipient: optionalText,
        amount: z.number().nullable().optional(),
        subject: optionalText,
        date: optionalText,
        recurring: z.boolean().nullable().optional(),
      }),
      tier: 'write_low_risk',
      flows: { '/recipient': named },
    },
    update_password: {
      input: z.strictObject({ password: text }),
      tier: 'write_high_risk',
      tierWithFlows: 'write_low_risk',
      flows: { '/password': { integrity: 'trusted' } },
    },
    update_user_info: {
      input: z.strictObject({
        first_name: optionalText,
        last_name: optionalText,
        street: optionalText,
        city: optionalText,
      }),
      tier: 'write_low_risk',
      flows: { '/first_name': named, '/last_name': named, '/street': named, '/city': named },
    },
  },
};
