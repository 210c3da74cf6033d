import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConsole } from 'agentcharter/console';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { go, openPage } from './pages.ts';
import { askRefund, openDesk } from '../src/orchestrator/refund-desk.ts';

const noBrowser = skipWithout(['chromium']);
const { SCREENSHOTS: folder } = process.env;

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

const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

const save = async (page: Page, name: string): Promise<void> => {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

const begin = async () => {
  const desk = openDesk();
  onTestFinished(() => desk.close());
  await askRefund(desk, 'refunds', { order: 'o-9', amount: 900 });
  const done = await askRefund(desk, 'refunds', { order: 'o-5', amount: 120 });
  const target = done.open?.message.messageId ?? '';
  await desk.respond({ type: 'approve', target }, { by: 'dana' });
  await desk.settled(done.taskId);
  const signed = await askRefund(desk, 'signed-refunds', { order: 'o-8', amount: 400 });
  const open = await askRefund(desk, 'refunds', { order: 'o-7', amount: 180 });
  const room = createConsole(desk, { identity: () => 'dana' });
  onTestFinished(() => room.close());
  return { desk, done, signed, open, url: await room.listen() };
};

describe.skipIf(noBrowser !== null)('The console', () => {
  it.each([
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ])('cuts no column and no table: $width px', async (viewport) => {
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
      ledger: [`#/tasks/${done.taskId}/ledger`, 'human.responded'],
      done: [`#/tasks/${done.taskId}/thread`, 'refund'],
    } as const;
    for (const [name, [hash, text]] of Object.entries(places)) {
      await go(page, hash);
      await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
      if (name === 'signed' || name === 'question')
        await page.getByRole('radio', { name: /^Approve/ }).check();
      await save(page, `${name}-${viewport.width}`);
      expect(await cut(page), name).toEqual([]);
      await unfold(page);
      await save(page, `${name}-${viewport.width}-unfolded`);
      expect(await cut(page), `${name}, unfolded`).toEqual([]);
    }
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
      await page.getByRole('radio', { name: /^Approve/ }).check();
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

  it('shows the date and the time beside how long ago', async () => {
    const { open, url } = await begin();
    const page = await openPage(browser, url);
    await go(page, `#/tasks/${open.taskId}/thread`);
    const text = await page.locator('[data-call="orders.get"] time').textContent();
    expect(text).toMatch(/^just now, \d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d$/);
  });
});
