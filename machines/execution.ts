import { interpretation } from './spec.ts';
import { chartVersion } from './version.ts';
import { begin } from './context.ts';
import { maxIterations, phases } from './phases.ts';
import { worldFacts } from './transitions.ts';
import { vocabulary } from './vocabulary.ts';

/** UAICP's execution phases alone: nobody is there to ask, so an open question fails safe (UAICP 3, 7). */
export const executionMachine = vocabulary.createMachine({
  ...phases,
  ...worldFacts,
  id: 'execution',
  version: chartVersion,
  options: { maxIterations },
  context: ({ input }) => begin(input),
  always: { guard: 'asks', actions: 'failUnanswered', meta: interpretation('0002') },
  output: ({ context: { outcome, reasons } }) => ({ outcome, reasons }),
});
