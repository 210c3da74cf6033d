import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsole } from 'agentcharter/console';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import freelancers from '../../docs/examples/shortlisting/freelancers.json' with { type: 'json' };
import type { Human } from '../../docs/examples/shortlisting/human.ts';
import { createMailer, type Mailer } from '../../docs/examples/shortlisting/mail.ts';
import { openSearch } from '../../docs/examples/shortlisting/search.ts';
import { shortlist, type Result } from '../../docs/examples/shortlisting/shortlist.ts';
import { startMailServer } from '../../docs/examples/shortlisting/smtp.ts';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { later } from '../src/core/shell/scripted.ts';
import { openPage } from './pages.ts';

/** Nobody answers at the terminal: whoever does is at the console. */
const elsewhere: Human = {
  answer: (_, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true })),
};

const noBrowser = skipWithout(['chromium']);

let browser: Browser;
let directory: string;
beforeAll(async () => {
  if (noBrowser === null) browser = await openBrowser();
  directory = await mkdtemp(join(tmpdir(), 'console-test-'));
});
afterAll(async () => {
  await browser?.close();
  await rm(directory, { recursive: true });
});

/** The hiring workflow, begun, with its console; the mail waits until `send` is called. */
const begin = async () => {
  const server = await startMailServer({ directory: join(directory, 'mail') });
  const mailer = createMailer(server.url);
  const held = later();
  const holding: Mailer = {
    ...mailer,
    send: async (mail, signal) => {
      await held.promise;
      return mailer.send(mail, signal);
    },
  };
  const opened = later<string>();
  let room: ReturnType<typeof createConsole> | undefined;
  const result: Promise<Result> = shortlist({
    search: openSearch(freelancers),
    mailer: holding,
    human: elsewhere,
    store: sqliteStore(join(directory, 'tasks.db')),
    patience: 600_000,
    watch: (orchestrator) => {
      room = createConsole(orchestrator, { identity: () => 'Dana Reyes' });
      room.listen().then(opened.resolve, opened.reject);
    },
  });
  const url = await opened.promise;
  return {
    url,
    /** Another link, for a link opens the console once. */
    another: () => `${url.split('?')[0]}?token=${room?.newToken() ?? ''}`,
    result,
    send: () => held.resolve(null),
    messages: () => server.messages(),
    close: async () => {
      await room?.close();
      mailer.close();
      await server.close();
    },
  };
};

describe('The hiring workflow in the console', () => {
  it.skipIf(noBrowser !== null)(
    'survives a reload, offers a choice, sends mail, and updates a second browser',
    async () => {
      const { url, another, result, send, messages, close } = await begin();
      try {
        const dana = await openPage(browser, url);
        const kim = await openPage(browser, another(), { colorScheme: 'dark' });
        await kim.getByRole('link', { name: 'Tasks' }).click();
        const row = (taskClass: string) => kim.getByRole('row').filter({ hasText: taskClass });
        await row('recommendation').getByText('Waiting for a person').waitFor();

        await dana.getByRole('link', { name: /Where should the freelancer be/ }).click();
        await dana.getByRole('heading', { level: 1, name: 'Where should the freelancer be?' }).waitFor();
        await dana.locator('.asked .why').getByText('The request names no location').waitFor();
        await dana.getByText('The information is given to the model, which plans.').waitFor();
        await dana.getByLabel('Location').fill('Lisbon');
        await dana.reload();
        expect(await dana.getByLabel('Location').inputValue()).toBe('Lisbon');
        await dana.getByRole('button', { name: 'Answer' }).click();

        await row('recommendation').getByText('Delivered, with a choice').waitFor();
        await row('recommendation').getByRole('link').click();
        await kim.getByText('Who should be invited?').first().waitFor();
        expect(await kim.locator('[data-phase=deliver]').getAttribute('class')).toBe('passed');

        await dana.getByRole('heading', { level: 1, name: /Who should be invited/ }).waitFor(); // by itself
        await dana.getByText(/^the default applies in/).waitFor();
        const grounds = dana.getByRole('complementary', { name: 'Evidence and checks' });
        await grounds.getByText('freelancers.search', { exact: true }).waitFor();
        await grounds.getByText('candidates-in-evidence').waitFor();
        const choices = dana.getByRole('list', { name: 'To choose from' }).getByRole('button');
        await choices.nth(1).click();
        await choices.nth(0).click();
        await dana
          .getByRole('list', { name: 'Your order' })
          .getByRole('button', { name: /up$/ })
          .nth(1)
          .click();
        await dana.getByRole('button', { name: 'Send this order' }).click();
        await dana.getByText('No open question is left.').waitFor();

        await kim.getByRole('link', { name: 'All tasks' }).click();
        await row('invitation').getByText('In progress').waitFor();
        await row('invitation').getByRole('link').click();
        await kim.locator('[data-phase=execute].active').waitFor();
        await kim.getByRole('link', { name: 'Full chart' }).click();
        await kim.locator('[data-state="submitted.execute.calling"].active.here').waitFor();
        await kim.getByRole('link', { name: 'Ledger' }).click();
        await kim.getByRole('button', { name: 'Verify and replay' }).click();
        await kim
          .getByText(
            /^The chain of \d+ records is intact\. Replaying all \d+ records leads to the recorded states\.$/,
          )
          .waitFor();

        send();
        const { end } = await result;
        expect(end).toBe('delivered');
        expect(await messages()).toHaveLength(2);
      } finally {
        send();
        await close();
      }
    },
  );
});
