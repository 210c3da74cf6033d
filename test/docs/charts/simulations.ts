import type { Simulation } from 'agentcharter/render';
import type { AnyStateMachine } from 'xstate';
import { callMachine, executionMachine, taskMachine } from '../../../machines/index.ts';
import { sampleSimulation } from '../../../src/testing/charter/simulation.ts';
import { once } from '../../machines/once.ts';

/** A call that has not begun: by clicks alone, a denial refuses it. */
const call: Simulation = {
  facts: { mayHaveHappened: false },
  changes: {
    set: {
      by: 'params',
      of: {
        '{"underWay":true}': { mayHaveHappened: true },
        '{"underWay":false}': { mayHaveHappened: false },
      },
    },
  },
};

/** Samples of a chart that decides by itself. */
export const sampledOf = once(sampleSimulation);

/** Returns the simulation in the file of a chart, if it has one. */
export const simulationOf = (machine: AnyStateMachine): Simulation | undefined => {
  if (machine === taskMachine || machine === executionMachine) return sampledOf(machine).simulation;
  return machine === callMachine ? call : undefined;
};
