import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass, type Orchestrator } from 'agentcharter';
import { createConsole } from 'agentcharter/console';
import { loadAssets } from '../../src/apps/console/assets.ts';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { identity, plan } from '../src/core/shell/scripted.ts';
import { patience } from '../waits.ts';
import { go, openPage } from './pages.ts';

const noBrowser = skipWithout(['chromium']);

let browser: Browser;
beforeAll(async () => {
  if (noBrowser === null) browser = await openBrowser();
});
afterAll(() => browser?.close());

const begin = async (): Promise<Orchestrator> => {
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'work', tools: [] })],
    model: { answer: async () => plan([], { confidence: 0.1 }) },
  });
  onTestFinished(() => orchestrator.close());
  return orchestrator;
};

const submit = async (orchestrator: Orchestrator, count: number): Promise<readonly string[]> => {
  const taskIds: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: { n }, identity });
    taskIds.push(taskId);
  }
  return taskIds;
};

const open = async (orchestrator: Orchestrator): Promise<Page> => {
  const room = createConsole(orchestrator, { identity: () => 'dana' });
  onTestFinished(() => room.close());
  return openPage(browser, await room.listen());
};

/** The most rows that the page held at any one time, from now on. */
const watchRows = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(() => {
    const seen = window as { rows?: number };
    const count = () => {
      seen.rows = Math.max(seen.rows ?? 0, document.querySelectorAll('tbody tr').length);
    };
    count();
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as { rows?: number }).rows ?? Infinity);
};

describe.skipIf(noBrowser !== null)('A thousand tasks in the console', () => {
  it('that begin during a visit show at most fifty rows', async () => {
    const orchestrator = await begin();
    const page = await open(orchestrator);
    await go(page, '#/tasks');
    const mostRows = await watchRows(page);
    const taskIds = await submit(orchestrator, 1_000);
    await page.getByText('1 to 50 of 1,000 tasks').waitFor();
    const rows = page.locator('table.tasks tbody tr');
    expect(await rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100 of 1,000 tasks').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('1 to 50 of 1,000 tasks').waitFor();
    await page.getByRole('searchbox').fill(taskIds[7]!);
    await page.getByText('1 to 1 of 1 tasks').waitFor();
    expect(await rows.first().getByRole('link').getAttribute('title')).toBe(taskIds[7]);
    await page.getByRole('searchbox').fill('no task says this');
    await page.getByText('No tasks found', { exact: true }).waitFor();
    await go(page, '#/inbox');
    await page.getByText('1 to 50 of 1,000 questions').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100 of 1,000 questions').waitFor();
    expect(await mostRows()).toBe(50);
  });

  it('leaves a page of the inbox whose last question was withdrawn', async () => {
    const orchestrator = await begin();
    await submit(orchestrator, 51);
    const page = await open(orchestrator);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 51 of 51 questions').waitFor();
    const { next } = await orchestrator.inbox({ order: 'urgent', limit: 50 });
    const { items } = await orchestrator.inbox({ order: 'urgent', limit: 50, after: next });
    await orchestrator.cancel(items[0]?.taskId ?? '', { by: 'kim' });
    await page.getByText('1 to 50 of 50 questions').waitFor();
  });

  it('that are answered elsewhere leave the inbox without a reload', async () => {
    const orchestrator = await begin();
    await submit(orchestrator, 2);
    const [first] = await orchestrator.inbox();
    const page = await open(orchestrator);
    await page.locator(`a[href="#/inbox/${first!.message.messageId}"]`).click();
    await page.getByRole('heading', { name: 'Your answer' }).waitFor();
    await orchestrator.respond({ type: 'reject', target: first!.message.messageId }, { by: 'kim' });
    await page.getByText('It was answered, or its deadline has passed.').waitFor();
  });
});

describe.skipIf(noBrowser !== null)('A ledger of 100,000 records in the console', () => {
  it('is shown fifty at a time, with each record on request', async () => {
    const orchestrator = await begin();
    const [taskId = ''] = await submit(orchestrator, 1);
    const [first] = await orchestrator.ledger(taskId);
    const records = Array.from({ length: 100_000 }, (_, seq) => ({ ...first!, seq }));
    const page = await open({ ...orchestrator, ledger: async () => records });
    await go(page, `#/tasks/${taskId}/ledger`);
    await page.getByText('1 to 50 of 100,000 records').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100 of 100,000 records').waitFor();
    await page.getByRole('button', { name: 'Record 99949, whole' }).click();
    await page.locator('pre').getByText('"seq": 99949').waitFor();
  });
});

describe.skipIf(noBrowser !== null)('A console that stops', () => {
  it('is reported on the page, which reconnects without a reload', async () => {
    const orchestrator = await begin();
    const room = createConsole(orchestrator, { identity: () => 'dana' });
    onTestFinished(() => room.close());
    const url = new URL(await room.listen());
    const context = await browser.newContext();
    context.setDefaultTimeout(patience);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(url.href);
    await page.getByText('Live', { exact: true }).waitFor();
    const again = createConsole(orchestrator, { identity: () => 'dana' });
    onTestFinished(() => again.close());
    await room.close();
    await page.getByText('Not connected: reconnecting').waitFor();
    await again.listen(Number(url.port));
    await page.getByText('Not connected: open a new link').waitFor(); // another token
  });
});

it('A console page weighs less than 100 kB, and loads nothing from elsewhere', async () => {
  const assets = await loadAssets();
  const sizes = Object.values(assets).map((text) => gzipSync(text).byteLength);
  const sum = sizes.reduce((one, other) => one + other);
  expect(sum).toBeGreaterThan(10_000);
  expect(sum).toBeLessThan(100_000);
  const addresses = Object.values(assets).flatMap((text) => text.match(/https?:\/\/[\w.]+/g) ?? []);
  expect(new Set(addresses)).toEqual(new Set(['http://www.w3.org'])); // names of vocabularies, which are not fetched
});
