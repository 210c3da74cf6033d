import type { Fault } from '../faulted.ts';
import { effectFaults } from './effects.ts';
import { talkFaults } from './talks.ts';

/** Defects of the library, most of them mended ones, each planted alone. */
export const faults: readonly Fault[] = [...effectFaults, ...talkFaults];
