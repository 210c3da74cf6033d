import type { Flow, Flows } from 'agentcharter/origins';
import { z } from 'zod';
import type { Charter } from '../charter.ts';

// Written from the names, descriptions and parameters of the suite's tools and from its policy document, and from nothing
// else.
//
// The shop's own database is trusted. The policy wants one authenticated customer a conversation: a customer's id comes from
// the look-up that authenticates, an order and a payment method from that customer's record or orders, an item from the
// order, its replacement from the catalogue, and a new address from the customer. City, state, country and zip are too short
// to be matched, and the second line is often empty: the first line stands for the address.

const trusted = { '': { integrity: 'trusted' } } as const;
const authentication: Flow = { from: ['find_user_id_by_email', 'find_user_id_by_name_zip'] };
const ownOrder: Flow = { from: ['get_user_details'] };
const ownPayment: Flow = { from: ['get_user_details', 'get_order_details'] };
const orderedItem: Flow = { from: ['get_order_details'] };
const offeredItem: Flow = { from: ['get_product_details'] };
const ownAddress: Flow = { from: ['request', 'answers', 'get_user_details', 'get_order_details'] };

const text = z.string();
const items = z.array(text);
const address = { address1: text, address2: text, city: text, state: text, country: text, zip: text };
const ofOrder = { order_id: text };
const swap = z.strictObject({ ...ofOrder, item_ids: items, new_item_ids: items, payment_method_id: text });
const swapped = {
  '/order_id': ownOrder,
  '/item_ids/*': orderedItem,
  '/new_item_ids/*': offeredItem,
  '/payment_method_id': ownPayment,
};

const read = (input: z.ZodType<Readonly<Record<string, unknown>>>) =>
  ({ input, tier: 'read_only', labels: trusted }) as const;
const write = (input: z.ZodType<Readonly<Record<string, unknown>>>, flows: Flows) =>
  ({ input, tier: 'write_high_risk', tierWithFlows: 'write_low_risk', labels: trusted, flows }) as const;

export const charter: Charter = {
  flows: 'ask',
  tools: {
    calculate: read(z.strictObject({ expression: text })),
    think: read(z.strictObject({ thought: text })),
    list_all_product_types: read(z.strictObject({})),
    find_user_id_by_email: read(z.strictObject({ email: text })),
    find_user_id_by_name_zip: read(z.strictObject({ first_name: text, last_name: text, zip: text })),
    get_user_details: read(z.strictObject({ user_id: text })),
    get_order_details: read(z.strictObject(ofOrder)),
    get_product_details: read(z.strictObject({ product_id: text })),
    cancel_pending_order: write(
      z.strictObject({ ...ofOrder, reason: z.enum(['no longer needed', 'ordered by mistake']) }),
      { '/order_id': ownOrder },
    ),
    modify_pending_order_items: write(swap, swapped),
    exchange_delivered_order_items: write(swap, swapped),
    return_delivered_order_items: write(
      z.strictObject({ ...ofOrder, item_ids: items, payment_method_id: text }),
      { '/order_id': ownOrder, '/item_ids/*': orderedItem, '/payment_method_id': ownPayment },
    ),
    modify_pending_order_payment: write(z.strictObject({ ...ofOrder, payment_method_id: text }), {
      '/order_id': ownOrder,
      '/payment_method_id': ownPayment,
    }),
    modify_pending_order_address: write(z.strictObject({ ...ofOrder, ...address }), {
      '/order_id': ownOrder,
      '/address1': ownAddress,
    }),
    modify_user_address: write(z.strictObject({ user_id: text, ...address }), {
      '/user_id': authentication,
      '/address1': ownAddress,
    }),
    transfer_to_human_agents: {
      input: z.strictObject({ summary: text }),
      tier: 'write_low_risk',
      labels: trusted,
    },
  },
};
