import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConsole } from 'agentcharter/console';
import type { Orchestrator } from '../../src/index.ts';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { asked, situations, type Kind } from '../src/core/shell/situations.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { eventually } from '../waits.ts';
import { answer, choose, openPage, save } from './pages.ts';

const noBrowser = skipWithout(['chromium']);

let browser: Browser;
beforeAll(async () => {
  if (noBrowser === null) browser = await openBrowser();
});
afterAll(() => browser?.close());

const sizes = {
  '1280': { viewport: { width: 1280, height: 900 } },
  '1280-dark': { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  '390': { viewport: { width: 390, height: 844 } },
} as const;

const shown = async (orchestrator: Orchestrator, size: keyof typeof sizes = '1280'): Promise<Page> => {
  const room = createConsole(orchestrator, { identity: () => 'dana' });
  onTestFinished(() => room.close());
  return openPage(browser, await room.listen(), sizes[size]);
};

const reason = 'The request names no location, and freelancers are ranked in a place.';
const lacksLocation = plan([], {
  canProceed: false,
  confidence: 0,
  explanation: reason,
  questions: ['Where should the freelancer be?'],
  missing: { work_location: 'City or country in which the freelancer should be' },
});

/** A task that lacks information, and then is delivered. */
const lacking = () =>
  scene({
    model: ({ asks, answers }) => {
      if (asks === 'draft') return draft();
      return answers.length === 0 ? lacksLocation : plan();
    },
  });

/** Tasks that each ask for the approval of a write. */
const approving = () =>
  scene({
    model: ({ asks, request }) => (asks === 'plan' ? plan([call('pay', { n: request['n'] })]) : draft()),
    tools: [writeTool('pay')],
    policy: () => ({ verdict: 'needs_review', reasons: ['A person decides.'] }),
  });

const field = (page: Page) => page.getByLabel('Work location');
const choice = (page: Page, type: string) => page.locator(`button.choice[value=${type}]`);
const visibleChoices = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('button.choice')
    .filter({ visible: true })
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
const report = (page: Page) => page.locator('main [role=status] .notice.good');
const waitsFor = (made: ReturnType<typeof scene>, count: number) =>
  eventually(async () => expect(await made.orchestrator.inbox()).toHaveLength(count));

describe.skipIf(noBrowser !== null)('A question for information', () => {
  it.each(Object.keys(sizes) as (keyof typeof sizes)[])(
    'is the headline above its open field, and the next question comes after its answer: %s',
    async (size) => {
      const made = lacking();
      await made.submit();
      await made.submit();
      await waitsFor(made, 2);
      const page = await shown(made.orchestrator, size);
      const card = page.locator('a.question').first();
      expect(await card.locator('.headline').textContent()).toBe('Where should the freelancer be?');
      expect(await card.locator('.why').textContent()).toBe(reason);
      await card.click();
      await page.getByRole('heading', { level: 1, name: 'Where should the freelancer be?' }).waitFor();
      expect(await page.locator('.asked .why').allTextContents()).toEqual([reason]);
      expect(await page.getByText('Where should the freelancer be?').filter({ visible: true }).count()).toBe(
        size === '390' ? 1 : 3, // the others are the cards
      );
      expect(await field(page).isVisible()).toBe(true);
      expect(await field(page).evaluate((one) => one.closest('label')?.title)).toBe('work_location');
      expect(await visibleChoices(page)).toEqual([]);
      await save(page, `information-${size}`);

      await page.getByRole('button', { name: 'Answer', exact: true }).click();
      await page.getByRole('alert').getByText('Fill in: Work location.').waitFor();
      await page.getByText('More', { exact: true }).click();
      expect(await visibleChoices(page)).toEqual(['reject', 'instruction', 'comment']);
      await save(page, `information-more-${size}`);

      const first = page.url();
      await field(page).fill('Lisbon');
      await page.getByRole('button', { name: 'Answer', exact: true }).click();
      await report(page).getByText('Answered “Where should the freelancer be?”.').waitFor();
      await page.locator('h1:focus').getByText('Where should the freelancer be?').waitFor();
      expect(page.url()).not.toBe(first);
      await save(page, `next-${size}`);
      await field(page).fill('Porto');
      await page.getByRole('button', { name: 'Answer', exact: true }).click();
      await report(page).getByText('No open question is left.').waitFor();
      await page.getByText('No open questions.').waitFor();
      await save(page, `none-left-${size}`);

      await made.submit();
      await page.getByRole('heading', { level: 1, name: 'Where should the freelancer be?' }).waitFor();
      await page
        .locator('.back a')
        .first()
        .evaluate((link: HTMLElement) => link.click());
      await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor(); // it stays there
      await page.waitForTimeout(600);
      expect(new URL(page.url()).hash).toBe('#/inbox');
    },
  );

  it('without a named field takes a text', async () => {
    const made = scene({
      model: [
        plan([], {
          canProceed: false,
          questions: ['Which city?', 'Which year?'],
          missing: { 'trip.city': 'where', 'trip.year': 'when' },
        }),
        plan(),
        draft(),
      ],
    });
    const taskId = await made.submit();
    await made.question();
    const page = await shown(made.orchestrator);
    await page.locator('a.question').click();
    await page.getByRole('heading', { level: 1, name: 'Which city? Which year?' }).waitFor();
    expect(await page.locator('h1 .line').allTextContents()).toEqual(['Which city?', 'Which year?']);
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('alert').getByText('Write the answer.').waitFor();
    await page.getByRole('textbox', { name: 'Answer' }).fill('Lisbon, 1998');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await report(page).waitFor();
    const { outcome } = await made.ended(taskId);
    expect(outcome).toBe('success');
  });
});

describe.skipIf(noBrowser !== null)('A question for an approval', () => {
  it.each(Object.keys(sizes) as (keyof typeof sizes)[])(
    'shows Approve and Reject first, and the rest behind More, by keyboard too: %s',
    async (size) => {
      const made = approving();
      await made.submit({ n: 1 });
      const { question } = await made.question();
      const page = await shown(made.orchestrator, size);
      await page.locator('a.question').click();
      await page.getByRole('heading', { name: 'Your answer' }).waitFor();
      expect(await visibleChoices(page)).toEqual(['approve', 'reject']);
      expect(await page.locator('form textarea, form input, form [type=submit]').count()).toBe(0);
      await save(page, `approval-${size}`);
      await choice(page, 'reject').focus();
      await page.keyboard.press('Tab');
      expect(await page.locator('summary:focus').textContent()).toBe('More');
      await page.keyboard.press('Enter');
      expect(await visibleChoices(page)).toEqual(['approve', 'reject', 'edit', 'instruction', 'comment']);
      for (const [type, consequence] of Object.entries(question.consequences))
        expect(await choice(page, type).textContent()).toContain(consequence);
      await save(page, `approval-more-${size}`);
      await choose(page, 'Reject');
      expect(await choice(page, 'reject').getAttribute('aria-pressed')).toBe('true');
      await save(page, `approval-reject-${size}`);
      await page.getByLabel('Why (optional)').fill('too much');
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await report(page)
        .getByText(/^Answered “.*” with “Reject”\. /)
        .waitFor();
      const [, , answered] = await made.orchestrator.thread((await made.orchestrator.list())[0]!.threadId);
      expect(answered?.upFeedback).toMatchObject({ type: 'reject', content: 'too much' });
    },
  );

  it('that comes by itself takes no press that was meant for the one before', async () => {
    const made = approving();
    for (const n of [1, 2]) await made.submit({ n });
    await waitsFor(made, 2);
    const page = await shown(made.orchestrator);
    await page.locator('a.question').first().click();
    await page.evaluate(() => {
      const seen = window as { arrived?: boolean[] };
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        const buttons = added.flatMap((one) =>
          one instanceof Element ? [...one.querySelectorAll<HTMLButtonElement>('button[value=approve]')] : [],
        );
        seen.arrived = [...(seen.arrived ?? []), ...buttons.map(({ disabled }) => disabled)];
      }).observe(document.body, { childList: true, subtree: true });
    });
    await choice(page, 'approve').click();
    await report(page)
      .getByText(/^Answered “.*” with “Approve”\. /)
      .waitFor();
    await choice(page, 'approve').click(); // it waits until the button is enabled
    await report(page).getByText('No open question is left.').waitFor();
    expect(await page.evaluate(() => (window as { arrived?: boolean[] }).arrived)).toEqual([true]);
  });
});

