import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../../src/index.ts';
import { names, servedName } from '../../../../src/apps/gateway/names.ts';
import { servedTools } from '../../../../src/apps/gateway/served-tools.ts';
import { z } from 'zod';

const exposed = (name: string) => ({
  tool: defineTool({
    name,
    description: 'a tool',
    tier: 'read_only',
    input: z.object({}),
    call: async () => null,
  }),
  definition: { name, inputSchema: { type: 'object' } },
});

describe('The names of tools for clients', () => {
  it('have letters, digits, hyphens and underscores only', () => {
    expect(servedName('shop.find order/2')).toBe('shop_find_order_2');
  });

  it.each([
    [['a.b.c', 'a.b_c'], 'charter', 'a.b.c and a.b_c would both be a_b_c for clients'],
    [['shop.begin'], 'shop', "shop.begin and the gateway's own would both be shop_begin for clients"],
  ])('%s under the prefix %s are refused, because two are one', (tools, prefix, says) => {
    expect(() => servedTools(tools.map(exposed), [], prefix)).toThrow(says);
  });

  it('of a server are all named by a star', () => {
    expect(names('shop.*', 'shop.refund')).toBe(true);
    expect(names('shop.*', 'shopping.refund')).toBe(false);
    expect(names('shop.refund', 'shop.refund_all')).toBe(false);
  });
});
