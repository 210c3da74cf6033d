import { interpretation, uaicp, upformat } from './spec.ts';
import { vocabulary } from './vocabulary.ts';

/** What a model may say instead of what it was asked for (UpFormat 2.3); silence stops the run. */
const declarations = {
  'help.requested': { guard: 'concernsRun', actions: 'record', meta: upformat('2.3') },
  'capability.exceeded': { actions: 'record', meta: upformat('2.3') },
  'deadline.passed': { guard: 'isModelOverdue', actions: 'record', meta: interpretation('0004') },
} as const;

/** What a model may propose once the calls are done: a draft, or further calls. */
const conclusions = {
  'draft.proposed': { guard: 'concernsRun', actions: 'record', meta: uaicp('3 flow') },
  'calls.proposed': {
    guard: 'concernsRun',
    target: 'dispatching',
    actions: 'record',
    meta: interpretation('0003'),
  },
} as const;

/** Facts that may arrive whatever the run is doing; they belong to the root of both machines. */
export const worldFacts = vocabulary.createStateConfig({
  on: {
    'approval.granted': { guard: 'concernsRun', actions: 'record', meta: uaicp('5.3') },
    'call.succeeded': { guard: 'concernsRun', actions: 'record', meta: uaicp('3 flow') },
    'call.failed': { guard: 'concernsRun', actions: 'record', meta: uaicp('3 flow') },
    'call.doubted': { guard: 'concernsRun', actions: 'record', meta: interpretation('0005') },
    'call.refused': { guard: 'concernsRun', actions: 'record', meta: uaicp('5.3') },
    'taskClass.changed': { guard: 'concernsRun', actions: 'record', meta: interpretation('0040') },
    'dependency.awaited': { guard: 'concernsRun', actions: 'record', meta: upformat('Table 2') },
    'dependency.met': { guard: 'concernsRun', actions: 'record', meta: upformat('Table 2') },
    'question.raised': { guard: 'concernsRun', actions: 'record', meta: upformat('2') },
    'verifier.reported': { guard: 'concernsRun', actions: 'record', meta: uaicp('5.2') },
    'deadline.passed': { guard: 'concernsRun', actions: 'record', meta: interpretation('0004') },
    'task.cancelled': { guard: 'concernsRun', actions: 'record', meta: upformat('Table 2') },
    'run.failed': { guard: 'concernsRun', actions: 'record', meta: uaicp('4.1') },
  },
});

/**
 * The execution phases of UAICP 3, and every way from one to the next.
 *
 * `deliver` has one way in. The last branch of each decision has no guard and leads to `fail_safe`, through `undoing`,
 * which owes the rollbacks: so whatever is not permitted fails safe, and `fail_safe` is the end.
 */
