import type { Delivered, Ended } from '../../guard/outcome.ts';
import type { Progress } from '../../orchestrator/progress.ts';

/** How a run ended, where it has. */
export const overIn = ({ outcome, draft, isSettled, state, reasons }: Progress): Delivered | Ended | null => {
  if (outcome === 'success') return { status: 'delivered', payload: draft ?? {} };
  return isSettled ? { status: 'ended', state, reasons } : null;
};
