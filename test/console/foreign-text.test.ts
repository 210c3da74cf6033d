import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConsole } from 'agentcharter/console';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { hostileText, unseen } from '../src/adapters/shown.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { answer, choose, go, openPage } from './pages.ts';

const noBrowser = skipWithout(['chromium']);

let browser: Browser;
beforeAll(async () => {
  if (noBrowser === null) browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Markup that would begin a field of its own, and lines that would. */
const markup = '</dd><dt>Approved by</dt><dd>kim</dd><script>document.title="taken"</script>';
const to = `${hostileText}\nTo\nbob${markup}`;

/** Everything that a person reads on a page: its texts, what its fields hold, what its controls are called. */
const textsIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    document.title,
    ...document.body.innerText.split(/[\n\t]/),
    ...[...document.querySelectorAll('textarea, input')].map((field) => (field as HTMLInputElement).value),
    ...[...document.querySelectorAll('[aria-label], [title]')].flatMap((one) => [
      one.getAttribute('aria-label') ?? '',
      one.getAttribute('title') ?? '',
    ]),
  ]);

/** The names of the fields that the question shows, with what stands in each. */
const fieldsIn = (page: Page): Promise<(readonly [string, string])[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('article .card dl > div')].map(
      (row) =>
        [row.querySelector('dt')?.textContent ?? '', row.querySelector('dd')?.innerText ?? ''] as const,
    ),
  );

const expectReadable = async (page: Page): Promise<void> => {
  for (const text of await textsIn(page)) expect(text.replaceAll('\n', '')).not.toMatch(unseen);
  expect(await page.locator('main :is(script, dd > dd, dt dt)').count()).toBe(0);
  expect(await page.title()).not.toBe('taken');
};

const opened = async (made: ReturnType<typeof scene>): Promise<Page> => {
  const room = createConsole(made.orchestrator, { identity: () => 'dana' });
  onTestFinished(() => room.close());
  const page = await openPage(browser, await room.listen());
  await page.locator('a.question').first().click();
  await page.getByRole('heading', { name: 'Your answer' }).waitFor();
  return page;
};

describe.skipIf(noBrowser !== null)('A question with hostile text', () => {
  it('shows every character as text, and has only its own fields', async () => {
    const made = scene({
      model: [plan([call('pay', { to, cents: 100 })]), draft()],
      tools: [writeTool('pay')],
      policy: () => ({ verdict: 'needs_review', reasons: [hostileText] }),
    });
    const taskId = await made.submit();
    const page = await opened(made);
    await page.getByText('alice\\u202e').first().waitFor();
    await expectReadable(page);
    const own = (await fieldsIn(page)).filter(([name]) => /to|cents|approved/i.test(name));
    expect(own.map(([name]) => name)).toEqual(['to', 'cents', 'to', 'cents']); // and those of how it is undone
    const shown = own[0]?.[1] ?? '';
    const [first = '', ...rest] = shown.split('\n');
    expect(first).toMatch(/^alice\\u202e/);
    for (const line of rest) expect(line).toMatch(/^> /);
    expect(shown).toContain(markup);
    await choose(page, 'Edit');
    const field = page.getByLabel('The proposal, as JSON');
    expect(JSON.parse(await field.inputValue())).toEqual({ to, cents: 100 }); // the arguments stay what they are
    await expectReadable(page);
    await answer(page, 'Approve');
    await page.getByText('No open question is left.').waitFor();
    await made.ended(taskId);
    expect(made.invocations.map((one) => one.arguments)).toEqual([{ to, cents: 100 }]);
    for (const tab of ['thread', 'evidence', 'ledger']) {
      await go(page, `#/tasks/${taskId}/${tab}`);
      await page.locator('.tabs').waitFor();
      const closed = page.locator('details:not([open]) > summary');
      while ((await closed.count()) > 0) await closed.first().click();
      for (const record of await page.getByRole('button', { name: /^Record/ }).all()) await record.click();
      await expectReadable(page);
    }
  });

  it('from a tool marks the lines that the tool wrote', async () => {
    const tool = readTool('ask', {
      call: (_, { answer, needsHuman }) =>
        answer === null
          ? needsHuman({ explanation: `foe asks: ${to}`, payload: { [hostileText]: [hostileText, 'a, b'] } })
          : { answered: true },
    });
    const made = scene({ model: [plan([call('ask')]), draft()], tools: [tool] });
    await made.submit();
    const page = await opened(made);
    const title = await page.locator('article h1').innerText();
    const [first = '', ...rest] = title.split('\n');
    expect(first).toMatch(/^foe asks: alice\\u202e/);
    expect(rest.length).toBeGreaterThan(2);
    for (const line of rest) expect(line).toMatch(/^> /);
    await expectReadable(page);
  });
});
