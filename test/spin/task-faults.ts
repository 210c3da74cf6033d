import { taskMachine } from '../../machines/index.ts';
import { faultsOf, type Fault } from './fault.ts';
import { taskWorlds } from './task-worlds.ts';

const { fault, forced, rewired } = faultsOf(taskMachine, taskWorlds);

/** Faults of the task chart that Spin must find, each in the world that shows it soonest. */
export const taskFaults: readonly Fault[] = [
  rewired(
    'a run that stopped begins anew',
    'a write that asks',
    ['states', 'needsHumanDecision', 'always'],
    { guard: 'isAnswered', target: 'submitted' },
    'a run goes on where it stopped, or is revised',
  ),
  rewired(
    'a question waits behind a dependency',
    'two reads',
    ['states', 'waiting', 'always'],
    { guard: 'isMet', target: 'submitted.resume' },
    'needsHumanDecision is where a question is open, and nothing has ended',
  ),
  rewired(
    'what was delivered is cancelled',
    'an answer with',
    ['states', 'followup', 'on', 'task.cancelled'],
    { target: 'cancelled', actions: 'withdraw' },
    'only a delivered run is completed or in followup',
  ),
  rewired(
    'an offer that nobody makes keeps the task open',
    'an answer with',
    ['states', 'completed', 'states', 'settled', 'tags'],
    [],
    'a settled task owes nothing, and every other owes something',
  ),
  forced(
    'a question does not stop the run',
    'a write that asks',
    { name: 'asks', verdict: false },
    'needsHumanDecision is where a question is open, and nothing has ended',
  ),
  forced(
    'a dependency does not stop the run',
    'a write that asks',
    { name: 'awaits', verdict: false },
    'waiting is where a dependency is open, and no question',
  ),
  forced(
    'a followup is offered again',
    'an answer with',
    { name: 'offersFollowup', verdict: true },
    'completed settles once the offer has come to an end',
  ),
  fault(
    'a refused followup counts as a choice',
    'an answer with',
    ['actions', '(y == REJECT -> WITHDRAWN : CHOSEN)', 'CHOSEN'],
    'an offer is chosen by a person alone',
  ),
  fault(
    'silence withdraws a followup',
    'an answer with',
    ['record', 'followup = DEFAULTED', 'followup = WITHDRAWN'],
    'an offer that nobody answers takes its default',
  ),
  fault(
    'a request asks for changes of itself',
    'an answer with',
    ['acceptance', '(outcome != 0 && request != (x))', '(outcome != 0)'],
    'changes are asked of what was delivered, by another request',
  ),
  fault(
    'silence waives a draft',
    'questions about',
    [
      'answers',
      '  :: else -> failFor(QUESTION_EXPIRED',
      '  :: which == Q_DRAFT -> draftWaived = true\n  :: else -> failFor(QUESTION_EXPIRED',
    ],
    'an output is waived by the person who is asked about it',
  ),
  fault(
    'silence is an answer',
    'questions about',
    ['answers', 'failFor(QUESTION_EXPIRED, OF_QUESTION(which))', 'closeQuestion(which)'],
    'a question that nobody answers takes its default, or the run fails',
  ),
  fault(
    'a comment answers',
    'questions about',
    ['record', 'x != Q_FOLLOWUP && y != COMMENT', 'x != Q_FOLLOWUP'],
    'a comment changes nothing',
  ),
  fault(
    'a refused write is made',
    'a write that a person',
    ['answers', '(underWay[i] -> DOUBTED : REFUSED)', 'ALLOWED'],
    'a write that a person refuses is not to be made',
  ),
  fault(
    'a person approves what the task class leaves to others',
    'a write that a person',
    ['acceptance', '(!ANY_CALL_OF(isHighRiskOf, action) || IS_AUTHORITY(PERSON))', 'true'],
    'a high-risk write starts only with an authority that the task class takes',
  ),
  fault(
    'revisions have no budget',
    'a write that a person',
    ['acceptance', 'revisions < MAX_REVISIONS && ', ''],
    'budgets are kept',
  ),
  fault(
    'an effect that a person rules out counts as done',
    'a write that asks',
    ['answers', '(how == REJECT -> CLOSED : COMMITTED)', 'COMMITTED'],
    'an effect in doubt is what the person says',
  ),
  rewired(
    'a question of intake is a turn of the model',
    'turns of a model',
    ['states', 'submitted', 'states', 'intake', 'on', 'information.requested', 'actions'],
    'applyTurn',
    'each turn of the model is counted, and nothing else',
  ),
  fault(
    'another request goes on with the turns and calls of the one before',
    'turns of a model',
    ['answers', '  modelCalls = 0; calls = 0;\n', ''],
    'another request has turns and calls of its own',
  ),
  fault(
    'another request goes on with the recoveries of the one before',
    'a write in doubt that is looked up',
    ['answers', 'recoveries[RECOVERY(OF_EFFECT, i)] = 0; ', ''],
    'each recovery is counted for its own effect, and nothing else',
  ),
  fault(
    'an agent proposes beside a question what would end the attempt',
    'a further write beside',
    ['guards', ' && !wouldBreak', ''],
    'what an agent proposes beside a question lacks nothing that would end the attempt',
  ),
  fault(
    'an agent goes on beside a question about its own plan',
    'an agent in its own host that goes on',
    ['guards', 'HAS_HOST && asksForApproval', 'HAS_HOST && open > 0'],
    'calls join a plan only while it and they are sure',
  ),
  fault(
    'a policy decides beside a question although a call failed',
    'an agent in its own host that goes on',
    ['context', '(goesOn && asksForApproval && !isBroken)', '(goesOn && asksForApproval)'],
    'a policy decides beside questions only where an agent goes on, and nothing went wrong',
  ),
  forced(
    'nobody is asked beside a question',
    'an agent in its own host that goes on',
    { name: 'asksMore', verdict: false },
    'whoever an agent that goes on needs is asked, while pauses last',
  ),
  fault(
    'silence undoes what an absent host wrote',
    'an agent whose host',
    ['answers', '  :: which == Q_HOST -> closeQuestion(which); keep()\n', ''],
    'silence keeps what an agent wrote whose host stays away',
  ),
];