describe.skipIf(noBrowser !== null)('A question of another kind', () => {
  it.each([
    ['plan', null, ['approve', 'reject']],
    ['draft', null, ['approve', 'reject']],
    ['doubt', null, ['approve', 'reject']],
    ['limit', null, ['approve', 'reject']],
    ['help', 'Answer', []],
    ['tool', 'Send this order', ['approve', 'reject']],
    ['followup', 'Send this order', ['approve', 'reject']],
  ] as const satisfies (readonly [Kind, string | null, readonly string[]])[])(
    'opens with what it asks for: %s',
    async (kind, button, first) => {
      const made = await asked(kind);
      const page = await shown(made.orchestrator);
      await page.locator('a.question').click();
      await page.getByRole('heading', { name: 'Your answer' }).waitFor();
      const submit = page.locator('form [type=submit]');
      expect(await submit.allTextContents()).toEqual(button === null ? [] : [button]);
      expect(await visibleChoices(page)).toEqual(first);
      await page.getByText('More', { exact: true }).click();
      const offered = await visibleChoices(page);
      expect(offered.length + (button === null ? 0 : 1)).toBe(made.open.question.accepts.length);
      await save(page, `kind-${kind}`);
    },
  );

  it('about a limit shows the writes that stand, without their ids', async () => {
    const made = await asked('limit');
    const page = await shown(made.orchestrator);
    await page.locator('a.question').click();
    await page.getByRole('heading', { name: 'Writes so far' }).waitFor();
    expect(await page.locator('ol.calls > li').allTextContents()).toEqual(['writeamount1']);
    expect(await page.locator('section[aria-labelledby=proposal]').textContent()).not.toMatch(
      /sha256|[0-9a-f]{8}-/,
    );
    await answer(page, 'Go on');
    await report(page)
      .getByText(/^Answered “.*” with “Go on”\. /)
      .waitFor();
    expect((await made.orchestrator.settled(made.taskId)).state).toBe('completed.settled');
  });

  it('says in words what is missing when it is sent without an answer', async () => {
    const made = await asked('followup');
    const page = await shown(made.orchestrator);
    await page.locator('a.question').click();
    await page.getByRole('button', { name: 'Send this order' }).click();
    await page.getByRole('alert').getByText('Choose at least one, the best first.').waitFor();
    await answer(page, 'Decline');
    await report(page)
      .getByText(/^Answered “.*” with “Decline”\. /)
      .waitFor();
  });
});