export const phases = vocabulary.createStateConfig({
  initial: 'intake',
  always: { guard: 'mustUndo', target: '.execute.undoing', meta: uaicp('4.1') },
  states: {
    intake: {
      entry: { type: 'enter', params: { of: 'intake' } },
      meta: { ...uaicp('3 states'), owes: ['accept', 'wake'] },
      on: {
        'request.accepted': { target: 'plan', actions: 'record', meta: uaicp('3 states') },
        'request.refused': { actions: 'record', meta: uaicp('5.3') },
        'information.requested': { guard: 'concernsRun', actions: 'record', meta: upformat('Table 3') },
        'deadline.passed': { guard: 'isAcceptOverdue', actions: 'record', meta: interpretation('0004') },
      },
    },

    plan: {
      id: 'plan',
      entry: { type: 'enter', params: { of: 'plan' } },
      meta: uaicp('3 states'),
      initial: 'proposing',
      states: {
        proposing: {
          meta: { ...uaicp('3 flow'), owes: ['propose', 'wake'] },
          always: { guard: 'hasPlan', target: 'assessing', meta: upformat('2.3') },
          on: {
            'plan.proposed': { guard: 'concernsRun', actions: 'record', meta: uaicp('3 flow') },
            'information.requested': { guard: 'concernsRun', actions: 'record', meta: upformat('Table 3') },
            'output.rejected': {
              guard: 'concernsRun',
              target: 'correcting',
              actions: 'record',
              meta: upformat('2.3'),
            },
            ...declarations,
          },
        },
        correcting: {
          meta: { ...upformat('2.3'), owes: ['correct', 'wake'] },
          always: { guard: 'hasPlan', target: 'assessing', meta: upformat('2.3') },
          on: {
            'plan.proposed': { guard: 'concernsRun', actions: 'record', meta: upformat('2.3') },
            'information.requested': { guard: 'concernsRun', actions: 'record', meta: upformat('Table 3') },
            'output.rejected': { guard: 'concernsRun', actions: 'record', meta: upformat('2.3') },
            ...declarations,
          },
        },
        assessing: {
          meta: upformat('2.3'),
          always: [
            { guard: 'mustUndo', target: '#undoing', meta: interpretation('0006') },
            { guard: 'mayExecute', target: '#execute', meta: upformat('2.3') },
            { guard: 'mustAsk', target: 'asking', actions: 'ask', meta: upformat('2.3') },
            {
              target: '#undoing',
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
      meta: uaicp('3 states'),
      initial: 'dispatching',
      states: {
        dispatching: {
          meta: uaicp('3 flow'),
          always: [
            { guard: 'mustUndo', target: 'undoing', meta: interpretation('0006') },
            { guard: 'mustAssess', target: 'assessing', meta: upformat('2.3') },
            { guard: 'strays', target: 'undoing', actions: 'aimReplace', meta: interpretation('0007') },
            {
              guard: 'isStranded',
              target: 'undoing',
              actions: { type: 'fail', params: { gate: 'write' } },
              meta: interpretation('0007'),
            },
            { guard: 'owesCalls', target: 'calling', meta: uaicp('4.2') },
            { guard: 'isInDoubt', target: 'asking', actions: 'ask', meta: interpretation('0005') },
            { guard: 'mayRefresh', target: 'calling', actions: 'refresh', meta: interpretation('0008') },
            {
              guard: 'mayMend',
              target: 'undoing',
              actions: { type: 'aimRepair', params: { gate: 'write' } },
              meta: uaicp('4.1'),
            },
            {
              guard: 'isBroken',
              target: 'undoing',
              actions: { type: 'fail', params: { gate: 'write' } },
              meta: uaicp('4.1'),
            },
            { guard: 'owesChecks', target: 'checking', meta: uaicp('7') },
            { guard: 'owesPolicy', target: 'authorizing', meta: uaicp('5.3') },
            { guard: 'mustAsk', target: 'asking', actions: 'ask', meta: uaicp('5.3') },
            { guard: 'mayWrite', target: 'calling', meta: uaicp('5.3') },
            { guard: 'hasConcluded', target: '#verify', meta: uaicp('3 flow') },
            { guard: 'hasNoWrites', target: 'concluding', meta: uaicp('3 flow') },
            { target: 'undoing', actions: { type: 'fail', params: { gate: 'write' } }, meta: uaicp('4.1') },
          ],
        },
        assessing: {
          meta: upformat('2.3'),
          always: [
            { guard: 'mayExecute', target: 'dispatching', actions: 'extend', meta: upformat('2.3') },
            { guard: 'mustAsk', target: 'asking', actions: 'ask', meta: upformat('2.3') },
            {
              target: 'undoing',
              actions: { type: 'fail', params: { gate: 'execute' } },
              meta: uaicp('4.1'),
            },
          ],
        },
        calling: {
          meta: { ...uaicp('3 flow'), owes: ['call', 'observe', 'await', 'wake'] },
          always: { guard: 'isIdle', target: 'dispatching', meta: uaicp('4.2') },
          on: {
            'call.cleared': { guard: 'concernsRun', actions: 'record', meta: interpretation('0040') },
            'call.started': { guard: 'concernsRun', actions: 'record', meta: uaicp('3 flow') },
            'deadline.passed': { guard: 'isStartOverdue', actions: 'record', meta: interpretation('0040') },
          },
        },
        checking: {
          meta: { ...uaicp('7'), owes: ['verify', 'wake'] },
          always: { guard: 'isChecked', target: 'dispatching', meta: uaicp('5.2') },
        },
        authorizing: {
          meta: { ...uaicp('5.3'), owes: ['decide', 'wake'] },
          always: { guard: 'isDecided', target: 'dispatching', meta: uaicp('5.3') },
          on: {
            'policy.decided': { guard: 'concernsRun', actions: 'record', meta: uaicp('5.3') },
            'deadline.passed': { guard: 'isPolicyOverdue', actions: 'record', meta: interpretation('0004') },
          },
        },
        asking: {
          meta: upformat('Table 3'),
          always: { guard: 'isAnswered', target: 'dispatching', meta: upformat('Table 3') },
        },
        concluding: {
          meta: { ...uaicp('3 flow'), owes: ['conclude', 'wake'] },
          always: { guard: 'hasDraft', target: 'dispatching', meta: uaicp('3 flow') },
          on: {
            ...conclusions,
            'output.rejected': {
              guard: 'concernsRun',
              target: 'correcting',
              actions: 'record',
              meta: upformat('2.3'),
            },
            ...declarations,
          },
        },
        correcting: {
          meta: { ...upformat('2.3'), owes: ['correct', 'wake'] },
          always: { guard: 'hasDraft', target: 'dispatching', meta: upformat('2.3') },
          on: {
            ...conclusions,
            'output.rejected': { guard: 'concernsRun', actions: 'record', meta: upformat('2.3') },
            ...declarations,
          },
        },
        undoing: {
          id: 'undoing',
          entry: 'beginUndoing',
          meta: { ...uaicp('5.3'), owes: ['observe', 'await', 'undo', 'wake'] },
          always: [
            { guard: 'isUndoneToExecute', target: 'dispatching', actions: 'supersede', meta: uaicp('4.1') },
            { guard: 'isUndoneToPlan', target: '#plan', actions: 'supersede', meta: uaicp('4.1') },
            {
              guard: 'isReplaced',
              target: 'dispatching',
              actions: 'endUndoing',
              meta: interpretation('0007'),
            },
            { guard: 'isUndone', target: '#fail_safe', meta: uaicp('7') },
          ],
          on: {
            'rollback.started': { guard: 'concernsRun', actions: 'record', meta: uaicp('5.3') },
            'rollback.succeeded': { guard: 'concernsRun', actions: 'record', meta: uaicp('5.3') },
            'rollback.failed': { guard: 'concernsRun', actions: 'record', meta: uaicp('5.3') },
          },
        },
      },
    },

    verify: {
      id: 'verify',
      entry: { type: 'enter', params: { of: 'verify' } },
      meta: uaicp('3 states'),
      initial: 'verifying',
      states: {
        verifying: {
          meta: { ...uaicp('5.2'), owes: ['verify', 'wake'] },
          always: { guard: 'isReported', target: 'judging', meta: uaicp('3 flow') },
        },
        judging: {
          meta: uaicp('4.1'),
          always: [
            { guard: 'mayDeliver', target: '#deliver', meta: uaicp('4.1') },
            { guard: 'mustAsk', target: '#execute', meta: upformat('2.3') },
            {
              guard: 'mayRepair',
              target: '#undoing',
              actions: { type: 'aimRepair', params: { gate: 'deliver' } },
              meta: uaicp('4.1'),
            },
            {
              target: '#undoing',
              actions: { type: 'fail', params: { gate: 'deliver' } },
              meta: uaicp('4.1'),
            },
          ],
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
