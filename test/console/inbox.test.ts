import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { jwsApprovals, signApproval } from 'agentcharter/approvals';
import { createConsole, type ConsoleOptions } from 'agentcharter/console';
import type { InboxEntry } from '../../src/index.ts';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { asked, situations } from '../src/core/shell/situations.ts';
import { scene, type Scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { answer, choose, go, openPage } from './pages.ts';
import { contrasts, nameless } from './seen.ts';
import { generateKeys } from '../key-pair.ts';
import { eventually } from '../waits.ts';

const noBrowser = skipWithout(['chromium']);

let browser: Browser;
beforeAll(async () => {
  if (noBrowser === null) browser = await openBrowser();
});
afterAll(() => browser?.close());

const shown = async (
  { orchestrator }: Pick<Scene, 'orchestrator'>,
  { identity = () => 'dana', ...options }: ConsoleOptions & { colorScheme?: 'dark' | 'light' } = {},
): Promise<Page> => {
  const room = createConsole(orchestrator, { identity });
  onTestFinished(() => room.close());
  return openPage(browser, await room.listen(), options);
};

const look = async (page: Page, { message }: InboxEntry): Promise<void> => {
  await page.locator(`a[href="#/inbox/${message.messageId}"]`).click();
  await page.getByRole('heading', { name: 'Your answer' }).waitFor();
};

describe.skipIf(noBrowser !== null)('The inbox', () => {
  it('refuses a forged approval with its code, keeps the question, and accepts a valid one', async () => {
    const pair = generateKeys();
    const stranger = generateKeys();
    const jwk = (key: typeof pair.publicKey) => ({ ...key.export({ format: 'jwk' }), kid: 'desk' });
    const parties = { issuer: 'https://desk.example', audience: 'wire room' };
    const made = scene({
      model: [plan([call('read'), call('wire', { cents: 12_500_000 })]), draft()],
      tools: [readTool('read'), writeTool('wire', { tier: 'write_high_risk' })],
      options: {
        approvals: jwsApprovals({
          ...parties,
          keys: { keys: [{ ...jwk(pair.publicKey), subjects: 'any' }] },
        }),
      },
    });
    await made.submit();
    const open = await made.question();
    const signed = (key: typeof pair.privateKey) =>
      signApproval({
        ...parties,
        claims: open.question.approval!,
        approver: 'kim',
        jti: crypto.randomUUID(),
        issuedAt: made.clock.now(),
        expiresAt: made.clock.now() + 600_000,
        key: jwk(key),
      });
    const page = await shown(made);
    await look(page, open);
    await page.getByRole('article').getByText('12500000').first().waitFor();
    const token = page.getByRole('textbox', { name: 'Signed approval' });
    const send = async (value: string) => answer(page, 'Approve', () => token.fill(value));

    await send('');
    await page.getByRole('alert').getByText('needs a signed approval').waitFor();
    await page.getByText('Claims to sign').click();
    await page.getByText(open.question.about).filter({ visible: true }).first().waitFor(); // what must be signed
    await send(await signed(stranger.privateKey));
    await page.getByRole('alert').getByText('APPROVAL_SIGNATURE_WRONG').waitFor();
    await page.getByRole('alert').getByText('The question stays open.').waitFor();
    expect(await token.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(await token.inputValue());
    expect(made.invocations.map(({ tool }) => tool)).toEqual(['read']);
    await page.reload();
    await page.getByRole('heading', { name: 'Your answer' }).waitFor();
    expect(await token.inputValue()).toBe(''); // a token is not kept
    await send(await signed(pair.privateKey));
    await page.getByText('No open question is left.').waitFor();
    expect(made.invocations.map(({ tool }) => tool)).toEqual(['read', 'wire']);
  });

  it('marks the missing field of a refused edit, and accepts the corrected edit', async () => {
    const made = await asked('plan');
    const page = await shown(made);
    await look(page, made.open);
    const field = page.getByLabel('The proposal, as JSON');
    const proposed = async () => JSON.parse(await field.inputValue()) as object;
    await answer(page, 'Edit', () => field.fill('{"calls": '));
    await page.getByRole('alert').getByText('This is not JSON').waitFor();
    await page.reload();
    expect(await field.inputValue()).toBe('{"calls": ');
    await answer(page, 'Edit', () => field.fill('{"calls": [{"tool": "nothing"}]}'));
    await page.getByRole('alert').getByText(/calls/).first().waitFor();
    expect(await field.getAttribute('aria-describedby')).toBe('problem');
    await page.evaluate(() => sessionStorage.clear());
    await go(page, '#/inbox');
    await look(page, made.open);
    await answer(page, 'Edit', async () => field.fill(JSON.stringify({ ...(await proposed()), calls: [] })));
    await page.getByText('No open question is left.').waitFor();
    expect(made.invocations).toEqual([]);
  });

  it('asks whether a doubtful effect happened, and repeats it if it did not', async () => {
    const made = await asked('doubt');
    const page = await shown(made);
    await look(page, made.open);
    await answer(page, 'Say what happened', async () => {
      await page.getByLabel('Did it happen?').selectOption('It did not happen; it is repeated');
    });
    await page.getByText(/with “Say what happened”/).waitFor();
    await eventually(() => expect(made.invocations).toHaveLength(2));
  });

  it('keeps a question open after a comment, and sorts by the comment’s weight', async () => {
    const made = scene({ model: () => plan([], { confidence: 0.1 }) });
    await made.submit();
    await made.submit();
    const [, second] = await made.orchestrator.inbox();
    const page = await shown(made);
    await look(page, second!);
    await answer(page, 'Comment', async () => {
      await page.getByLabel('Comment', { exact: true }).fill('this first, please');
      await page.getByLabel('Priority').selectOption('high');
    });
    await page.getByRole('status').getByText('the question stays open').waitFor();
    await page.locator('.questions li').first().getByText('priority high').waitFor();
    expect(await page.locator('.questions a').first().getAttribute('href')).toBe(
      `#/inbox/${second!.message.messageId}`,
    );
  });

  it('shows foreign text as text, never as markup, with all reordering characters visible', async () => {
    const hostile =
      '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script><b>';
    const made = scene({
      model: [
        plan([call('read', { [hostile]: hostile })], {
          confidence: 0.1,
          explanation: `${hostile} pay \u202e321`,
          assumptions: [hostile],
          alternatives: [{ id: hostile, [hostile]: hostile }],
        }),
        draft({ [hostile]: [hostile] }, { explanation: hostile }),
      ],
      tools: [readTool('read', { call: async () => ({ [hostile]: hostile }) })],
    });
    const taskId = await made.submit();
    const page = await shown(made);
    await look(page, await made.question());
    await choose(page, 'Rank');
    await page.getByText('pay \\u202e321').first().waitFor();
    const count = () => page.locator('main :is(img, script, b, iframe, object)').count();
    expect(await count()).toBe(0);
    await answer(page, 'Approve');
    await page.getByText('No open question is left.').waitFor();
    await made.ended(taskId);
    for (const tab of ['thread', 'evidence', 'ledger']) {
      await go(page, `#/tasks/${taskId}/${tab}`);
      await page.locator('.tabs').waitFor();
      const closed = page.locator('details:not([open]) > summary');
      while ((await closed.count()) > 0) await closed.first().click();
      expect(await count()).toBe(0);
    }
    expect(await page.title()).not.toContain('taken');
  });

  it('is read-only when the host names no person, and says so', async () => {
    const made = await asked('plan');
    const page = await shown(made, { identity: () => null });
    await page.locator(`a[href="#/inbox/${made.open.message.messageId}"]`).click();
    await page.getByText('this cannot be answered here').waitFor();
    expect(await page.locator('form').count()).toBe(0);
  });

  it('can be used by the keyboard alone', async () => {
    const made = await asked('plan');
    const page = await shown(made);
    const tabTo = async (selector: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) {
          expect(await page.locator(':focus').evaluate((seen) => getComputedStyle(seen).outlineStyle)).toBe(
            'solid',
          );
          return;
        }
      }
      throw new Error(`the keyboard does not reach ${selector}`);
    };
    await tabTo('.skip');
    await tabTo('a.question');
    await page.keyboard.press('Enter');
    await page.locator('h1:focus').getByText(made.open.message.explanation).waitFor();
    await tabTo('button[value=approve]');
    await page.keyboard.press('Enter');
    await page.getByText('No open question is left.').waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'is accessible and names every control, in the %s',
    async (colorScheme) => {
      const made = scene({
        ...situations.plan,
        verifiers: { checks: () => ({ checks: [{ check_id: 'a', result: 'fail' }] }) },
        taskClass: { beforeDeliver: { verifiers: ['checks'] } },
      });
      const taskId = await made.submit();
      const page = await shown(made, { colorScheme });
      const places = ['#/inbox', '#/tasks', `#/inbox/${(await made.question()).message.messageId}`];
      const check = async (place: string): Promise<void> => {
        await go(page, place);
        await page.getByText(/^Reading/).waitFor({ state: 'detached' });
        await eventually(async () => expect((await page.evaluate(contrasts)).length).toBeGreaterThan(10));
        const texts = await page.evaluate(contrasts);
        expect(texts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
        expect(await page.evaluate(nameless)).toEqual([]);
      };
      for (const place of places) await check(place);
      for (const type of ['Edit', 'Rank', 'Comment', 'Reject']) {
        await choose(page, type);
        await check(places[2]!);
      }
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByText(/with “Reject”/).waitFor();
      for (const tab of ['thread', 'evidence', 'ledger', 'chart']) await check(`#/tasks/${taskId}/${tab}`);
    },
  );
});
