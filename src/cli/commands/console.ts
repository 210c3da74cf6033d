import { once } from 'node:events';
import { command, configFlag, storeFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { asGuest } from '../stored.ts';
import { usage } from '../stop.ts';

export const consoleCommand = command({
  name: 'console',
  says: 'Serves the console of a store on this machine, until it is interrupted; prints the address that opens it.',
  more: 'Without --as it is read-only. To answer, it needs the --config of the host beside it.',
  args: {},
  flags: {
    store: storeFlag,
    config: configFlag,
    as: { says: 'who answers there', value: 'IDENTITY' },
    port: { says: 'the port; 0 for one that is free', value: 'N', default: '0' },
  },
  example: 'console --store tasks.db',
  run: ({ flags: { store, config, as, port } }, terminal) =>
    asGuest({ store, config }, terminal, async (guest) => {
      if (as !== undefined && config === undefined)
        throw usage('--as: expected the --config of the host as well');
      const { createConsole } = await import('../../console/index.ts');
      await using console = createConsole(guest, { identity: () => as ?? null });
      const interrupted = terminal.interrupted();
      await terminal.out.line(await console.listen(countOf('port', port)));
      if (!interrupted.aborted) await once(interrupted, 'abort');
      return 0;
    }),
});
