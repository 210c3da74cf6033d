/*
 * What must hold before, across and after each fact: the properties that the chart is held to, said anew.
 * Written by hand, without the gates' own words where a gate is what is in question.
 */

#define MUST(sentence, condition) \
  if \
  :: condition \
  :: else -> printf("must: "); printf(sentence); printf("\n"); assert(false) \
  fi

#define has(call, tool) \
  (status[call] == SUCCEEDED && evidence[call] % 2 == 1 && ((tool) == ANY_TOOL || (tool) == (call)))
#define isEvident(tool) ANY_CALL_OF(has, tool)
#define isVerified(verifier, subject) \
  (report[AT(verifier, subject)] == PASS && reportedOn[AT(verifier, subject)] == collected)
#define isCleared(call) \
  ((!isHighRisk(call) || (authority[call] != 0 && ROLLBACK(call))) && (!review[call] || authority[call] != 0))
#define isInTheWay(call) \
  (status[call] == STARTED || status[call] == ASKING || status[call] == WAITING || status[call] == DOUBTED || \
   status[call] == FAILED || isAllowedRead(call) || isStaleRead(call))
#define isAhead(call) \
  (isOwedWrite(call) && \
   (status[call] != ALLOWED || !isCleared(call) || !EVERY_VERIFIER_BEFORE_WRITE(isVerified, ACTION(call))))
#define isUnfinished(call) (status[call] != ABSENT && status[call] != SUCCEEDED)
#define isUnclearedWrite(call) (status[call] == SUCCEEDED && isWrite(call) && !isCleared(call))
#define isUnowned(at) ((effect[at] == COMMITTED || effect[at] == STUCK) && !ANY_CALL_OF(isOf, effectAction(at)))
#define isHidden(at) \
  ((effect[at] == UNDOING || effect[at] == COMMITTED || effect[at] == STUCK) && \
   ((effect[at] == UNDOING || isUndoable(at)) || !ANY_REASON(REASON(ROLLBACK_REQUIRED, OF_ACTION(effectAction(at))))))
#define isWithheld(call) \
  (isWrite(call) && (status[call] == DOUBTED || status[call] == WAITING) && \
   !ANY_REASON(REASON(EFFECT_IN_DOUBT, OF_CALL(call))))
#define isInFlight(call) (isWrite(call) && status[call] == STARTED)
#define isNext(at) \
  (effect[at] == UNDOING || (isUndoable(at) && (aim == STOP || !ANY_CALL_OF(isOf, effectAction(at)))))

short wasFirst;
byte wasGiven;
byte wasAttempt;
byte wasRepairs;
byte wasRefreshes;
byte wasEffects;
byte wasEffect[ACTIONS]; /* by action, plus 1: 0 is none */

inline remember() {
  wasFirst = reasons[0]; wasGiven = given; wasAttempt = attempt; wasRepairs = repairs;
  wasRefreshes = refreshes; wasEffects = effects;
  i = 0;
  do
  :: i < effects -> wasEffect[effectAction(i)] = effect[i] + 1; i++
  :: else -> break
  od;
  i = 0
}

inline beforeFact() {
  MUST("a settled run takes nothing", outcome == 0);
  if
  :: fact == F_call_started ->
     MUST("a call starts where calls are made, once it is allowed, on a sure plan",
       (in_execution_execute_calling && status[x] == ALLOWED && plan != 0 && isPlanSure));
     if
     :: isWrite(x) ->
        MUST("a write starts only with authority and rollback", isCleared(x));
        MUST("a write starts only with its evidence", EVERY_EVIDENCE_BEFORE_WRITE(isEvident));
        MUST("a write starts only checked", EVERY_VERIFIER_BEFORE_WRITE(isVerified, ACTION(x)));
        MUST("a write starts only when nothing else is in flight, in doubt, failed or stale", !ANY_CALL(isInTheWay));
        MUST("a write starts only once every write of its round is cleared and checked", !ANY_CALL(isAhead));
        MUST("no action is done twice", !ANY_EFFECT_OF(isKnown, ACTION(x)))
     :: else
     fi
  :: fact == F_rollback_started ->
     i = LAST_EFFECT(isNext);
     MUST("the newest write is undone first", (i != NONE && effectAction(i) == x));
     MUST("nothing is undone while a write is in flight", !ANY_CALL(isInFlight));
     i = 0
  :: else
  fi
}

