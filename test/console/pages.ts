import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { patience } from '../waits.ts';

/** A person's browser with the console open; once the test is over, it must have asked nobody else, and seen no error. */
export const openPage = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const hosts = new Set<string>();
  const errors: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 404) errors.push(`404 ${response.url()}`);
  });
  context.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource'); // the page tells it itself
    if (message.type() === 'error' && !isRefusal) errors.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect([...hosts]).toEqual([new URL(url).host]);
    expect(errors).toEqual([]);
  });
  await page.goto(url);
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  return page;
};

/** Opens the fields of an answer, if it has any. Without fields, it is sent. Returns whether it has fields. */
export const choose = async (page: Page, name: string): Promise<boolean> => {
  const choice = page.locator('button.choice').filter({ hasText: new RegExp(`^${name}`) });
  await choice.waitFor({ state: 'attached' });
  if (!(await choice.isVisible())) await page.getByText('More', { exact: true }).click();
  const pressed = await choice.getAttribute('aria-pressed');
  if (pressed !== 'true') await choice.click();
  return pressed !== null;
};

/** Chooses an answer, and sends it. */
export const answer = async (
  page: Page,
  name: string,
  fill: () => Promise<void> = async () => {},
): Promise<void> => {
  if (!(await choose(page, name))) return;
  await fill();
  await page.locator('button[type=submit]').filter({ hasText: name }).click();
};

const { SCREENSHOTS: folder } = process.env;

/**
 * Saves a picture of the page in the folder that `SCREENSHOTS` names, if it names one. Those in `docs/console` are
 * `question-1280` and `done-1280` of the layout tests.
 */
export const save = async (page: Page, name: string): Promise<void> => {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

/** Goes to another place of the console, as a link would. */
export const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);
