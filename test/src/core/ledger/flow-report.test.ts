import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFlowReport, type FlowUses } from '../../../../src/core/ledger/index.ts';
import { call, readTool, writeTool } from '../shell/scripted.ts';
import { runs } from '../../base/canonical/generated.ts';
import { flowing, ledgersOf, named, pays } from './flowing.ts';

const reported = async (...given: Parameters<typeof ledgersOf>): Promise<FlowUses> => {
  const report = createFlowReport();
  for (const records of await ledgersOf(...given)) report.add(records);
  return report.uses();
};

const paysTo = (...accounts: readonly string[]) => accounts.map((to) => [call('pay', { to })]);
const hidden = (pointer: string) => ({ $from: 'mail.read#1', pointer });
const counts = { calls: 0, held: 0, approved: 0, rejected: 0, edited: 0, unanswered: 0 };
const nowhere = 'expected a value from request; it was found nowhere in this run';
const to = { tool: 'pay', pattern: '/to', ...counts };

describe('The report on flows', () => {
  it('says of a flow that every call met that it never held one', async () => {
    expect(await reported(paysTo(named, named, named))).toEqual({
      tasks: 3,
      erased: 0,
      flows: [{ ...to, calls: 3, verdict: 'never_held', why: null }],
    });
  });

  it('says of a flow that no call met that it always holds, and why', async () => {
    const lookUp = readTool('look_up', { call: () => ({ name: 'Ada' }) }); // does not repeat the account
    const calls = [call('look_up'), call('pay', { to: 'reject-17' })];
    const tools = [lookUp, pays({ '/to': { from: ['look_up'] } })];
    expect((await reported([calls, calls], { tools })).flows).toEqual([
      {
        ...to,
        calls: 2,
        held: 2,
        rejected: 2,
        verdict: 'always_held',
        why: 'expected a value from look_up; it was found nowhere in this run',
      },
    ]);
  });

  it('says of a flow that asked for nothing that it was approved each time', async () => {
    expect((await reported(paysTo('approve-1', named, 'approve-2'))).flows).toEqual([
      { ...to, calls: 3, held: 2, approved: 2, verdict: 'approved_each_time', why: nowhere },
    ]);
  });

  it('counts each answer of a person, and the calls that no person answered', async () => {
    const { flows } = await reported(
      paysTo('approve-1', 'reject-2', 'edit-3', 'instruction-4', 'open-5', named),
    );
    expect(flows).toEqual([
      {
        ...to,
        calls: 7, // what an edit makes of a call is another call
        held: 5,
        approved: 1,
        rejected: 1,
        edited: 2,
        unanswered: 1,
        verdict: 'sometimes_held',
        why: nowhere,
      },
    ]);
  });

  it('counts a refused call as unanswered', async () => {
    expect((await reported(paysTo('open-1'), { taskClass: { flows: 'refuse' } })).flows).toEqual([
      { ...to, calls: 1, held: 1, unanswered: 1, verdict: 'always_held', why: nowhere },
    ]);
  });

  it('counts a call as unanswered whose question expired', async () => {
    const taskClass = { deadlines: { question: 100 } };
    expect((await reported(paysTo('late-1'), { taskClass })).flows).toMatchObject([
      { held: 1, approved: 0, unanswered: 1 },
    ]);
  });

  it('counts a call once that is proposed again', async () => {
    const twice = [[call('pay', { to: 'approve-1' }), call('pay', { to: 'approve-1' })]];
    expect((await reported(twice)).flows).toMatchObject([{ calls: 1, held: 1, approved: 1 }]);
  });

  it('counts a flow of several conditions once, with the reasons of all', async () => {
    const flows = { '/to': [{ from: ['request'] }, { from: ['look_up'] }] };
    const tools = [readTool('look_up'), pays(flows)];
    expect((await reported(paysTo('approve-1', named), { tools })).flows).toEqual([
      {
        ...to,
        calls: 2,
        held: 1,
        approved: 1,
        verdict: 'approved_each_time',
        why: `${nowhere}; or expected a value from look_up; it was found nowhere in this run`,
      },
    ]);
  });

  it('tells patterns apart, and counts a pattern once a call', async () => {
    const flows = {
      '/to/*': { from: ['request'] },
      '/by': { from: ['request'] },
      '/cc': { from: ['request'] },
    };
    const calls = [
      [call('pay', { to: ['reject-1', named, 'reject-2'], by: named })],
      [call('pay', { to: [] })],
    ];
    expect((await reported(calls, { tools: [pays(flows)] })).flows).toEqual([
      { ...to, pattern: '/by', calls: 1, verdict: 'never_held', why: null },
      { ...to, pattern: '/cc', verdict: 'never_checked', why: null },
      { ...to, pattern: '/to/*', calls: 1, held: 1, rejected: 1, verdict: 'always_held', why: nowhere },
    ]);
  });

  it('blames the flow that held a hidden value, and not its neighbour', async () => {
    const secret = readTool('mail.read', {
      isHidden: true,
      call: () => ({ a: 'approve-17', b: 'other-18' }),
    });
    const note = writeTool('note', {
      flows: { '/*/a': { from: ['request'] }, '/*/b': { from: ['mail.read'] } },
    });
    const later = [call('note', { to: { a: hidden('/a'), b: hidden('/b') } })];
    expect((await reported([[call('mail.read')]], { tools: [secret, note], later })).flows).toMatchObject([
      { pattern: '/*/a', calls: 1, held: 1, why: 'expected a value from request; it was found in mail.read' },
      { pattern: '/*/b', calls: 1, held: 0 },
    ]);
  });

  it('names a source once, without its number and its place', async () => {
    const mail = readTool('mail.read', {
      call: () => ({ from: 'approve-17', text: 'Pay approve-17 today.' }),
    });
    const later = [call('pay', { to: 'approve-17' })];
    const { flows } = await reported([[call('mail.read')]], { tools: [mail, pays()], later });
    expect(flows[0]?.why).toBe('expected a value from request; it was found in mail.read');
  });

  it('takes the recorded reasons of another version, by the argument that they name', async () => {
    const [ledger = []] = await ledgersOf(paysTo('approve-1'));
    const report = createFlowReport();
    const text = JSON.stringify(ledger).replaceAll('it was found nowhere', 'it was not there');
    report.add(JSON.parse(text) as typeof ledger);
    expect(report.uses().flows).toMatchObject([
      { held: 1, approved: 1, why: 'expected a value from request; it was not there in this run' },
    ]);
  });

  it('says how many calls were erased, and counts the others', async () => {
    const { orchestrator, taskIds } = await flowing(paysTo('approve-1', 'approve-2'));
    const [first = '', second = ''] = taskIds;
    const proposal = (await orchestrator.ledger(first)).find(({ brought }) => brought.calls !== undefined);
    await orchestrator.erase(first, proposal?.documents.calls ?? '', { by: 'dana' });
    const report = createFlowReport();
    for (const taskId of [first, second]) report.add(await orchestrator.ledger(taskId));
    await orchestrator.close();
    expect(report.uses()).toMatchObject({ tasks: 2, erased: 1, flows: [{ calls: 1, held: 1, approved: 1 }] });
  });

  it('is empty without ledgers, and frozen', () => {
    const uses = createFlowReport().uses();
    expect(uses).toEqual({ tasks: 0, erased: 0, flows: [] });
    expect(Object.isFrozen(uses) && Object.isFrozen(uses.flows)).toBe(true);
  });

  it('adds up: what was held and what was met are all calls, whatever is answered', async () => {
    const answer = fc.constantFrom('met', 'approve', 'reject', 'edit', 'open', 'none');
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 6 }), async (answers) => {
        const number = (...those: readonly string[]) => answers.filter((one) => those.includes(one)).length;
        const tasks = answers.map((one, at) =>
          one === 'none' ? [] : [call('pay', { to: one === 'met' ? named : `${one}-${at}` })],
        );
        const { tasks: added, flows } = await reported(tasks);
        const [flow = counts] = flows;
        const held = number('approve', 'reject', 'edit', 'open');
        expect(added).toBe(answers.length);
        expect(flow).toMatchObject({
          calls: held + number('met', 'edit'), // the edited call is met
          held,
          approved: number('approve'),
          rejected: number('reject'),
          edited: number('edit'),
          unanswered: number('open'),
        });
      }),
      runs(20),
    );
  });
});
