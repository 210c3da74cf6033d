import { expect, it } from 'vitest';
import { environmentOf } from '../../../../src/core/shell/options.ts';
import { Task } from '../../../../src/core/shell/task.ts';
import { scene } from './scene.ts';
import { draft, plan } from './scripted.ts';

it.each([
  [false, ['record', 'settled']],
  [true, []],
])(
  'What another process recorded is told by a copy of a task, unless it was left: %s',
  async (isLeft, told) => {
    const { submit, store, answer, ended } = scene({ model: [plan([], { confidence: 0.1 }), draft()] });
    const taskId = await submit();
    const [asked] = await store.all();
    const heard: string[] = [];
    const options = { taskClasses: [], model: { answer: async () => ({}) } };
    const work = { id: 'work', tools: [], contract: asked!.records[0]!.brought.contract };
    const environment = {
      ...environmentOf(options, (event) => heard.push(event)),
      store: { ...store, lease: 1_000 },
      isOwner: false,
      taskClassOf: () => work,
    };
    const copy = await Task.from(asked!, environment as never);
    if (isLeft) copy.leave();
    await answer('approve');
    await ended(taskId);
    await copy.refresh();
    expect(copy.view.isSettled).toBe(true);
    expect([...new Set(heard)].filter((event) => event === 'record' || event === 'settled')).toEqual(told);
    await copy.close();
  },
);
