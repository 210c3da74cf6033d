import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConsole } from 'agentcharter/console';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { choose, go, openPage, save } from './pages.ts';
import { askRefund, openDesk } from '../src/core/shell/refund-desk.ts';

const noBrowser = skipWithout(['chromium']);

let browser: Browser;
beforeAll(async () => {
  if (noBrowser === null) browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Returns what is wider than its place: elements that scroll sideways, and table cells outside of the window. */
const cut = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const scrolls = [...document.querySelectorAll('html, main, .scroll, table, .card')].filter(
      (one) => one.checkVisibility() && one.scrollWidth > one.clientWidth,
    );
    const outside = [...document.querySelectorAll('td, th, dd, code, time')].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth,
    );
    return [...scrolls, ...outside].map(
      (one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`,
    );
  });

/** Returns the words that are broken inside, of those that fit on a line. */
const broken = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode } = walker;
      if (!currentNode.parentElement?.checkVisibility() || currentNode.parentElement.closest('.unseen'))
        continue;
      for (const { 0: word, index } of (currentNode.textContent ?? '').matchAll(
        /(?<![\p{L}\d])[\p{L}\d]{2,24}(?![\p{L}\d])/gu,
      )) {
        const range = document.createRange();
        range.setStart(currentNode, index);
        range.setEnd(currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
      }
    }
    return found;
  });

const textsOf = (page: Page, selector: string): Promise<readonly string[]> =>
  page
    .locator(selector)
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim()));

const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

const begin = async () => {
  const desk = openDesk();
  onTestFinished(() => desk.close());
  const refused = await askRefund(desk, 'refunds', { order: 'o-9', amount: 900 });
  const done = await askRefund(desk, 'refunds', { order: 'o-5', amount: 120 });
  const target = done.open?.message.messageId ?? '';
  await desk.respond({ type: 'approve', target }, { by: 'dana.reyes@purchasing.hiring-desk.example' });
  await desk.settled(done.taskId);
  const signed = await askRefund(desk, 'signed-refunds', { order: 'o-8', amount: 400 });
  const open = await askRefund(desk, 'refunds', { order: 'o-7', amount: 180 });
  const room = createConsole(desk, { identity: () => 'dana' });
  onTestFinished(() => room.close());
  return { desk, refused, done, signed, open, url: await room.listen() };
};

describe.skipIf(noBrowser !== null)('The console', () => {
  it.each([
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ])('cuts no column and no table, and breaks no word: $width px', async (viewport) => {
    const { done, signed, open, url } = await begin();
    const page = await openPage(browser, url, { viewport });
    const question = (one: typeof open) => `#/inbox/${one.open?.message.messageId ?? ''}`;
    const places = {
      inbox: ['#/inbox', 'Refund 180 EUR for order o-7.'],
      question: [question(open), 'How it is undone'],
      signed: [question(signed), 'How it is undone'],
      tasks: ['#/tasks', 'Refused by policy'],
      task: [`#/tasks/${open.taskId}/thread`, 'orders.get'],
      evidence: [`#/tasks/${open.taskId}/evidence`, 'Ada Lovelace'],
      done: [`#/tasks/${done.taskId}/thread`, 'refund'],
      ledger: [`#/tasks/${done.taskId}/ledger`, 'human.responded'],
    } as const;
    for (const [name, [hash, text]] of Object.entries(places)) {
      await go(page, hash);
      await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
      if (name === 'signed') await choose(page, 'Approve');
      await save(page, `${name}-${viewport.width}`);
      expect(await cut(page), name).toEqual([]);
      expect(await broken(page), name).toEqual([]);
      await unfold(page);
      await save(page, `${name}-${viewport.width}-unfolded`);
      expect(await cut(page), `${name}, unfolded`).toEqual([]);
      expect(await broken(page), `${name}, unfolded`).toEqual([]);
    }
    await go(page, `#/tasks/${done.taskId}/ledger`);
    const lines = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => one.getClientRects().length));
    await page.getByText('human.responded').waitFor();
    expect(new Set(await lines('.ledger .whole'))).toEqual(new Set([1])); // facts and hashes
    const [who, live] = await Promise.all(
      ['.who', '.connection'].map((one) =>
        page.locator(one).evaluate((of) => of.getBoundingClientRect().bottom),
      ),
    );
    expect(Math.abs((who ?? 0) - (live ?? 99))).toBeLessThan(8); // on one line
  });

  it('asks for a signed approval only where a person’s word is not enough, and folds codes away', async () => {
    const { signed, open, url } = await begin();
    const page = await openPage(browser, url);
    const box = page.getByRole('textbox', { name: 'Signed approval' });
    for (const [one, boxes] of [
      [open, 0],
      [signed, 1],
    ] as const) {
      await go(page, `#/inbox/${one.open?.message.messageId ?? ''}`);
      await page.getByRole('heading', { name: one.open?.question.summary ?? '' }).waitFor();
      await page.getByText('Refunds above 100 EUR need a person.').first().waitFor();
      if (boxes > 0) await choose(page, 'Approve');
      expect(await box.count()).toBe(boxes);
      expect(
        await page
          .getByText(/sha256:/)
          .filter({ visible: true })
          .count(),
      ).toBe(0);
      expect(
        await page
          .getByText(/^[A-Z]+_[A-Z_]+$/)
          .filter({ visible: true })
          .count(),
      ).toBe(0);
    }
  });

  it('lists each task with what was requested, when it began and how it stands, once', async () => {
    const { url } = await begin();
    const page = await openPage(browser, url);
    await go(page, '#/tasks');
    await page.getByText('Refused by policy').waitFor();
    expect(await textsOf(page, '.tasks tr')).toEqual([
      'Task Class Began State Why',
      'order "o-7", amount 180 refunds just now Waiting for a person',
      'order "o-8", amount 400 signed-refunds just now Waiting for a person',
      'order "o-5", amount 120 refunds just now Delivered',
      'order "o-9", amount 900 refunds just now Refused by policy The policy does not allow the action.',
    ]);
    expect(await textsOf(page, '.filters label')).toEqual([
      'All 4',
      'Waiting for a person 2',
      'In progress 0',
      'Settled 2',
    ]);
  });

  it('names phases and states in words, and a safe stop only if there was one', async () => {
    const { refused, done, open, url } = await begin();
    const page = await openPage(browser, url);
    const steps = async (taskId: string) => {
      await go(page, `#/tasks/${taskId}/evidence`);
      await page.getByText('Phases as reported').waitFor();
      return textsOf(page, '.rail li');
    };
    expect(await steps(open.taskId)).toEqual([
      'Request done',
      'Plan done',
      'Work paused here',
      'Checks not reached',
      'Delivery not reached',
    ]);
    expect((await steps(refused.taskId)).at(-1)).toBe('Safe stop ended here');
    expect((await steps(done.taskId)).at(-1)).toBe('Delivery done');
    expect(await page.locator('.rail li').last().getAttribute('title')).toBe('deliver');
    const reported = await textsOf(page, '.phases li');
    expect(reported.at(0)).toBe('Request just now');
    expect(reported.at(-1)).toBe('Delivery just now · the task: delivered');
    const places = [
      '#/tasks',
      `#/inbox/${open.open?.message.messageId ?? ''}`,
      ...['thread', 'evidence'].map((tab) => `#/tasks/${done.taskId}/${tab}`),
    ];
    for (const place of places) {
      await go(page, place);
      await page.locator('h1').waitFor();
      await page.getByText(/^Loading/).waitFor({ state: 'detached' });
      const [text = ''] = await textsOf(page, 'main');
      expect(text).toContain('refund');
      expect(text).not.toMatch(
        /intake|execute|fail_safe|pending|needsHumanDecision|submitted|settled|tool_result|sha256|[A-Z]{2,}_/,
      );
    }
  });

  it('shows one time, and the other as its title', async () => {
    const { open, url } = await begin();
    const page = await openPage(browser, url);
    const timeIn = async (place: string) => {
      const time = page.locator(`${place} time`).first();
      return [await time.textContent(), await time.getAttribute('title')];
    };
    const date = expect.stringMatching(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d$/) as unknown;
    await go(page, `#/tasks/${open.taskId}/thread`);
    expect(await timeIn('[data-call="orders.get"]')).toEqual(['just now', date]);
    await go(page, `#/tasks/${open.taskId}/ledger`);
    expect(await timeIn('.ledger')).toEqual([date, 'just now']); // where the order matters
  });
});
