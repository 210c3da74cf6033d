import { TaskState } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { OperationalState } from '../../../../schema/index.ts';
import { taskStateOf, type Circumstances } from '../../../../src/adapters/a2a/index.ts';
import { isOver, meaningOf } from '../../../../src/adapters/a2a/states.ts';

type Row = readonly [OperationalState, Circumstances, keyof typeof TaskState];
const rows: readonly Row[] = [
  ['submitted', { isNew: true }, 'TASK_STATE_SUBMITTED'],
  ['submitted', {}, 'TASK_STATE_WORKING'],
  ['waiting', {}, 'TASK_STATE_WORKING'],
  ['completed', {}, 'TASK_STATE_COMPLETED'],
  ['failed', {}, 'TASK_STATE_FAILED'],
  ['failed', { isRefused: true }, 'TASK_STATE_REJECTED'],
  ['cancelled', {}, 'TASK_STATE_CANCELED'],
  ['needsHumanDecision', {}, 'TASK_STATE_INPUT_REQUIRED'],
  ['needsHumanDecision', { needsToken: true }, 'TASK_STATE_AUTH_REQUIRED'],
  ['followup', {}, 'TASK_STATE_COMPLETED'],
];

it.each(rows)('maps %s with %o to %s [UpFormat Table 2, A2A 4.1.3]', (state, circumstances, wanted) => {
  expect(TaskState[taskStateOf(state, circumstances)]).toBe(wanted);
});

it('maps every operational state', () => {
  expect(new Set(rows.map(([state]) => state))).toEqual(new Set(OperationalState.options));
});

it('never maps a followup to input that is required', () => {
  const flags = [true, false];
  const states = flags.flatMap((isNew) =>
    flags.flatMap((isRefused) =>
      flags.map((needsToken) => taskStateOf('followup', { isNew, isRefused, needsToken })),
    ),
  );
  expect(new Set(states)).toEqual(new Set([TaskState.TASK_STATE_COMPLETED]));
});

it('reads every A2A state as working, asking or over', () => {
  const states = Object.values(TaskState).filter((state) => typeof state === 'number');
  expect(states).toHaveLength(10);
  expect(states.filter(isOver).map((state) => TaskState[state])).toEqual([
    'TASK_STATE_COMPLETED',
    'TASK_STATE_FAILED',
    'TASK_STATE_CANCELED',
    'TASK_STATE_REJECTED',
  ]);
  expect(states.filter((state) => meaningOf(state) === 'asks').map((state) => TaskState[state])).toEqual([
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_AUTH_REQUIRED',
  ]);
});
