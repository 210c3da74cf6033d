import { join } from 'node:path';
import type { StatelyInspectionEvent } from '@statelyai/inspect';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { patience } from '../../../waits.ts';
import { createActor, createMachine } from 'xstate';
import { createOrchestrator, defineTaskClass, type Model } from 'agentcharter';
import { createInspector, type InspectorOptions } from 'agentcharter/inspect';
import { taskMachine } from 'agentcharter/machines';
import { openBrowser } from '../../../browser.ts';
import { skipWithout } from '../../../needs.ts';
import { order, orderActor } from './machines.ts';
import { standIn } from './stand-in.ts';

const noBrowser = skipWithout(['chromium']);
const title = `In a browser${noBrowser === null ? '' : `, skipped: ${noBrowser}`}`;

const { SCREENSHOTS: folder } = process.env;

const framed = (page: Page) => page.frames()[1] ?? page.mainFrame();

/** What the stand-in was told since it was loaded, once it is so much. */
const received = async (page: Page, count: number): Promise<readonly StatelyInspectionEvent[]> => {
  await framed(page).waitForFunction(`window.received?.length >= ${count}`);
  return framed(page).evaluate<readonly StatelyInspectionEvent[]>('window.received');
};

/** The states that the chart highlights: each once, though several sheets may show it. */
const markedStates = (page: Page) =>
  page
    .locator('#chart .active')
    .evaluateAll((states) => [...new Set(states.map((state) => state.getAttribute('data-state')))]);

