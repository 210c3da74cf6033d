import { describe, expect, it } from 'vitest';
import { desk, did, person, stand } from './stand.ts';

const withMore = `
servers:
  shop: { command: node, args: [shop.mjs] }
tools:
  shop.find_order: { tier: read_only }
  shop.refund:
    rollback: { tool: cancel_refund, arguments: { order: /arguments/order } }
    errorMeans: notDone
  shop.remind: { tier: write_low_risk, repeats: true }
  shop.cancel_refund: { tier: write_low_risk }
policy:
  - { tools: [shop.remind], verdict: allow, reason: reminders do no harm }
  - { tools: [shop.cancel_refund], verdict: deny, reason: the till is sealed }
people: [dana]
`;

describe.each([
  ['2', false],
  ['1', true],
] as const)('A client of version %s of the SDK', (_, first) => {
  it('lists the tools under the tiers of the file, and the tools of the gateway', async () => {
    const { tools } = await desk(await stand(), { first });
    expect((await tools()).map(({ name, annotations }) => [name, annotations])).toEqual([
      ['shop_find_order', { readOnlyHint: true, destructiveHint: false }],
      ['shop_refund', { readOnlyHint: false, destructiveHint: true }],
      ['charter_begin', { readOnlyHint: false, destructiveHint: false }],
      ['charter_conclude', { readOnlyHint: false, destructiveHint: false }],
      ['charter_progress', { readOnlyHint: true, destructiveHint: false }],
    ]);
  });

  it('reads at once, and waits for a person to write, which is done once', async () => {
    const folder = await stand();
    const { call, said } = await desk(folder, { first });
    expect(await call('shop_find_order', { order: 'o-7' })).toEqual({
      text: 'o-7 was 12 EUR.',
      isError: false,
      structured: { order: 'o-7', cents: 1200 },
    });
    const refund = { order: 'o-7', cents: 500 };
    for (const time of ['first', 'second']) {
      const { text, isError } = await call('shop_refund', refund);
      expect({ time, isError }).toEqual({ time, isError: false });
      expect(text).toMatch(
        /^shop_refund is not done yet. It waits for operator, at http:\/\/127\.0\.0\.1:\d+\/\. They are asked: "Call shop.refund with order \\"o-7\\", cents 500\."\. /,
      );
      expect(text).not.toContain('token');
    }
    const other = await call('shop_refund', { order: 'o-8', cents: 1 });
    expect(other.text).toContain('They are asked: "Call shop.refund with order \\"o-8\\", cents 1.".');
    expect(await did(folder)).toEqual(['found o-7']);
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect(await call('shop_refund', refund)).toMatchObject({ text: 'refunded 500', isError: false });
    const again = await call('shop_refund', { cents: 500, order: 'o-7' });
    expect(again.text).toBe(
      'refunded 500\nThis call was made before with the same arguments, and not again: this is its result.',
    );
    expect(await did(folder)).toEqual(['found o-7', 'refunded o-7 500']);
  });
});

