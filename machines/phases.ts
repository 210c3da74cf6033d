import { interpretation, uaicp, upformat } from './spec.ts';
import {
  conclusions,
  declarations,
  mustStop,
  outOfCalls,
  outOfTurns,
  rejections,
  repairing,
  rollbacks,
  starts,
  takes,
  takesTurn,
  verifications,
} from './transitions.ts';
import { vocabulary } from './vocabulary.ts';

/**
 * The maximum number of microsteps for one fact. Beyond it XState throws: a faulty chart fails and does not loop
 * forever.
 */
export const maxIterations = 100;

/**
 * The execution phases of UAICP 3, and every way from one to the next.
 *
 * `deliver` has one way in. At each gate, the last branch has no guard and leads to `undoing.stop`, which runs the
 * rollbacks and then leads to `fail_safe`. So everything that is not permitted fails safe. `undoing` is no phase of
 * UAICP: it is next to the phases, and has no envelope.
 */
export const phases = vocabulary.createStateConfig({
  initial: 'intake',
  states: {
    intake: {
      entry: { type: 'enter', params: { of: 'intake' } },
      always: mustStop,
      meta: { ...uaicp('3 states'), owes: ['accept', 'wake'] },
      on: {
        'request.accepted': { target: 'plan', actions: 'applyFact', meta: uaicp('3 states') },
        'request.refused': { actions: 'applyFact', meta: uaicp('5.3') },
        ...takes('information.requested'),
        'deadline.passed': { guard: 'isAcceptOverdue', actions: 'applyFact', meta: interpretation('0004') },
      },
    },

    plan: {
      id: 'plan',
      entry: { type: 'enter', params: { of: 'plan' } },
      always: [...outOfTurns, mustStop],
      meta: uaicp('3 states'),
      on: { ...takesTurn('plan.proposed', 'information.requested'), ...declarations },
      initial: 'proposing',
      states: {
        proposing: {
          meta: { ...uaicp('3 flow'), owes: ['propose', 'wake'] },
          always: { guard: 'hasPlan', target: 'assessing', meta: upformat('2.3') },
          on: rejections,
        },
        correcting: {
          meta: { ...upformat('2.3'), owes: ['correct', 'wake'] },
          always: { guard: 'hasPlan', target: 'assessing', meta: upformat('2.3') },
          on: takesTurn('output.rejected'),
        },
        assessing: {
          meta: upformat('2.3'),
          always: [
            mustStop,
            { guard: 'mayExecute', target: '#execute', meta: upformat('2.3') },
            { guard: 'mustAsk', target: 'asking', actions: 'ask', meta: upformat('2.3') },
            {
              target: '#stop',
              actions: { type: 'fail', params: { gate: 'execute' } },
              meta: uaicp('4.1'),
            },
          ],
        },
        asking: {
          meta: upformat('Table 3'),
          always: { guard: 'isAnswered', target: 'assessing', meta: upformat('Table 3') },
        },
      },
    },

    execute: {
      id: 'execute',
      entry: { type: 'enter', params: { of: 'execute' } },
      always: mustStop,
      meta: uaicp('3 states'),
      initial: 'dispatching',
      states: {
        dispatching: {
          meta: uaicp('3 flow'),
          always: [
            mustStop,
            { guard: 'asks', target: 'asking', meta: interpretation('0081') },
            { guard: 'mustAssess', target: 'assessing', meta: upformat('2.3') },
            { guard: 'mustUndoWrites', target: '#replace', meta: interpretation('0007') },
            {
              guard: 'hasStuckWrites',
              target: '#stop',
              actions: { type: 'fail', params: { gate: 'write' } },
              meta: interpretation('0007'),
            },
            { guard: 'owesCalls', target: 'calling', meta: uaicp('4.2') },
            { guard: 'isInDoubt', target: 'asking', actions: 'ask', meta: interpretation('0005') },
            { guard: 'mayRefresh', target: 'calling', actions: 'refresh', meta: interpretation('0008') },
            { guard: 'mayMendCalls', ...repairing('write', 'execute') },
            { guard: 'mayMend', ...repairing('write', 'plan') },
            {
              guard: 'isBroken',
              target: '#stop',
              actions: { type: 'fail', params: { gate: 'write' } },
              meta: uaicp('4.1'),
            },
            { guard: 'owesChecks', target: 'checking', meta: uaicp('7') },
            { guard: 'owesPolicy', target: 'authorizing', meta: uaicp('5.3') },
            { guard: 'mustAsk', target: 'asking', actions: 'ask', meta: uaicp('5.3') },
            { guard: 'mayWrite', target: 'calling', meta: uaicp('5.3') },
            { guard: 'hasConcluded', target: '#verify', meta: uaicp('3 flow') },
            { guard: 'hasNoWrites', target: 'concluding', meta: uaicp('3 flow') },
            { target: '#stop', actions: { type: 'fail', params: { gate: 'write' } }, meta: uaicp('4.1') },
          ],
        },
        assessing: {
          meta: upformat('2.3'),
          always: [
            { guard: 'mayExecute', target: 'dispatching', actions: 'extend', meta: upformat('2.3') },
            { guard: 'mustAsk', target: 'asking', actions: 'ask', meta: upformat('2.3') },
            {
              target: '#stop',
              actions: { type: 'fail', params: { gate: 'execute' } },
              meta: uaicp('4.1'),
            },
          ],
        },
        calling: {
          meta: { ...uaicp('3 flow'), owes: ['call', 'observe', 'await', 'wake'] },
          always: [...outOfCalls, { guard: 'isIdle', target: 'dispatching', meta: uaicp('4.2') }],
          on: starts,
        },
        checking: {
          meta: { ...uaicp('7'), owes: ['verify', 'wake'] },
          always: { guard: 'isChecked', target: 'dispatching', meta: uaicp('5.2') },
          on: verifications,
        },
        authorizing: {
          meta: { ...uaicp('5.3'), owes: ['decide', 'wake'] },
          always: { guard: 'isDecided', target: 'dispatching', meta: uaicp('5.3') },
          on: {
            ...takes('policy.decided'),
            'deadline.passed': {
              guard: 'isPolicyOverdue',
              actions: 'applyFact',
              meta: interpretation('0004'),
            },
          },
        },
        asking: {
          meta: upformat('Table 3'),
          always: { guard: 'isAnswered', target: 'dispatching', meta: upformat('Table 3') },
        },
        concluding: {
          meta: { ...uaicp('3 flow'), owes: ['conclude', 'wake'] },
          always: [{ guard: 'hasDraft', target: 'dispatching', meta: uaicp('3 flow') }, ...outOfTurns],
          on: {
            ...conclusions,
            ...rejections,
            ...declarations,
          },
        },
        correcting: {
          meta: { ...upformat('2.3'), owes: ['correct', 'wake'] },
          always: [{ guard: 'hasDraft', target: 'dispatching', meta: upformat('2.3') }, ...outOfTurns],
          on: {
            ...conclusions,
            ...takesTurn('output.rejected'),
            ...declarations,
          },
        },
      },
    },

    verify: {
      id: 'verify',
      entry: { type: 'enter', params: { of: 'verify' } },
      always: mustStop,
      meta: uaicp('3 states'),
      initial: 'verifying',
      states: {
        verifying: {
          meta: { ...uaicp('5.2'), owes: ['verify', 'wake'] },
          always: { guard: 'isReported', target: 'judging', meta: uaicp('3 flow') },
          on: verifications,
        },
        judging: {
          meta: uaicp('4.1'),
          always: [
            { guard: 'mayDeliver', target: '#deliver', meta: uaicp('4.1') },
            { guard: 'mustAsk', target: '#execute', meta: upformat('2.3') },
            { guard: 'mayRepairCalls', ...repairing('deliver', 'execute') },
            { guard: 'mayRepair', ...repairing('deliver', 'plan') },
            {
              target: '#stop',
              actions: { type: 'fail', params: { gate: 'deliver' } },
              meta: uaicp('4.1'),
            },
          ],
        },
      },
    },

    undoing: {
      initial: 'stop',
      tags: 'undoing',
      meta: uaicp('5.3'),
      states: {
        stop: {
          id: 'stop',
          entry: 'stop',
          meta: { ...uaicp('5.3'), owes: ['observe', 'await', 'undo', 'wake'] },
          always: { guard: 'isUndone', target: '#fail_safe', meta: uaicp('7') },
          on: rollbacks,
        },
        replace: {
          id: 'replace',
          meta: { ...interpretation('0007'), owes: ['observe', 'await', 'undo', 'wake'] },
          always: [mustStop, { guard: 'isUndone', target: '#execute', meta: interpretation('0007') }],
          on: rollbacks,
        },
      },
    },

    deliver: {
      id: 'deliver',
      type: 'final',
      entry: [{ type: 'enter', params: { of: 'deliver' } }, 'deliver'],
      meta: uaicp('4.1'),
    },
    fail_safe: {
      id: 'fail_safe',
      type: 'final',
      entry: [{ type: 'enter', params: { of: 'fail_safe' } }, 'failSafe'],
      meta: uaicp('7'),
    },
  },
});
