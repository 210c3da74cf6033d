import { command, configFlag, jsonFlag, storeFlag } from '../command.ts';
import { good } from '../printer.ts';
import { asGuest } from '../stored.ts';

export const cancel = command({
  name: 'cancel',
  description: 'Cancels a task. The process that owns the store undoes what the task wrote.',
  details: 'It needs --config, because the task classes there decide what a cancellation means.',
  args: { task: { description: 'the id of the task' } },
  flags: {
    as: { description: 'the person who cancels', value: 'IDENTITY', isRequired: true },
    config: { ...configFlag, isRequired: true },
    store: storeFlag,
    json: jsonFlag,
  },
  example: 'cancel 01936d5e-0000-7000-8000-000000000002 --as dana --config charter.js --store tasks.db',
  run: ({ flags: { as, config, store, json }, args: { task } }, terminal) =>
    asGuest({ config, store }, terminal, async (guest) => {
      await guest.cancel(task, { by: as });
      const { state } = await guest.task(task);
      if (json) await terminal.out.json({ taskId: task, state, by: as });
      else await terminal.out.line(good('taken'), `: ${task} is cancelled by ${as}, and is ${state}`);
      return 0;
    }),
});
