import { executionMachine } from '../../machines/index.ts';
import { faultsOf, type Fault } from './fault.ts';
import { worlds } from './worlds.ts';

const { fault, forced } = faultsOf(executionMachine, worlds);

/** Faults of the execution chart that Spin must find, each in the world that shows it soonest. */
export const faults: readonly Fault[] = [
  forced(
    'deliver is always permitted',
    'a read that must',
    { name: 'mayDeliver', verdict: true },
    'a delivered run passed its verifiers, on this draft and this evidence',
  ),
  fault(
    'a write needs no clearance',
    'a checked',
    ['context', '!ANY_CALL(isUncleared) && ', ''],
    'a write starts only with authority and rollback',
  ),
  forced(
    'the hub always waits for a write',
    'a read that must',
    { name: 'mayWrite', verdict: true },
    'a run that is not settled can be worked on',
  ),
  forced(
    'undoing is over at once',
    'a write that asks',
    { name: 'isUndone', verdict: true },
    'a run fails safe with no write in flight',
  ),
  forced('repairs have no budget', 'a checked', { name: 'mayRepair', verdict: true }, 'budgets are kept'),
  fault(
    'refreshes have no budget',
    'a read that grows',
    ['guards', ' && refreshes < MAX_REFRESHES', ''],
    'budgets are kept',
  ),
  forced(
    'a failing run goes on',
    'one action',
    { name: 'mustStop', verdict: false },
    'a run that is not settled and has a reason is undoing its writes',
  ),
  forced(
    'a question waits for nobody',
    'a write that asks',
    { name: 'asks', verdict: false },
    'nobody is asked while nobody is told',
  ),
  fault(
    'the oldest write is undone first',
    'two writes',
    ['context', 'LAST_EFFECT(isToGo)', 'FIRST_EFFECT(isToGo)'],
    'the newest write is undone first',
  ),
  fault(
    'a write starts uncleared',
    'a write that asks',
    ['acceptance', '(isNextCall(x) && (cleared[x] || !isWrite(x)))', 'isNextCall(x)'],
    'a write starts only on a clearance that was given since the run last waited',
  ),
  fault(
    'a clearance outlasts a wait',
    'further calls',
    ['actions', 'unask(); lapse()', 'unask()'],
    'no clearance stands while the run waits',
  ),
  fault(
    'one write clears its twin',
    'a write whose clearance',
    ['record', 'cleared[x] = true; review', 'cleared[x] = true; cleared[CALLS - 1] = true; review'],
    'a clearance is given by the policy, or looked at again, for this write alone',
  ),
  fault(
    'a clearance that lapsed keeps its authority',
    'a write whose clearance',
    ['changes', 'review[call] = false; disown(call) }', 'review[call] = false; cleared[call] = false }'],
    'a clearance that lapsed leaves nobody behind the write, nor behind its twins',
  ),
  fault(
    'a write under way is forgotten where its clearance lapses',
    'a write that asks',
    ['context', 'isToBeMade(call)))', 'status[call] == ALLOWED))'],
    'a run that failed says which effects are in doubt',
  ),
  fault(
    'a clearance may lapse for ever',
    'a write whose clearance',
    ['record', 'clearances < MAX_CLEARANCES', 'true'],
    'budgets are kept',
  ),
  fault(
    'further calls are let in unsure',
    'further calls',
    ['context', '(further == 0 || furtherWaived || IS_ENOUGH(furtherConfidence))', 'true'],
    'calls join a plan only while it and they are sure',
  ),
  forced(
    'further calls are not looked at',
    'further calls',
    { name: 'mustAssess', verdict: false },
    'nothing is called beside further calls that no gate let in',
  ),
  fault(
    'reads go on whose plan became unsure',
    'a threshold',
    ['context', '#define mayRead (!ANY_CALL(hasFailed) && isSure)', '#define mayRead (!ANY_CALL(hasFailed))'],
    'nothing more is called on a plan that became unsure',
  ),
  fault(
    'a read beside a failed one is still waited for',
    'reads beside',
    ['actions', 'dropReads(); unask', 'unask'],
    'nobody waits for a read beside a call that failed',
  ),
  fault(
    'what an absent host wrote is undone',
    'an agent whose host',
    ['changes', 'effect[i] = KEPT', 'skip'],
    'silence keeps what an agent wrote whose host stays away',
  ),
  fault(
    'a stricter class leaves what was allowed',
    'a task class',
    ['record', ':: isOwedWrite(i) -> unclear(i)\n', ''],
    'a task class that became stricter sends back every write that has not begun',
  ),
  fault(
    'a stricter class leaves who approved a write that waits',
    'a task class',
    ['record', ':: isPausedWrite(i) -> disown(i)\n', ''],
    'a task class that became stricter leaves nobody behind a write that paused',
  ),
  fault(
    'a stricter class leaves a call of a tool that it does not allow',
    'a task class',
    ['actions', 'giveUpUnavailable(); dropReads()', 'dropReads()'],
    'no call is to be made of a tool that the task class does not allow',
  ),
  fault(
    'a repair brings a tool back that is not allowed any more',
    'a tool',
    ['actions', 'rounds = 0 :: else fi;\n  giveUpUnavailable()', 'rounds = 0 :: else fi'],
    'no call is to be made of a tool that the task class does not allow',
  ),
  fault(
    'a refresh brings a tool back that is not allowed any more',
    'a tool',
    ['actions', 'giveUpUnavailable();\n  refreshes++', 'refreshes++'],
    'no call is to be made of a tool that the task class does not allow',
  ),
  fault(
    'a clearance brings the looser class back',
    'a threshold',
    ['record', 'record_call_cleared(x, y, z) { ', 'record_call_cleared(x, y, z) { isTight = false; '],
    'a task class is never loosened',
  ),
  fault(
    'a tool that changed is only cleared again',
    'reads beside',
    ['record', 'giveUp(x, TOOL_CHANGED)', 'unclear(x)'],
    'a call that cannot begin, or does not, comes to an end',
  ),
  fault(
    'a call is waited for wherever the run is',
    'a threshold',
    [
      'acceptance',
      '(((x) == D_call && status[y] == STARTED) ||',
      '(((x) == D_call && status[y] == STARTED) || ((x) == D_start && isNextCall(y)) ||',
    ],
    'the wait for a call to begin ends only where calls are made',
  ),
  fault(
    'evidence that says nothing counts',
    'evidence that',
    ['context', '((allowsEmpty) || !SAYS_NOTHING(WHAT(evidence[call]))) &&', 'true &&'],
    'a delivered run holds its evidence, none of it stale',
  ),
  fault(
    'evidence about another thing counts',
    'evidence that',
    [
      'context',
      '(SUBJECT(write, check) != 0 && SUBJECT(write, check) == SUBJECT_BROUGHT(WHAT(evidence[call]), check))',
      'true',
    ],
    'a write starts only with its evidence',
  ),
  fault('corrections are not counted', 'a read that must', ['record', 'corrections++', 'skip'], null),
];
