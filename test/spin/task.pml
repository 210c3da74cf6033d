/* What the task chart alone is held to: UpFormat's operational states, and the persons in them. Written by hand. */

#define isParked (in_needsHumanDecision || in_waiting)
#define isRunning (given == 0 && outcome == 0)

/* where the run stopped, while it is stopped */
byte stopped;
byte from;
bool wasParked;
bool wasInside;

inline leaveStep() { from = state; wasParked = isParked; wasInside = in_submitted }

inline acrossStep() {
  if
  :: isParked && wasInside -> stopped = from
  :: wasParked && in_submitted -> MUST("a run goes on where it stopped, or is revised", (state == stopped || (in_plan_proposing && attempt > wasAttempt)))
  :: else
  fi;
  if :: !isParked -> stopped = 0 :: else fi;
  from = 0; wasParked = false; wasInside = false
}

/* of an agent in its own host that goes on beside questions; i is the call that a loop asks about */
#define isProposedBeside (fact == F_calls_proposed && wasState == S_needsHumanDecision)
#define isEvidentAlone(requirement) ANY_CALL_FOR(has, requirement, i)
#define endsAttempt(call) \
  (status[call] == FAILED || status[call] == DOUBTED || isStaleRead(call) || \
   (isOwedWrite(call) && ((isHighRisk(call) && !ROLLBACK(call)) || !EVERY_EVIDENCE_BEFORE_WRITE(isEvidentAlone))))
#define wentWrong(call) (wasStatus[call] == FAILED || wasStatus[call] == DOUBTED)
#define isReady(call) (status[call] == ALLOWED && EVERY_VERIFIER_BEFORE_WRITE(isVerified, ACTION(call)))
#define isNotReady(call) (isOwedWrite(call) && !isReady(call))
#define lacksItsQuestion(call) \
  (isOwedWrite(call) && (isHighRisk(call) || review[call]) && authority[call] == 0 && question[Q_APPROVAL(ACTION(call))] == 0)

inline restsBeside() {
  MUST("an agent goes on only in its own host, beside questions about the approval of others alone",
    (!isProposedBeside || (HAS_HOST && goesOn && open > 0 && open == APPROVALS_ASKED)));
  MUST("a policy decides beside questions only where an agent goes on, and nothing went wrong",
    (fact != F_policy_decided || wasState != S_needsHumanDecision || (goesOn && !ANY_CALL(wentWrong))));
  MUST("whoever an agent that goes on needs is asked, while pauses last",
    (!in_needsHumanDecision || !goesOn || open != APPROVALS_ASKED || pauses == MAX_PAUSES || !ANY_CALL(lacksItsQuestion) ||
     ANY_CALL(isInTheWay) || ANY_CALL(isNotReady)));
  i = 0;
  do
  :: i < CALLS ->
     MUST("what an agent proposes beside a question lacks nothing that would end the attempt",
       (!isProposedBeside || !endsAttempt(i)));
     i++
  :: else -> break
  od;
  i = 0
}

inline restsWell() {
  restsBeside();
  MUST("only a delivered run is completed or in followup", ((in_completed || in_followup) == (outcome == DELIVERED)));
  MUST("failed is for failed runs alone", (in_failed == (outcome == FAILED_SAFE)));
  MUST("cancelled is for cancelled runs alone", (in_cancelled == (outcome == CALLED_OFF)));
  MUST("needsHumanDecision is where a question is open, and nothing has ended",
    (in_needsHumanDecision == (isRunning && open > 0)));
  MUST("waiting is where a dependency is open, and no question",
    (in_waiting == (isRunning && open == 0 && ANY_CALL(isAwaited))));
  MUST("a settled task owes nothing, and every other owes something", (isSettled != owesSomething));
  MUST("a settled task has nothing outstanding",
    (!isSettled || (open == 0 && !ANY_CALL(isAwaited) && !ANY_CALL(isInFlight) && !ANY_EFFECT(isUndoing))));
  MUST("followup is where an offer is open", (in_followup == (followup == OFFERED)));
  MUST("a followup is offered only where the task class says so", (followup == 0 || FOLLOWUP));
  MUST("completed settles once the offer has come to an end",
    (outcome != DELIVERED || isSettled == (!FOLLOWUP || followup > OFFERED)));
  MUST("what became of an offer is final", (wasFollowup <= OFFERED || followup == wasFollowup));
  MUST("an offer is chosen by a person alone",
    (followup != CHOSEN || (fact == F_human_responded && (y == APPROVE || y == RANK))));
  MUST("an offer that nobody answers takes its default",
    ((fact == F_deadline_passed && x == D_followup) == (followup == DEFAULTED)));
  MUST("changes are asked of what was delivered, by another request",
    (!isAnew || (wasOutcome == DELIVERED && request != wasRequest && in_intake && effects == 0)));
  MUST("a request goes on until changes are asked", (isAnew || request == wasRequest))
}
