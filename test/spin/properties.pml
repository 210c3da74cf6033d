/*
 * What must hold before, across and after each fact: the properties that the chart is held to, said anew.
 * Written by hand, without the gates' own words where a gate is what is in question.
 */

#define MUST(sentence, condition) \
  if \
  :: condition \
  :: else -> printf("must: "); printf(sentence); printf("\n"); assert(false) \
  fi

/* the call that a question of a tool, or of an effect in doubt, is about */
#define CALL_OF(q) (ofTool(q) -> (q) - Q_TOOL(0) : (q) - Q_DOUBT(0))
#define hasEnded(call) (status[call] != ASKING && status[call] != DOUBTED)
#define isHostSilent \
  (fact == F_deadline_passed && ((x == D_host && !HAS_PERSONS) || (x == D_question && y == Q_HOST)))
/* what a person said */
#define isAnew (fact == F_changes_requested)
#define isComment (fact == F_human_responded && y == COMMENT)
#define isAnswer (fact == F_human_responded && y != COMMENT)
#define isWhatIsSaid(at, action) (isKnown(at, action) && effect[at] != (y == REJECT -> COMMITTED : CLOSED))
#define isWaiver (isAnswer && (y == APPROVE || y == EDIT || y == RANK) && (ofOutput(x) || ofHelp(x)))
#define isPersonsPlan (isAnswer && (y == EDIT || y == RANK) && z != 0 && (ofHelp(x) || (ofOutput(x) && x < Q_FURTHER)))

/* fresh, of the tool that is asked for, saying something unless it need not, checked, and about this write */
#define isRight(call, write, isOfTool, isOfPerson, tool, allowsEmpty, check, isOfAction) \
  (!((isWord(evidence[call]) && !(isOfPerson)) || (!isWord(evidence[call]) && !(isOfTool)) || ((tool) != ANY_TOOL && TOOL(call) != (tool)) || \
     (SAYS_NOTHING(WHAT(evidence[call])) && !(allowsEmpty)) || \
     ((check) != NONE && !PASSED_CHECK(WHAT(evidence[call]), check)) || \
     ((isOfAction) && (write) != NONE && \
      (SUBJECT(write, check) == 0 || SUBJECT_BROUGHT(WHAT(evidence[call]), check) != SUBJECT(write, check)))))
#define has(call, requirement, write) \
  (status[call] == SUCCEEDED && evidence[call] % 2 == 1 && ANSWERS(isRight, requirement, call, write))
#define isEvidentForIt(requirement) ANY_CALL_FOR(has, requirement, x)
#define isWithout(write, requirement) (isWrite(write) && status[write] == SUCCEEDED && !ANY_CALL_FOR(has, requirement, write))
#define isEvident(requirement) (ANY_CALL_FOR(has, requirement, NONE) && !ANY_CALL_OF(isWithout, requirement))
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
#define isUnfinished(call) (status[call] != ABSENT && status[call] != SUCCEEDED && status[call] != REFUSED)
#define isUnclearedWrite(call) (status[call] == SUCCEEDED && isWrite(call) && !isCleared(call))
#define isUnowned(at) ((effect[at] == COMMITTED || effect[at] == STUCK) && !ANY_CALL_OF(isOf, effectAction(at)))
/* a person's word alone says that it happened, and the run fails for want of evidence alone */
#define isSaidAlone(at) (isWord(effectEvidence[at]) && reasons[0] / 128 == EVIDENCE_MISSING)
#define isHidden(at) \
  ((effect[at] == UNDOING || effect[at] == COMMITTED || effect[at] == STUCK) && \
   ((effect[at] == UNDOING || (isUndoable(at) && !isSaidAlone(at))) || !ANY_REASON(REASON(ROLLBACK_REQUIRED, OF_ACTION(effectAction(at))))))
#define isWithheld(call) \
  (isWrite(call) && \
   (status[call] == DOUBTED || status[call] == WAITING || \
    (underWay[call] && (status[call] == ASKING || status[call] == ALLOWED || status[call] == PROPOSED))) && \
   !ANY_REASON(REASON(EFFECT_IN_DOUBT, OF_CALL(call))))
#define isInFlight(call) (isWrite(call) && status[call] == STARTED)
#define isFlyingRead(call) \
  (TIER(call) == READ_ONLY && (status[call] == STARTED || status[call] == ASKING || status[call] == WAITING))
#define standsCleared(call) cleared[call]
#define isClearedAndAsked(call) (cleared[call] && question[Q_APPROVAL(ACTION(call))] != 0)
#define isKept(at) (effect[at] == KEPT)
#define isCalledHere \
  (in_execute_calling || in_execute_checking || in_execute_authorizing || in_execute_concluding || \
   in_verify_verifying || outcome == DELIVERED)
