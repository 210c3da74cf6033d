import {
  callMachine,
  chartVersion,
  effectMachine,
  executionMachine,
  Fact,
  lateWriteMachine,
  questionMachine,
  taskMachine,
  TaskClassContract,
} from '../../../machines/index.ts';
import type { Charts } from './behaviour.ts';

/** The charts of this version. */
export const charts: Charts = {
  chartVersion,
  machines: [taskMachine, executionMachine, callMachine, effectMachine, questionMachine, lateWriteMachine],
  schemas: [Fact, TaskClassContract],
};
