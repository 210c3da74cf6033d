import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** A person's browser with the console open; once the test is over, it must have asked nobody else, and seen no error. */
export const openPage = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const hosts = new Set<string>();
  const errors: string[] = [];
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

/** Chooses an answer, and sends it. */
export const answer = async (
  page: Page,
  name: string,
  fill: () => Promise<void> = async () => {},
): Promise<void> => {
  await page.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
  await fill();
  await page.getByRole('button', { name: `Send: ${name}` }).click();
};

/** Goes to another place of the console, as a link would. */
export const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);
