import { describe, expect, it } from 'vitest';
import { scene } from '../scene.ts';
import { call, draft, plan, readTool, writeTool } from '../scripted.ts';

const breaks = (): never => {
  throw new Error('no');
};

const odd: readonly (readonly [string, unknown])[] = [
  ['a function', () => 1],
  [
    'a getter',
    {
      get value() {
        return 1;
      },
    },
  ],
  ['a proxy', new Proxy({}, { ownKeys: breaks })],
  ['a date', new Date(0)],
  ['a big integer', 1n],
  ['NaN', NaN],
  ['__proto__', JSON.parse('{"__proto__": 1}')],
  ['a map', new Map()],
];

describe('a result that is not JSON', () => {
  it.each([
    ['read', readTool],
    ['write', writeTool],
  ])('is kept as JSON, with what could not be kept in its place: a %s', async (_, toolOf) => {
    for (const [name, result] of odd) {
      const one = scene({
        model: [plan([call('odd')]), draft()],
        tools: [toolOf('odd', { call: () => ({ serial: 7, held: result }) })],
      });
      const taskId = await one.submit();
      expect(await one.ended(taskId), name).toMatchObject({ outcome: 'success' });
      expect(await one.facts(taskId)).not.toContain('call.doubted');
      const { evidence } = await one.orchestrator.task(taskId);
      expect(evidence[0]?.payload).toMatchObject({ serial: 7 });
      const isLost = !['a function', 'a getter', 'a date'].includes(name);
      const errors = one.takeErrors();
      expect(errors, name).toHaveLength(isLost ? 1 : 0);
      if (isLost) expect(errors).toMatchObject([{ code: 'value_not_json' }]);
    }
  });

  it('of a read is no error where it cannot be read whether it is one', async () => {
    const thrown = {
      n: 7,
      get isError() {
        throw 5;
      },
    };
    const one = scene({
      model: [plan([call('odd')]), draft()],
      tools: [readTool('odd', { call: () => thrown })],
    });
    const taskId = await one.submit();
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect((await one.orchestrator.task(taskId)).evidence[0]?.payload).toMatchObject({ n: 7 });
    expect(one.takeErrors()).toMatchObject([{ code: 'value_not_json' }]);
  });

  it('is never undone while a person is asked whether the write happened', async () => {
    const one = scene({
      model: [plan([call('odd')]), draft()],
      tools: [writeTool('odd', { doubt: 'idempotent', call: () => ({ isError: true }) })],
    });
    const taskId = await one.submit();
    expect(await one.question()).toMatchObject({ question: { kind: 'doubt' } });
    expect(one.undone).toEqual([]);
    await one.answer('edit', { value: 'done' });
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(one.undone).toEqual([]);
  });

  it('is null when the tool returns undefined', async () => {
    const one = scene({
      model: [plan([call('quiet')]), draft()],
      tools: [readTool('quiet', { call: () => undefined })],
    });
    const taskId = await one.submit();
    await one.ended(taskId);
    const [evidence] = (await one.orchestrator.documents(taskId)).filter(
      ({ name }) => name === 'EvidenceObject',
    );
    expect(evidence?.document).toMatchObject({ payload: null, source: 'quiet' });
  });
});
