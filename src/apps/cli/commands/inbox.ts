import { command, jsonFlag, storeFlag } from '../command.ts';
import { pageFlags, printPages } from '../pages.ts';
import { printQuestion } from '../question.ts';
import { usage } from '../stop.ts';
import { asGuest } from '../stored.ts';

export const inbox = command({
  name: 'inbox',
  description: 'Lists the open questions, with the consequence of each answer.',
  args: { task: { description: 'only questions of this task and its nested tasks', isOptional: true } },
  flags: { store: { ...storeFlag, isRequired: true }, ...pageFlags, json: jsonFlag },
  example: 'inbox --store tasks.db',
  run: ({ flags: { store, ...paging }, args: { task } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      if (task !== undefined && (await guest.list({ taskId: task })).length === 0)
        throw usage(`${task}: ${store} has no such task`);
      await printPages(paging, terminal, {
        name: 'questions',
        read: (page) => guest.inbox({ ...page, ...(task !== undefined && { within: task }) }),
        print: async (question, at) => {
          if (at > 0) await terminal.out.line();
          await printQuestion(question, terminal.out);
        },
      });
      return 0;
    }),
});
