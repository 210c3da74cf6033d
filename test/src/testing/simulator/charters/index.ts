import { basic } from './basic.ts';
import { effects } from './effects.ts';
import { talks } from './talks.ts';

/** Charters whose parts are sound, and what is around each in its orders. */
export const charters = { ...basic, ...effects, ...talks } as const;