inline afterDelivery() {
  MUST("a delivered run has a sure plan and a sure draft", (plan != 0 && isPlanSure && hasDrafted && isDraftSure));
  MUST("a delivered run holds its evidence, none of it stale", EVERY_EVIDENCE_BEFORE_DELIVER(isEvident));
  MUST("a delivered run passed its verifiers, on this draft and this evidence", EVERY_VERIFIER_BEFORE_DELIVER(isVerified, DRAFT));
  MUST("a delivered run has nothing outstanding",
    (open == 0 && !ANY_CALL(isUnfinished) && !ANY_CALL(isAwaited) && !ANY_EFFECT(isUndoing)));
  MUST("a delivered run owns every write that stands", !ANY_EFFECT(isUnowned));
  MUST("a delivered run made no write without its authority and its rollback", !ANY_CALL(isUnclearedWrite))
}

inline afterFailure() {
  MUST("a run that failed has a reason", given > 0);
  MUST("cancelled is what somebody cancelled", ((outcome == CALLED_OFF) == (reasons[0] == REASON(CANCELLED, OF_TASK))));
  MUST("a run fails safe with no write in flight", !ANY_CALL(isInFlight));
  MUST("a run that failed has undone its writes, or says which it could not undo", !ANY_EFFECT(isHidden));
  MUST("a run that failed says which effects are in doubt", !ANY_CALL(isWithheld))
}

inline acrossFact() {
  MUST("the first reason is kept", (wasGiven == 0 || (given >= wasGiven && reasons[0] == wasFirst)));
  MUST("a run that has a reason to fail is neither repaired nor delivered",
    (wasGiven == 0 || (attempt == wasAttempt && outcome != DELIVERED && aim == STOP)));
  MUST("one fact costs one repair, one refresh and one attempt at most",
    (attempt <= wasAttempt + 1 && repairs <= wasRepairs + 1 && refreshes <= wasRefreshes + 1));
  MUST("a write that happened is never forgotten", effects >= wasEffects);
  i = 0;
  do
  :: i < effects ->
     j = wasEffect[effectAction(i)];
     MUST("an effect is undone once, or stays",
       (j == 0 || j == effect[i] + 1 || (j == COMMITTED + 1 && effect[i] != UNDONE) || (j == UNDOING + 1 && effect[i] != COMMITTED)));
     i++
  :: else -> break
  od
}

inline afterFact() {
  MUST("budgets are kept",
    (repairs <= MAX_REPAIRS && refreshes <= MAX_REFRESHES && pauses <= MAX_PAUSES &&
     rounds <= MAX_ROUNDS && corrections <= MAX_CORRECTIONS && attempt <= MAX_REPAIRS));
  MUST("deliver is for delivered runs alone", (in_deliver == (outcome == DELIVERED)));
  MUST("fail_safe is for failed runs alone", (in_fail_safe == (outcome == FAILED_SAFE || outcome == CALLED_OFF)));
  MUST("a run that is not settled and has a reason is undoing its writes", (given == 0 || outcome != 0 || in_undoing));
  MUST("nobody is asked while nobody is told", (open == 0 || given > 0));
  MUST("a run that is not settled can be worked on", (outcome != 0 || WORK));
  if
  :: outcome == DELIVERED -> afterDelivery()
  :: outcome == FAILED_SAFE || outcome == CALLED_OFF -> afterFailure()
  :: else
  fi
}

/* Whatever a fact needed on its way is put back: two stable states differ by what the run is alone. */
inline settle() {
  fact = 0; x = 0; y = 0; z = 0; i = 0; j = 0; k = 0; saying = 0; microsteps = 0;
  wasFirst = 0; wasGiven = 0; wasAttempt = 0; wasRepairs = 0; wasRefreshes = 0; wasEffects = 0;
  do
  :: i < ACTIONS -> wasEffect[i] = 0; i++
  :: else -> break
  od;
  i = 0
}
