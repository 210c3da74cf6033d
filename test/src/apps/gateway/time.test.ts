import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../../src/apps/gateway/gateway.ts';
import { isAsking } from '../../../../src/apps/gateway/seat.ts';
import type { Policy } from '../../../../src/base/ports/policy.ts';
import { readCharter } from '../../../../src/apps/gateway/read-charter.ts';
import { call as command } from '../cli/call.ts';
import { simulatedClock } from '../../core/shell/simulated-clock.ts';
import { charter as withReads, stand } from './stand.ts';

const minute = 60_000;

/** A gateway in this process, with time and ids of a test. */
const started = async (policy: Policy | null = null) => {
  const folder = await stand(`${withReads}  shop.remind: { tier: write_low_risk, rollback: person }\n`);
  const clock = simulatedClock();
  let count = 0;
  const ids = {
    uuid: () => `01936d5e-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`,
    traceId: () => String((count += 1)).padStart(32, '0'),
  };
  const charter = await readCharter(join(folder, 'charter.yaml'));
  const around = { charter, variables: {}, say: () => {}, isShadow: false, policy, clock, ids };
  const gateway = await startGateway(around);
  onTestFinished(gateway.close);
  const { call } = gateway.served('local');
  const find = async (order: string) => {
    const { signal } = new AbortController();
    const reply = await call('shop_find_order', { order }, { signal, session: null, seat: null });
    if (isAsking(reply)) throw new Error('a read asks no one');
    return { text: String(reply.content[0]?.['text']), isError: reply.isError === true };
  };
  const states = async () => {
    const { stdout } = await command('tasks --store .agentcharter/tasks.db --json', { cwd: folder });
    return (JSON.parse(stdout) as { tasks: { taskId: string; state: string }[] }).tasks;
  };
  const remind = (order: string) =>
    call('shop_remind', { order }, { signal: new AbortController().signal, session: null, seat: null });
  return { clock, find, remind, states, close: gateway.close };
};

it('A task is concluded when its client has been idle for as long as the file says, and no earlier', async () => {
  const { clock, find, states } = await started();
  await find('o-1');
  await clock.advance(29 * minute);
  expect(await states()).toMatchObject([{ state: expect.not.stringContaining('settled') as string }]);
  await clock.advance(minute);
  await expect.poll(async () => (await states()).map(({ state }) => state)).toEqual(['completed.settled']);
});

it('A server that ended five times is started again a minute later', async () => {
  const { clock, find } = await started();
  for (let time = 0; time < 6; time += 1) await find('o-die');
  expect((await find('o-7')).text).toContain('server shop ended 5 times within a minute');
  await clock.advance(minute);
  expect(await find('o-7')).toMatchObject({ isError: false });
});

it('A gateway that is closed leaves no timer behind, and its tasks have the ids that it was given', async () => {
  const { clock, find, states, close } = await started();
  await find('o-1');
  expect(clock.sleeping()).toBeGreaterThan(0);
  await close();
  expect(clock.sleeping()).toBe(0);
  expect(await states()).toMatchObject([
    { taskId: expect.stringMatching(/^01936d5e-0000-7000-8000-/) as string },
  ]);
});

it('A policy that does not decide refuses the call alone, before the task would fail by it', async () => {
  let asked = 0;
  const decide: Policy['decide'] = ({ arguments: given }) => {
    asked += 1;
    return JSON.stringify(given).includes('o-hangs')
      ? new Promise(() => {})
      : { verdict: 'allow', reasons: ['fine'] };
  };
  const { clock, remind, states } = await started({ decide });
  await remind('o-1');
  const before = asked;
  const refused = remind('o-hangs');
  await expect.poll(() => asked).toBeGreaterThan(before);
  await clock.advance(6_000);
  expect(await refused).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('it did not decide within 5000 milliseconds') as string }],
  });
  expect(await remind('o-2')).not.toHaveProperty('isError');
  expect(await states()).toHaveLength(1);
});