#define isWithoutTool(call) ((status[call] == PROPOSED || status[call] == ALLOWED) && !HAS_TOOL(call))
#define isBegun(call) (status[call] == STARTED || status[call] == ASKING || status[call] == WAITING)
#define isUnsure \
  (plan == 0 || !(planWaived || IS_ENOUGH(planConfidence)) || \
   (further != 0 && !furtherWaived && !IS_ENOUGH(furtherConfidence)))
#define isBack(call) (status[call] == PROPOSED && authority[call] == 0 && !approved[call] && !cleared[call])
#define isNext(at) \
  (effect[at] == UNDOING || (isUndoable(at) && (given > 0 || !ANY_CALL_OF(isOf, effectAction(at)))))

short wasFirst;
byte wasGiven;
byte wasAttempt;
byte wasRepairs;
byte wasRefreshes;
byte wasEffects;
byte wasEffect[ACTIONS]; /* by action, plus 1: 0 is none */
byte wasStatus[CALLS];
bool wasCleared[CALLS];
bool wasTight;
byte wasOutcome;
byte wasFurther;
bool wasWaived; /* the plan */
bool wasDraftWaived;
byte wasFollowup;
byte wasRequest;
byte wasState;
byte wasModelCalls;
byte wasCalls;
byte wasRecoveries[2 * ACTIONS];
byte wasQuestion[QUESTIONS];

inline remember() {
  wasFirst = reasons[0]; wasGiven = given; wasAttempt = attempt; wasRepairs = repairs;
  wasRefreshes = refreshes; wasEffects = effects; wasTight = isTight;
  wasOutcome = outcome; wasFurther = further; wasWaived = planWaived; wasDraftWaived = draftWaived;
  wasFollowup = followup; wasRequest = request; wasState = state; wasModelCalls = modelCalls; wasCalls = calls;
  i = 0;
  do
  :: i < effects -> wasEffect[effectAction(i)] = effect[i] + 1; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> wasStatus[i] = status[i]; wasCleared[i] = cleared[i]; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < QUESTIONS -> wasQuestion[i] = question[i]; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < 2 * ACTIONS -> wasRecoveries[i] = recoveries[i]; i++
  :: else -> break
  od;
  i = 0
}

inline beforeFact() {
  beforeLimits();
  MUST("a settled run takes nothing", !isSettled);
  if
  :: fact == F_call_started ->
     MUST("a call starts only where calls are made or a person is asked, allowed, and of a plan that passed the confidence gate",
       ((in_execute_calling || open > 0) && status[x] == ALLOWED && plan != 0 && (planWaived || IS_ENOUGH(planConfidence))));
     if
     :: isWrite(x) ->
        MUST("a write starts only on a clearance that was given after the run last waited", cleared[x]);
        MUST("a write starts only with authority and rollback", isCleared(x));
        MUST("a high-risk write starts only with an authority that the task class takes", (!isHighRisk(x) || IS_AUTHORITY(authority[x])));
        MUST("no write starts while a dependency is open, or a question about anything but the approval of another",
          (!ANY_CALL(isAwaited) && open == APPROVALS_ASKED && question[Q_APPROVAL(ACTION(x))] == 0));
        MUST("a write starts only with its evidence", EVERY_EVIDENCE_BEFORE_WRITE(isEvidentForIt));
        MUST("a write starts only checked", EVERY_VERIFIER_BEFORE_WRITE(isVerified, ACTION(x)));
        MUST("a write starts only when nothing else is in flight, in doubt, failed or stale", !ANY_CALL(isInTheWay));
        MUST("a write starts only after every write of its round is cleared and checked, or beside a question",
          (open > 0 || !ANY_CALL(isAhead)));
        MUST("no action is done twice", !ANY_EFFECT_OF(isKnown, ACTION(x)))
     :: else
     fi
  :: fact == F_deadline_passed && x == D_start ->
     MUST("the wait for a call to begin ends only where calls are made", (in_execute_calling || open > 0))
  :: fact == F_rollback_started ->
     i = LAST_EFFECT(isNext);
     MUST("the newest write is undone first", (i != NONE && effectAction(i) == x));
     MUST("nothing is undone while a write is in flight", !ANY_CALL(isInFlight));
     i = 0
  :: else
  fi
}