/** The size of the letters of a state, in pixels of the screen. */
const textSize = (page: Page, state: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const { shadowRoot } = document.querySelector('#chart');
    const text = [...shadowRoot.querySelectorAll('[data-state="${state}"] text')].at(-1);
    return text.getScreenCTM().a * Number.parseFloat(getComputedStyle(text).fontSize);
  })()`);

const thought = { canProceed: true, confidence: 0.9, explanation: 'To the landlord.' };
const model: Model = {
  answer: async ({ asks }) =>
    asks === 'plan' ? { ...thought, calls: [] } : { ...thought, payload: { letter: 'Dear landlord' } },
};
const identity = { agent_id: 'writer', owner_id: 'acme', control_class: 'human-supervised' as const };

const scripted = `<svg xmlns="http://www.w3.org/2000/svg"><script>window.hacked=1</script><g data-state="zeta"><text>Z</text></g></svg>`;

describe.skipIf(noBrowser !== null)(title, () => {
  let browser: Browser;
  let viewer: Awaited<ReturnType<typeof standIn>>;
  beforeAll(async () => {
    [browser, viewer] = await Promise.all([openBrowser(), standIn()]);
  });
  afterAll(async () => {
    await browser.close();
    await viewer.close();
  });

  const inspecting = async (options: InspectorOptions = {}) => {
    const inspector = await createInspector({ viewer: `${viewer.origin}/inspect`, ...options });
    onTestFinished(() => inspector.close());
    return inspector;
  };
  /** The inspector of an orchestrator whose tasks settle at once. */
  const watching = async (count: number) => {
    const { url, watch } = await inspecting({ viewer: null });
    const orchestrator = createOrchestrator({
      taskClasses: [defineTaskClass({ id: 'letter', tools: [] })],
      model,
    });
    onTestFinished(() => orchestrator.close());
    const submit = async () => {
      const { taskId } = await orchestrator.submit({ taskClass: 'letter', payload: {}, identity });
      await orchestrator.settled(taskId);
      return taskId;
    };
    const settled: string[] = [];
    while (settled.length < count) settled.push(await submit());
    await watch(orchestrator);
    return { url, settled, submit };
  };
  /** A page of its own, which must not complain, unless it may. */
  const open = async (url: string, mayComplain = false): Promise<Page> => {
    const context = await browser.newContext();
    context.setDefaultTimeout(patience);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (said) => {
      if (said.type() === 'error' && !said.text().startsWith('Failed to load resource'))
        complaints.push(said.text());
    });
    await page.goto(url);
    if (!mayComplain) onTestFinished(() => expect(complaints).toEqual([]));
    return page;
  };

  describe('The receiver of @statelyai/inspect', () => {
    it('receives all actors, each step, the same after a reload, and the end', async () => {
      const { url, inspect, close } = await inspecting();
      const actor = orderActor(inspect).start();
      actor.send({ type: 'go' });
      const page = await open(url);
      expect(new URL(page.url()).search).toBe('');
      const now = { value: { middle: { one: { two: 'three' } } } };
      const first = await received(page, 2);
      expect(first).toMatchObject([
        { type: '@xstate.actor', name: 'order', snapshot: now },
        { type: '@xstate.snapshot', event: { type: 'go' }, snapshot: now },
      ]);
      const definition = first[0]?.type === '@xstate.actor' ? first[0].definition : undefined;
      const { states } = JSON.parse(definition ?? '') as typeof order.config;
      expect(Object.keys(states ?? {})).toEqual(['zeta', 'middle', 'alpha', 'done']);
      actor.send({ type: 'count' });
      expect((await received(page, 4)).at(-1)).toMatchObject({ snapshot: { context: { count: 1 } } });
      await framed(page).goto(`${viewer.origin}/inspect`);
      expect(await received(page, 2)).toMatchObject([
        { type: '@xstate.actor' },
        { snapshot: { context: { count: 1 } } },
      ]);
      await close();
      await page.getByText('The inspector was closed.').waitFor();
    });

    it.each(['moved', 'nested', 'sandboxed'])(
      'shows the local chart when a foreign page claims to be the viewer (%s)',
      async (path) => {
        const { url, inspect } = await inspecting({ viewer: `${viewer.origin}/${path}`, patience: 1_500 });
        orderActor(inspect).start();
        const page = await open(url, true); // its policy blocks a frame that moved
        await page.evaluate(`postMessage({ type: '@statelyai.connected' }, '*')`);
        const there = path === 'moved' ? 'chrome-error://chromewebdata/' : `${viewer.origin}/${path}`;
        await expect.poll(() => framed(page).url()).toBe(there);
        await page.getByText('The Stately inspector was not reached').waitFor();
      },
    );

    it('switches to the local chart and back', async () => {
      const { url, inspect } = await inspecting({ chart: () => undefined });
      const actor = orderActor(inspect).start();
      const page = await open(url);
      await received(page, 2);
      await page.getByRole('button', { name: 'Local chart' }).click();
      await expect.poll(() => markedStates(page)).toEqual(['zeta']);
      await page.getByRole('button', { name: 'Stately inspector' }).click();
      await received(page, 4);
      actor.send({ type: 'go' });
      expect((await received(page, 6)).at(-1)).toMatchObject({ event: { type: 'go' } });
    });
  });

  describe('The inspector without internet', () => {
    it('shows the shipped chart, and follows the task', async () => {
      const { url, inspect } = await inspecting({ viewer: 'http://127.0.0.1:9/', patience: 200 });
      const request = '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10';
      const actor = createActor(taskMachine, {
        inspect,
        id: 'mine',
        input: { taskClass: { id: 'answer' }, request },
      }).start();
      const page = await open(url);
      await page.getByText('The Stately inspector was not reached').waitFor();
      await expect.poll(() => markedStates(page)).toEqual(['task', 'submitted', 'submitted.intake']);
      actor.send({ type: 'request.accepted' });
      await expect
        .poll(() => markedStates(page))
        .toEqual(['task', 'submitted', 'submitted.plan', 'submitted.plan.proposing']);
      actor.send({ type: 'task.cancelled' });
      await page.getByRole('heading', { name: 'mine: cancelled (done)' }).waitFor();
      await expect.poll(() => markedStates(page)).toEqual(['task', 'cancelled']);
      expect(await page.locator('#chart svg').boundingBox()).toMatchObject({ width: expect.any(Number) });
      expect(await page.locator('iframe').isVisible()).toBe(false);
    });

    it('draws your own machine with elkjs, and lets you choose any actor', async () => {
      const { url, inspect } = await inspecting({ viewer: null });
      const [one, other] = ['one', 'other'].map((id) =>
        createActor(order, { inspect, id, input: { secret: '' } }).start(),
      );
      other?.send({ type: 'go' });
      const page = await open(url);
      await page.getByRole('button', { name: 'other: middle.one.two.three' }).click();
      await expect
        .poll(() => markedStates(page))
        .toEqual(['order', 'middle', 'middle.one', 'middle.one.two', 'middle.one.two.three']);
      expect(await page.locator('#chart svg').count()).toBe(1);
      one?.send({ type: 'go' });
      await page.getByRole('button', { name: 'one: middle' }).click();
      await page.getByRole('heading', { name: 'one: ' }).waitFor();
      expect(await page.getByRole('button', { pressed: true }).textContent()).toContain('one: ');
      expect(await page.locator('#turn').isVisible()).toBe(false);
    });

    it('shows the current state at a readable size, zooms and pans', async () => {
      const { url, inspect } = await inspecting({ viewer: null });
      const request = '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10';
      const input = { taskClass: { id: 'answer' }, request };
      const actor = createActor(taskMachine, { inspect, id: 'mine', input }).start();
      actor.send({ type: 'request.accepted' });
      const page = await open(url);
      const state = page.locator('#chart [data-state="submitted.plan.proposing"]');
      await expect.poll(() => state.getAttribute('class')).toContain('active');
      expect(await textSize(page, 'submitted.plan.proposing')).toBeGreaterThan(11);

      const boxed = async () => (await state.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
      const before = await boxed();
      expect(before.x).toBeGreaterThan(0);
      expect(before.x + before.width).toBeLessThan(page.viewportSize()?.width ?? 0);
      await page.mouse.move(before.x + 20, before.y + 60);
      await page.mouse.down();
      await page.mouse.move(before.x + 20, before.y + 10, { steps: 5 });
      await page.mouse.up();
      expect((await boxed()).y).toBeLessThan(before.y - 20);

      await page.getByLabel('zoom').fill('50');
      expect((await boxed()).width).toBeCloseTo(before.width / 2, 0);
      expect(await textSize(page, 'submitted.plan.proposing')).toBeLessThan(8);
    });

    it('shows settled tasks in their final state, the newest first', async () => {
      const { url, settled } = await watching(53);
      const page = await open(url);
      await page.getByText('Not shown: 3 older or unreadable tasks').waitFor();
      const names = await page.locator('nav button').allTextContents();
      expect(names).toEqual(
        settled
          .slice(3)
          .toReversed()
          .map((taskId) => `letter ${taskId}: completed.settled`),
      );
      await page.getByRole('heading', { name: names[0] ?? '' }).waitFor();
      await expect.poll(() => markedStates(page)).toEqual(['task', 'completed', 'completed.settled']);
      if (folder === undefined) return;
      await page.setViewportSize({ width: 1000, height: 560 });
      await page.screenshot({ path: join(folder, 'inspector.png') });
    });

    it('says that there is no task yet, until one begins', async () => {
      const { url, submit } = await watching(0);
      const page = await open(url);
      const words = page.getByText('No task yet: a new task appears here when it begins.');
      await words.waitFor();
      expect(await page.getByLabel('zoom').isVisible()).toBe(false);
      await submit();
      await page.getByRole('button', { name: 'completed.settled' }).waitFor();
      expect(await words.isVisible()).toBe(false);
    });

    it('lists what an actor started below it', async () => {
      const { url, inspect } = await inspecting({ viewer: null });
      const child = createMachine({});
      const parent = createMachine({ invoke: { id: 'child', src: child } });
      for (const id of ['first', 'second']) createActor(parent, { inspect, id }).start();
      const page = await open(url);
      await page.getByRole('heading', { name: 'second: ' }).waitFor();
      const names = await page.locator('nav button').allTextContents();
      expect(names.map((name) => name.split(':')[0])).toEqual(['second', 'child', 'first', 'child']);
    });

    it.each(['light', 'dark'] as const)(
      'is %s as its user prefers, and its chart too',
      async (colorScheme) => {
        const { url } = await watching(1);
        const page = await open(url);
        await page.emulateMedia({ colorScheme });
        await expect.poll(() => markedStates(page)).toContain('completed.settled');
        const lights = await page.evaluate<readonly number[]>(`(() => {
        const { shadowRoot } = document.querySelector('#chart');
        const colours = [
          getComputedStyle(document.documentElement).backgroundColor,
          getComputedStyle(shadowRoot.querySelector('.page')).fill,
        ];
        return colours.map((colour) => Number(colour.match(/\\d+/)[0]));
      })()`);
        for (const light of lights) expect(light > 127).toBe(colorScheme === 'light');
      },
    );

    it('gives the chart most of a narrow window, below its title', async () => {
      const { url } = await watching(5);
      const page = await open(url);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect.poll(() => markedStates(page)).toContain('completed.settled');
      const boxOf = async (selector: string) =>
        (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const chart = await boxOf('#view');
      expect(chart.width).toBeGreaterThan(340);
      expect(chart.height).toBeGreaterThan(400);
      const heading = await boxOf('[role=heading]');
      expect(heading.y + heading.height).toBeLessThanOrEqual(chart.y);
      expect(await page.locator('pre').isVisible()).toBe(false);
      await page.getByText('Event and snapshot').click();
      expect(await page.locator('pre').textContent()).toContain('"value": {\n      "completed": "settled"');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });

    const markup = '</script><img src=x onerror="window.hacked=1"><svg onload="window.hacked=1">';

    it('shows everything inspected as text', async () => {
      const machine = createMachine({
        id: markup,
        initial: markup,
        context: { [markup]: markup },
        states: { [markup]: { on: { '*': {} } } },
      });
      const { url, inspect } = await inspecting({ viewer: null, chart: () => undefined });
      const actor = createActor(machine, { inspect, id: markup }).start();
      const page = await open(url);
      actor.send({ type: markup });
      await expect.poll(() => page.locator('pre').textContent()).toContain('onerror');
      await expect.poll(() => markedStates(page)).toEqual([markup]);
      expect(await page.locator('#chart li').textContent()).toBe(markup);
      expect(await page.getByRole('button').first().textContent()).toBe(`${markup}: ${markup}`);
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.evaluate('window.hacked')).toBe(undefined);
    });

    it('runs no script of a picture', async () => {
      const { url, inspect } = await inspecting({ viewer: null, chart: () => scripted });
      orderActor(inspect).start();
      const page = await open(url);
      await expect.poll(() => markedStates(page)).toEqual(['zeta']);
      expect(await page.evaluate('window.hacked')).toBe(undefined);
    });

    it('shows a list instead of an invalid picture', async () => {
      const { url, inspect } = await inspecting({ viewer: null, chart: () => '<svg' });
      orderActor(inspect).start();
      const page = await open(url, true);
      await expect.poll(() => markedStates(page)).toEqual(['zeta']);
      expect(await page.locator('#chart li').count()).toBe(8);
    });
  });

  it('cannot be framed or read by another page of the browser', async () => {
    const { url } = await inspecting();
    const page = await open(url);
    const { origin } = new URL(url);
    const other = await page.context().newPage();
    await other.goto(`${viewer.origin}/inspect`);
    const asked = `fetch('${origin}/events', { credentials: 'include' }).then(() => 'read', () => 'refused')`;
    expect(await other.evaluate(asked)).toBe('refused');
    const frame = `new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = () => resolve(frame.contentDocument === null);
      frame.src = '${origin}/';
      document.body.append(frame);
    })`;
    await other.evaluate(frame);
    expect(other.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  });
});
