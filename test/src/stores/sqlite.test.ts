import { sqliteStore } from '../../../src/stores/sqlite.ts';
import { storeContract } from './contract.ts';
import { locksStore } from './contract/holds.ts';
import { hasNoAttempts } from './contract/workload.ts';
import { both } from './codec/places.ts';
import { newFile } from './folder.ts';

for (const [name, options] of [
  ['in SQLite', {}],
  ['in SQLite, with a codec', { codec: both }],
] as const)
  storeContract(name, () => {
    const file = newFile();
    return { connect: () => sqliteStore(file, { poll: 50, ...options }) };
  }, [locksStore, hasNoAttempts]);