inline afterDelivery() {
  MUST("a delivered run has a plan and a draft that passed the confidence gate", 
    (plan != 0 && hasDrafted && (planWaived || IS_ENOUGH(planConfidence)) && (draftWaived || IS_ENOUGH(draftConfidence))));
  MUST("a delivered run holds its evidence, none of it stale", EVERY_EVIDENCE_BEFORE_DELIVER(isEvident));
  MUST("a delivered run passed its verifiers, on this draft and this evidence", EVERY_VERIFIER_BEFORE_DELIVER(isVerified, DRAFT));
  MUST("a delivered run has nothing outstanding",
    (open == 0 && !ANY_CALL(isUnfinished) && !ANY_CALL(isAwaited) && !ANY_EFFECT(isUndoing)));
  MUST("a delivered run has every write that is not undone in its plan", !ANY_EFFECT(isUnowned));
  MUST("a delivered run made no write without its authority and its rollback", !ANY_CALL(isUnclearedWrite))
}

inline afterFailure() {
  MUST("a run that failed has a reason", given > 0);
  MUST("a run ends as cancelled only if it was cancelled, and then always", ((outcome == CALLED_OFF) == (reasons[0] == REASON(CANCELLED, OF_TASK))));
  MUST("a run fails safe with no write in flight", !ANY_CALL(isInFlight));
  MUST("a run that failed has undone its writes, or says which it could not undo", !ANY_EFFECT(isHidden));
  MUST("a run that failed says which effects are in doubt", !ANY_CALL(isWithheld))
}

inline acrossCall(call) {
  MUST("only a policy decision or a repeated check clears a write, and it clears that write alone",
    (!cleared[call] || wasCleared[call] || ((fact == F_policy_decided || fact == F_call_cleared) && x == call)));
  MUST("a policy decides before a write is allowed",
    (!isWrite(call) || status[call] != ALLOWED || (wasStatus[call] != ABSENT && wasStatus[call] != PROPOSED) ||
     (fact == F_policy_decided && x == call)));
  MUST("a call that was refused is not made in this attempt",
    (wasStatus[call] != REFUSED || status[call] == REFUSED || attempt != wasAttempt || isPersonsPlan || isAnew));
  MUST("a write that a person refuses is not to be made",
    (!isAnswer || y != REJECT || !ofApproval(x) || !isToBeMadeOf(call, x - Q_APPROVAL(0))));
  MUST("calls join a plan only while it and they are sure",
    (status[call] == ABSENT || wasStatus[call] != ABSENT || fact == F_plan_proposed || isPersonsPlan ||
     (fact == F_calls_proposed && IS_ENOUGH(y) && (planWaived || IS_ENOUGH(planConfidence))) ||
     (isWaiver && wasFurther != 0)));
  MUST("a clearance that lapsed leaves nobody behind the write, nor behind its twins",
    (fact != F_call_refused || y != LAPSED || !isOf(call, ACTION(x)) || !isToBeMade(call) || isBack(call)));
  MUST("a call that cannot begin, or does not, comes to an end",
    (!((fact == F_call_refused && y == GONE && x == call) || (fact == F_deadline_passed && x == D_start && y == call)) ||
     attempt != wasAttempt || status[call] == FAILED || status[call] == DOUBTED));
  MUST("a task class that became stricter sends back every write that has not begun",
    (fact != F_taskClass_changed || !isOwedWrite(call) || isBack(call)));
  MUST("a task class that became stricter leaves nobody behind a write that paused",
    (fact != F_taskClass_changed || !isWrite(call) || (status[call] != WAITING && status[call] != ASKING) ||
     (authority[call] == 0 && !approved[call] && !cleared[call])))
}

inline acrossQuestion(which) {
  MUST("a question stays open until it is answered, or the run leaves it",
    (wasQuestion[which] == 0 || question[which] == wasQuestion[which] || given > 0 || attempt != wasAttempt ||
     isPersonsPlan || (isAnswer && x == which) || (fact == F_deadline_passed && x == D_question && y == which) ||
     (ofApproval(which) && (fact == F_approval_granted || fact == F_taskClass_changed || fact == F_call_refused)) ||
     ((ofTool(which) || ofDoubt(which)) && hasEnded(CALL_OF(which)))));
  MUST("a question that nobody answers takes its default, or the run fails",
    (fact != F_deadline_passed || x != D_question || y != which || given > 0 || (which == Q_INFORMATION && DEFAULTS_INFORMATION) ||
     (ofApproval(which) && DEFAULTS_APPROVAL) || (ofTool(which) && DEFAULTS_TOOL)));
  MUST("an effect in doubt is what the person says",
    (!isAnswer || x != which || !ofDoubt(which) || (y == EDIT && z == NOT_DONE) ||
     ANY_EFFECT_OF(isWhatIsSaid, ACTION(CALL_OF(which)))));
  MUST("a comment leaves each question open", (!isComment || question[which] == wasQuestion[which]))
}

