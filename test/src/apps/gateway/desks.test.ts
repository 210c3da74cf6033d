import { expect, it, onTestFinished } from 'vitest';
import { defineTaskClass } from '../../../../src/index.ts';
import { createGuard } from '../../../../src/guard/index.ts';
import { randomIds, systemClock } from '../../../../src/core/shell/clock.ts';
import { openDesks } from '../../../../src/apps/gateway/desks.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';

it('A session without an open task is forgotten, and a client is not', async () => {
  const taskClasses = ['session', 'task'].map((id) => defineTaskClass({ id, tools: [] }));
  const guard = createGuard({ store: memoryStore(), taskClasses, tools: [] });
  onTestFinished(() => guard.close());
  const desks = await openDesks({
    guard,
    desk: { people: 'dana', answerAt: '', acceptWith: () => '' },
    owner: 'local',
    prefix: 'charter',
    limits: { calls: 10, idle: 30 },
    say: () => {},
    isShadow: false,
    clock: systemClock,
    ids: randomIds,
  });
  const of = (session: string | null) => desks.of({ client: 'desk', session });
  const sessions = [null, 'open', 'over'];
  const before = sessions.map(of);
  await of('open').begin('Find o-1.');
  await of('over').begin('Find o-2.');
  await of('over').conclude('There.', new AbortController().signal);
  await desks.sweep();
  expect(sessions.map((session, at) => of(session) === before[at])).toEqual([true, true, false]);
});
