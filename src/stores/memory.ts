import type { Store } from '../base/ports/store.ts';
import { memoryDatabase } from './memory/database.ts';

export { memoryBlobs } from './memory/blobs.ts';

/**
 * Creates a store that lasts as long as its process, for tests and experiments.
 *
 * It is one connection: `take` cannot tell two orchestrators on it apart and refuses neither.
 */
export const memoryStore = (): Store => memoryDatabase().connect();
