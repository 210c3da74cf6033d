import { once } from 'node:events';
import { command, storeFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { asGuest } from '../stored.ts';

export const inspect = command({
  name: 'inspect',
  says: 'Shows the tasks of a store in the Stately inspector, until it is interrupted; prints the address to open.',
  more: 'What is shown goes to a page from the network, in your browser; with --offline to our own page alone.',
  args: {},
  flags: {
    store: { ...storeFlag, isRequired: true },
    offline: { says: 'only our own page' },
    port: { says: 'the port; 0 for one that is free', value: 'N', default: '0' },
  },
  example: 'inspect --store tasks.db --offline',
  run: ({ flags: { store, offline, port } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      const { createInspector } = await import('../../inspect/index.ts');
      await using inspector = await createInspector({
        port: countOf('port', port),
        ...(offline && { viewer: null }),
      });
      const interrupted = terminal.interrupted();
      await inspector.watch(guest);
      await terminal.out.line(inspector.url);
      if (!interrupted.aborted) await once(interrupted, 'abort');
      return 0;
    }),
});
