import { sqliteStore } from '../../../src/stores/sqlite.ts';
import { storeContract } from './contract.ts';
import { locksStore } from './contract/holds.ts';
import { hasNoAttempts } from './contract/workload.ts';
import { newFile } from './folder.ts';

storeContract(
  'in SQLite',
  () => {
    const file = newFile();
    return { connect: () => sqliteStore(file, { poll: 50 }) };
  },
  [locksStore, hasNoAttempts],
);