/** Opens a question beside evidence with this payload. */
const opened = async (payload: object) => {
  const made = scene({
    ...situations.plan,
    model: [plan([call('read')]), draft({}, { confidence: 0.1 })],
    tools: [readTool('read', { call: async () => payload })],
  });
  await made.submit();
  await made.question();
  const page = await shown(made.orchestrator);
  await page.locator('a.question').click();
  await page.getByRole('heading', { name: 'Verification' }).waitFor();
  return page;
};
const height = (page: Page) => page.locator('.foldable').evaluate((one) => one.clientHeight);

describe.skipIf(noBrowser !== null)('The evidence beside a question', () => {
  const rows = Array.from({ length: 60 }, (_, n) => ({ id: `c-${n}`, name: `candidate ${n}`, n }));
  it('folds after one screen, and unfolds by its button', async () => {
    const page = await opened({ rows, last: 'of all' });
    expect(await height(page)).toBeLessThanOrEqual(900);
    await save(page, 'evidence-folded');
    await page.getByRole('button', { name: 'Show all 181 values' }).click();
    expect(await height(page)).toBeGreaterThan(900);
    const { bottom, end } = await page.locator('.foldable').evaluate((one) => ({
      bottom: one.getBoundingClientRect().bottom,
      end: Math.max(...[...one.querySelectorAll('dd')].map((dd) => dd.getBoundingClientRect().bottom)),
    }));
    expect(end).toBeLessThanOrEqual(bottom);
    await page.getByRole('button', { name: 'Show less' }).click();
    expect(await height(page)).toBeLessThanOrEqual(900);
  });

  it('unfolds when the keyboard reaches what is folded', async () => {
    const page = await opened({ rows });
    await page.getByText('Digest', { exact: true }).focus();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
  });

  it('is not folded if it is short', async () => {
    const page = await opened({ n: 1 });
    expect(await page.getByRole('button', { name: /^Show/ }).count()).toBe(0);
  });
});
