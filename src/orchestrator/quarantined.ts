import type { Tool } from '../ports/tool.ts';
import { isUndoneByLedger } from './view.ts';

/** Returns whether a call of an earlier holder must be over before it is resumed. One that may be repeated need not be. */
export const isCallQuarantined = (tool: Tool | undefined): boolean =>
  tool?.doubt !== 'idempotent' && tool?.child === undefined;

/** Returns whether a rollback of an earlier holder must be over before it is resumed. */
export const isRollbackQuarantined = (tool: Tool | undefined): boolean =>
  tool?.rollback?.doubt !== 'idempotent' && !isUndoneByLedger(tool);
