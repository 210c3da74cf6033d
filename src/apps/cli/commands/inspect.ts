import { once } from 'node:events';
import { command, storeFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { asGuest } from '../stored.ts';

export const inspect = command({
  name: 'inspect',
  description:
    'Shows the tasks of a store in the Stately inspector until you interrupt it. Prints the URL to open.',
  details:
    'By default, your browser loads the inspector from stately.ai, and that page gets the data. --offline uses a local page.',
  args: {},
  flags: {
    store: { ...storeFlag, isRequired: true },
    offline: { description: 'use only the local page' },
    port: { description: 'the port; 0 for a free one', value: 'N', default: '0' },
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
