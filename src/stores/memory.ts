import type { Store } from '../ports/store.ts';
import { memoryDatabase } from './memory/database.ts';

/**
 * A store that lasts as long as its process: for tests, and for trying things out.
 *
 * It is one connection: two orchestrators that share it are not told apart, so `own` refuses neither.
 */
export const memoryStore = (): Store => memoryDatabase().connect();
