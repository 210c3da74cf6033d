import type { Fault } from '../faulted.ts';

/** Defects in the chart, the gates and what people are asked. */
export const talkFaults: readonly Fault[] = [];