describe('A call through the gateway', () => {
  it('that a person rejects is refused in their words, and not asked about again', async () => {
    const folder = await stand();
    const { call, said } = await desk(folder);
    const refund = { order: 'o-7', cents: 500 };
    await call('shop_refund', refund);
    const { answer } = await person(said);
    expect(await answer({ type: 'reject', content: 'not this customer' })).toBe(200);
    for (const time of ['first', 'second']) {
      const { text, isError } = await call('shop_refund', refund);
      expect({ time, isError }).toEqual({ time, isError: true });
      expect(text).toContain('operator said: "not this customer".');
    }
    expect(await did(folder)).toEqual([]);
  });

  it('that the person changed says with which arguments it was made', async () => {
    const folder = await stand();
    const { call, said } = await desk(folder);
    await call('shop_refund', { order: 'o-7', cents: 500 });
    const { answer } = await person(said);
    expect(await answer({ type: 'edit', content: { value: { order: 'o-7', cents: 50 } } })).toBe(200);
    const { text } = await call('shop_refund', { order: 'o-7', cents: 500 });
    expect(text).toBe('refunded 50\noperator changed the arguments to {"order":"o-7","cents":50}.');
    expect(await did(folder)).toEqual(['refunded o-7 50']);
  });

  it('that a person answers with an instruction says what they want', async () => {
    const folder = await stand();
    const { call, said } = await desk(folder);
    await call('shop_find_order', { order: 'o-7' });
    await call('shop_refund', { order: 'o-7', cents: 500 });
    const { answer } = await person(said);
    expect(await answer({ type: 'instruction', content: 'at most 50 cents' })).toBe(200);
    const { text, isError } = await call('shop_refund', { order: 'o-7', cents: 500 });
    expect({ text, isError }).toEqual({
      text: 'operator asks for something else: "at most 50 cents"',
      isError: true,
    });
    expect((await call('shop_refund', { order: 'o-7', cents: 50 })).text).toContain('It waits for operator');
    expect(new Set(await did(folder))).toEqual(new Set(['found o-7']));
  });

  it('that may have been made when its server died is for a person to decide, and is not repeated', async () => {
    const folder = await stand();
    const { call, said } = await desk(folder);
    const refund = { order: 'o-die', cents: 500 };
    await call('shop_refund', refund);
    const first = await person(said);
    expect(await first.answer({ type: 'approve' })).toBe(200);
    expect((await call('shop_refund', refund)).text).toContain('They are asked: "Did this happen?');
    const second = await person(said);
    expect(await second.answer({ type: 'approve' })).toBe(200);
    expect((await call('shop_refund', refund)).text).toBe('It was done. There is no result.');
    expect(await did(folder)).toEqual(['refunded o-die 500']);
  });

  it('of a tool that repeats is made each time, and one that a rule denies never', async () => {
    const folder = await stand(withMore);
    const { call } = await desk(folder);
    for (const time of [1, 2])
      expect([time, await call('shop_remind', { order: 'o-7' })]).toMatchObject([
        time,
        { text: 'reminded o-7', isError: false },
      ]);
    const denied = await call('shop_cancel_refund', { order: 'o-7' });
    expect(denied.isError).toBe(true);
    expect(denied.text).toContain('the till is sealed');
    expect(await did(folder)).toEqual(['reminded o-7', 'reminded o-7']);
  });

  it('of a tool that repeats and waits is made once for both questions of the client, and then anew', async () => {
    const folder = await stand(withMore.replace('verdict: allow', 'verdict: needs_review'));
    const { call, said } = await desk(folder);
    const remind = () => call('shop_remind', { order: 'o-7' });
    for (const count of [1, 2]) {
      expect((await remind()).text).toContain('It waits for dana');
      const { answer } = await person(said);
      expect(await answer({ type: 'approve' })).toBe(200);
      expect((await remind()).text).toBe('reminded o-7');
      expect(await did(folder)).toEqual(Array.from({ length: count }, () => 'reminded o-7'));
    }
  });

  it('with an error of the tool is an error with its words', async () => {
    const { call } = await desk(await stand());
    const { text, isError } = await call('shop_find_order', { order: 'o-404' });
    expect({ isError }).toEqual({ isError: true });
    expect(text).toContain('There is no such order.');
    expect((await call('shop_find_order', { order: 'o-7' })).isError).toBe(false);
  });

  it('with arguments that its schema refuses says which, and the next one is made', async () => {
    const folder = await stand();
    const { call } = await desk(folder);
    for (const given of [{}, { order: 7 }, { order: 'o-7', cents: 'many' }, { order: 'o-7', cents: 1.5 }]) {
      const { text, isError } = await call('shop_refund', given);
      expect({ given, isError }).toEqual({ given, isError: true });
      expect(text).toMatch(/order|cents/);
    }
    expect((await call('shop_find_order', { order: 'o-7' })).isError).toBe(false);
    expect(await did(folder)).toEqual(['found o-7']);
  });

  it('of an unknown tool names the nearest', async () => {
    const { call } = await desk(await stand());
    expect(await call('shop_refnd')).toMatchObject({
      text: 'There is no tool "shop_refnd". Did you mean "shop_refund"?',
      isError: true,
    });
    expect((await call('nothing_like_it')).text).toContain('List the tools again.');
  });
});

describe('A restart of the gateway', () => {
  it.each(['leaves', 'is killed'])('finds what waits, when the client %s meanwhile', async (how) => {
    const folder = await stand();
    const refund = { order: 'o-7', cents: 500 };
    const before = await desk(folder);
    await before.call('shop_find_order', { order: 'o-7' });
    await before.call('shop_refund', refund);
    if (how === 'is killed') before.kill();
    await before.leave();
    const { call, said } = await desk(folder);
    expect((await call('shop_refund', refund)).text).toContain('It waits for operator');
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect((await call('shop_refund', refund)).text).toBe('refunded 500');
    expect(await did(folder)).toEqual(['found o-7', 'refunded o-7 500']);
  });

  it('returns the result of a write that was approved and made before it', async () => {
    const folder = await stand();
    const refund = { order: 'o-7', cents: 500 };
    const before = await desk(folder);
    await before.call('shop_refund', refund);
    const { answer } = await person(before.said);
    expect(await answer({ type: 'approve' })).toBe(200);
    await expect.poll(() => did(folder)).toEqual(['refunded o-7 500']);
    await before.leave();
    const { call } = await desk(folder);
    expect((await call('shop_refund', refund)).text).toBe('refunded 500');
    expect(await did(folder)).toEqual(['refunded o-7 500']);
  });

  it('refuses the folder while another gateway uses it', async () => {
    const folder = await stand();
    await desk(folder);
    await expect(desk(folder)).rejects.toThrow('Let its clients share one with --http');
  });
});
