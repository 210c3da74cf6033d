import type { Entry } from './entry.ts';
import { errors } from './errors.ts';
import { ids } from './ids.ts';
import { messages } from './messages.ts';
import { results } from './results.ts';
import { schemas } from './schemas.ts';

/** The corpus, in the order in which it is printed. */
export const corpus: readonly Entry[] = [...results, ...errors, ...schemas, ...messages, ...ids];
