import { begin } from './context.ts';
import { maxIterations, phases } from './phases.ts';
import { besides, starts, worldFacts } from './transitions.ts';
import { vocabulary } from './vocabulary.ts';
import { interpretation, upformat } from './spec.ts';
import { chartVersion } from './version.ts';

/**
 * The chart of a task: UpFormat's operational states (Table 2), with UAICP's phases nested in `submitted`.
 *
 * The context determines the outer state. An outcome has precedence over an open question, and a question over an
 * outstanding dependency.
 */
export const taskMachine = vocabulary.createMachine({
  ...worldFacts,
  id: 'task',
  version: chartVersion,
  options: { maxIterations },
  context: ({ input }) => begin(input),
  output: ({ context: { outcome, reasons } }) => ({ outcome, reasons }),
  initial: 'submitted',
  states: {
    submitted: {
      ...phases,
      entry: { type: 'enter', params: { of: 'submitted' } },
      meta: upformat('Table 2'),
      states: {
        ...phases.states,
        resume: { type: 'history', history: 'deep', target: 'undoing.stop', meta: interpretation('0009') },
      },
      always: [
        { guard: 'isDelivered', target: 'completed', meta: upformat('Table 3') },
        { guard: 'isCancelled', target: 'cancelled', meta: upformat('Table 2') },
        { guard: 'isFailed', target: 'failed', meta: upformat('Table 2') },
        { guard: 'asks', target: 'needsHumanDecision', meta: upformat('Table 3') },
        { guard: 'awaits', target: 'waiting', meta: upformat('Table 3') },
      ],
    },

    waiting: {
      entry: { type: 'enter', params: { of: 'waiting' } },
      meta: { ...upformat('Table 2'), owes: ['await', 'observe', 'wake'] },
      always: [
        { guard: 'asks', target: 'needsHumanDecision', meta: interpretation('0009') },
        { guard: 'isMet', target: 'submitted.resume', meta: upformat('Table 2') },
      ],
    },

    needsHumanDecision: {
      entry: { type: 'enter', params: { of: 'needsHumanDecision' } },
      meta: { ...upformat('Table 2'), owes: ['ask', 'call', 'decide', 'verify', 'await', 'observe', 'wake'] },
      always: [
        { guard: 'asksMore', actions: 'ask', meta: interpretation('0089') },
        { guard: 'isAnswered', target: 'submitted.resume', meta: upformat('Table 3') },
      ],
      on: {
        ...starts,
        ...besides,
        'human.responded': [
          {
            guard: 'asksForAnotherPlan',
            target: '#plan',
            actions: 'revise',
            meta: interpretation('0006'),
          },
          { guard: 'appliesTo', actions: 'applyFact', meta: upformat('Table 3') },
        ],
      },
    },

    completed: {
      id: 'completed',
      entry: { type: 'enter', params: { of: 'completed' } },
      meta: upformat('Table 2'),
      initial: 'offering',
      states: {
        offering: {
          meta: { ...upformat('Table 3'), owes: ['offer', 'wake'] },
          always: { guard: 'offersNothing', target: 'settled', meta: upformat('Table 2') },
          on: {
            'followup.offered': { target: '#followup', actions: 'applyFact', meta: upformat('Table 3') },
            'deadline.passed': {
              guard: 'isOfferOverdue',
              target: 'settled',
              actions: 'applyFact',
              meta: interpretation('0010'),
            },
            'task.cancelled': { target: 'settled', actions: 'withdraw', meta: interpretation('0010') },
          },
        },
        settled: { type: 'final', tags: 'settled', meta: upformat('Table 2') },
      },
    },

    followup: {
      id: 'followup',
      entry: { type: 'enter', params: { of: 'followup' } },
      meta: { ...upformat('Table 2'), owes: ['refine', 'wake'] },
      on: {
        'human.responded': [
          {
            guard: 'isChoice',
            target: 'completed',
            actions: 'choose',
            meta: interpretation('0010'),
          },
          { guard: 'isRemark', actions: 'applyFact', meta: interpretation('0010') },
        ],
        'deadline.passed': {
          guard: 'isFollowupOverdue',
          target: 'completed',
          actions: 'applyFact',
          meta: upformat('3.1'),
        },
        'task.cancelled': { target: 'completed', actions: 'withdraw', meta: interpretation('0010') },
        'changes.requested': {
          guard: 'appliesTo',
          target: 'submitted',
          actions: 'applyFact',
          meta: upformat('Table 3'),
        },
      },
    },

    failed: {
      type: 'final',
      tags: 'settled',
      entry: { type: 'enter', params: { of: 'failed' } },
      meta: upformat('Table 2'),
    },
    cancelled: {
      type: 'final',
      tags: 'settled',
      entry: { type: 'enter', params: { of: 'cancelled' } },
      meta: upformat('Table 2'),
    },
  },
});
