import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass, type Orchestrator } from 'agentcharter';
import type { StuckTask } from 'agentcharter/types';
import { createConsole } from 'agentcharter/console';
import { openBrowser } from '../browser.ts';
import { skipWithout } from '../needs.ts';
import { identity, plan } from '../src/core/shell/scripted.ts';
import { go, openPage, save } from './pages.ts';
import { contrasts } from './seen.ts';

const noBrowser = skipWithout(['chromium']);

let browser: Browser;
beforeAll(async () => {
  if (noBrowser === null) browser = await openBrowser();
});
afterAll(() => browser?.close());

const ended =
  'the process that performs it ended, or stood still, 4 times in a row: mend what ends it, then `retry`; or `skip` the model, policy or verifier that it waits for, and people or the gates decide';

/** A console whose store has a stuck task, as far as it can tell; and what was asked for it. */
const open = async (operates: boolean, reason: StuckTask['reason'] = 'process_ends') => {
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'work', tools: [] })],
    model: { answer: async () => plan([], { confidence: 0.1 }) },
  });
  onTestFinished(() => orchestrator.close());
  const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: { wish: 'a list' }, identity });
  const asked: string[] = [];
  let isStuck = true;
  const said: Partial<Orchestrator> = {
    stuck: async () => {
      const [summary] = await orchestrator.list({ taskId });
      if (summary === undefined || !isStuck) return [];
      return [{ ...summary, since: 0, attempts: 4, isHeld: false, reason, message: ended }];
    },
    skip: async (id) => {
      asked.push(`skip ${id}`);
      isStuck = false;
    },
    retry: async (id) => {
      throw new Error(`refused for ${id}`);
    },
  };
  const room = createConsole(
    { ...orchestrator, ...said },
    { identity: () => 'olga', operates: () => operates, onError: () => {} },
  );
  onTestFinished(() => room.close());
  const page = await openPage(browser, await room.listen());
  await go(page, '#/tasks');
  const section = page.getByRole('region', { name: 'One task is stuck' });
  await section.waitFor();
  return { page, section, asked, taskId };
};

describe.skipIf(noBrowser !== null)('A stuck task on the page', () => {
  it('is shown with the reason above all tasks, and is gone once it was skipped', async () => {
    const { page, section, asked, taskId } = await open(true);
    expect(await section.innerText()).toContain('4 times in a row');
    await save(page, 'stuck-1280');
    const faint = (await page.evaluate(contrasts)).filter(({ ratio }) => ratio < 4.5);
    expect(faint).toEqual([]);
    await section.getByRole('button', { name: 'Go on without it' }).click();
    await section.waitFor({ state: 'detached' });
    expect(asked).toEqual([`skip ${taskId}`]);
  });

  it('says why something was refused, and stays', async () => {
    const { section } = await open(true);
    await section.getByRole('button', { name: 'Try again now' }).click();
    await section.getByRole('alert').getByText(/\S/).waitFor();
    expect(await section.getByRole('button', { name: 'Try again now' }).isEnabled()).toBe(true);
  });

  it('offers nothing to who is no operator, and only an end where no process ended', async () => {
    const { section } = await open(false);
    expect(await section.getByRole('button').count()).toBe(0);
    const other = await open(true, 'not_taken');
    expect(await other.section.getByRole('button').allInnerTexts()).toEqual(['Cancel the task']);
  });
});
