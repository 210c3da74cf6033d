import { interpretation } from './spec.ts';
import { chartVersion } from './version.ts';
import { begin } from './context.ts';
import { maxIterations, phases } from './phases.ts';
import { worldFacts } from './transitions.ts';
import { vocabulary } from './vocabulary.ts';

/**
 * The chart of UAICP's execution phases alone (UAICP 3, 7). It cannot ask a person: an open question leads to
 * `fail_safe`.
 */
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