inline acrossFact() {
  acrossLimits();
  MUST("the reasons of a run are kept, in order", (wasGiven == 0 || (given >= wasGiven && reasons[0] == wasFirst)));
  MUST("a run that has a reason to fail is neither repaired nor delivered",
    (wasGiven == 0 || (attempt == wasAttempt && outcome != DELIVERED)));
  MUST("one fact costs at most one repair, one refresh and one attempt",
    (attempt <= wasAttempt + 1 && repairs <= wasRepairs + 1 && refreshes <= wasRefreshes + 1));
  MUST("a write that happened is never forgotten", (isAnew || effects >= wasEffects));
  MUST("a task class never becomes less strict", (isTight || !wasTight));
  MUST("an end is final, but for changes of what was delivered",
    (wasOutcome == 0 || outcome == wasOutcome || (isAnew && wasOutcome == DELIVERED)));
  MUST("an output is waived by the person who is asked about it",
    ((!planWaived || wasWaived || isPersonsPlan || isWaiver) && (!draftWaived || wasDraftWaived || isWaiver)));
  MUST("a comment changes nothing",
    (!isComment || (state == wasState && given == wasGiven && outcome == wasOutcome && attempt == wasAttempt)));
  i = 0;
  do
  :: i < QUESTIONS -> acrossQuestion(i); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> acrossCall(i); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < effects ->
     j = wasEffect[effectAction(i)];
     MUST("an effect is undone once, or stays",
       (j == 0 || j == effect[i] + 1 || (j == COMMITTED + 1 && effect[i] != UNDONE) || (j == UNDOING + 1 && effect[i] != COMMITTED && effect[i] != KEPT)));
     MUST("silence keeps what an agent wrote whose host stays away",
       (!isHostSilent || j != COMMITTED + 1 || effect[i] == KEPT));
     i++
  :: else -> break
  od
}

/* Too long for an inline: all that gets the work done. */
#define beWorkable() MUST("a run that is not settled can be worked on", (outcome != 0 || WORK))

inline afterFact() {
  MUST("budgets are kept",
    (modelCalls <= MAX_MODELCALLS && calls <= MAX_CALLS && repairs <= MAX_REPAIRS && refreshes <= MAX_REFRESHES && pauses <= MAX_PAUSES &&
     clearances <= MAX_CLEARANCES && rounds <= MAX_ROUNDS && corrections <= MAX_CORRECTIONS && revisions <= MAX_REVISIONS && attempt <= MAX_REPAIRS + MAX_REVISIONS));
  MUST("a run that is not settled and has a reason is undoing its writes", (given == 0 || outcome != 0 || in_undoing));
  MUST("no clearance stands while the run waits, but beside the approval of another",
    ((open == 0 && !ANY_CALL(isAwaited)) || !ANY_CALL(standsCleared) ||
     (!ANY_CALL(isAwaited) && open == APPROVALS_ASKED && !ANY_CALL(isClearedAndAsked))));
  MUST("a run always returns to the place where it paused", !ANY_REASON(REASON(RESUME_LOST, OF_RUN)));
  MUST("nothing is called while further calls wait at a gate", (further == 0 || !isCalledHere));
  MUST("nothing more is called on a plan that became unsure",
    (!in_execute_calling || !isUnsure || ANY_CALL(isBegun)));
  MUST("no call is to be made of a tool that the task class does not allow", !ANY_CALL(isWithoutTool));
  MUST("a failed call ends the wait for the other reads of its round", (!ANY_CALL(hasFailed) || !ANY_CALL(isFlyingRead)));
  MUST("a failed run keeps writes only if its agent stayed away",
    (!ANY_EFFECT(isKept) || reasons[0] == REASON(HOST_UNAVAILABLE, OF_HOST)));
  if
  :: outcome == DELIVERED && wasOutcome == 0 -> afterDelivery()
  :: outcome == FAILED_SAFE || outcome == CALLED_OFF -> afterFailure()
  :: else
  fi
}

/* Whatever a fact needed on its way is put back: two stable states differ by what the run is alone. */
inline settle() {
  fact = 0; x = 0; y = 0; z = 0; i = 0; j = 0; k = 0; saying = 0; microsteps = 0;
  wasFirst = 0; wasGiven = 0; wasAttempt = 0; wasRepairs = 0; wasRefreshes = 0; wasEffects = 0; wasTight = false;
  wasOutcome = 0; wasFurther = 0; wasWaived = false; wasDraftWaived = false; wasFollowup = 0; wasRequest = 0; wasState = 0; wasModelCalls = 0; wasCalls = 0;
  do
  :: i < ACTIONS -> wasEffect[i] = 0; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> wasStatus[i] = 0; wasCleared[i] = false; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < QUESTIONS -> wasQuestion[i] = 0; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < 2 * ACTIONS -> wasRecoveries[i] = 0; i++
  :: else -> break
  od;
  i = 0
}
