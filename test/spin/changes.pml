/* Changes of a bounded context that facts have in common. Written by hand. */

inline openQuestion(which, about) {
  if
  :: question[which] == 0 -> open++
  :: else
  fi;
  question[which] = about
}

inline closeQuestion(which) {
  if
  :: question[which] != 0 -> open--; question[which] = 0
  :: else
  fi
}

/* The questions and the dependency of a call whose outcome is known now. */
inline closeFor(call) { closeQuestion(Q_TOOL(call)); closeQuestion(Q_DOUBT(call)); awaited[call] = false }

/* The run stops once more for a question of the model, or has no stop left. */
inline pauseFor(which, about) {
  if
  :: mayPause -> openQuestion(which, about); pauses++
  :: else -> failFor(BUDGET_SPENT, OF_PAUSES)
  fi
}

inline forget(call) {
  status[call] = ABSENT; underWay[call] = false; cleared[call] = false; review[call] = false; authority[call] = 0;
  approved[call] = false; evidence[call] = 0; code[call] = 0; edited[call] = false
}

inline clearPlan() { plan = 0; planConfidence = 0; planWaived = false }
inline clearFurther() { further = 0; furtherConfidence = 0; furtherWaived = false }
inline clearDraft() { hasDrafted = false; draftConfidence = 0; draftWaived = false }

/* A call as a proposal brings it: a write that is known already is done, or stays undone. */
inline propose(call) { forget(call); join(call) }
inline join(call) {
  if
  :: !isWrite(call) -> status[call] = ALLOWED
  :: else ->
     status[call] = PROPOSED;
     j = 0;
     do
     :: j < ACTIONS ->
        if
        :: isKnown(j, ACTION(call)) && effect[j] == COMMITTED ->
           status[call] = SUCCEEDED; evidence[call] = effectEvidence[j]; authority[call] = effectAuthority[j]
        :: isKnown(j, ACTION(call)) && effect[j] != COMMITTED -> status[call] = FAILED; code[call] = EFFECT_CLOSED
        :: else
        fi;
        j++
     :: else -> break
     od
  fi
}

/* A read without an outcome has failed; a write without one may have happened. */
inline doubt(call, why) {
  status[call] = (isWrite(call) -> DOUBTED : FAILED);
  code[call] = why;
  closeFor(call)
}

/* A call that is given up before it finished: nothing happened, unless it was under way. */
inline giveUp(call, why) {
  if
  :: underWay[call] -> doubt(call, why)
  :: else -> status[call] = FAILED; code[call] = why; closeFor(call)
  fi
}

/* Nobody stands behind a call any more, nor does a clearance. */
inline disown(call) { cleared[call] = false; authority[call] = 0; approved[call] = false }

/* A call as its gates find it that nobody has decided on. */
inline unclear(call) { status[call] = PROPOSED; review[call] = false; disown(call) }

/* No call is made of a tool that the task class does not allow any more. */
inline giveUpUnavailable() {
  i = 0;
  do
  :: i < CALLS -> if :: isUnavailable(i) -> giveUp(i, TOOL_UNAVAILABLE) :: else fi; i++
  :: else -> break
  od
}

/* Nobody is asked about an action of which no call is made any more. */
inline unask() {
  i = 0;
  do
  :: i < ACTIONS -> if :: !ANY_CALL_OF(isToBeMadeOf, i) -> closeQuestion(Q_APPROVAL(i)) :: else fi; i++
  :: else -> break
  od
}

/* Nobody needs the other reads of a round in which a call failed. */
inline dropReads() {
  if
  :: ANY_CALL(hasFailed) ->
     i = 0;
     do
     :: i < CALLS -> if :: isWaitingRead(i) -> status[i] = DROPPED; closeFor(i) :: else fi; i++
     :: else -> break
     od
  :: else
  fi
}

/* While the run waits, no clearance stands. */
inline lapse() { k = NONE; lapseBut() }

inline findBeside() {
  if
  :: mayGoBeside -> k = FIRST_CALL(isClearedWrite)
  :: else -> k = NONE
  fi;
  if
  :: k != NONE && !isAlone -> k = NONE
  :: else
  fi
}

/* What the next fact may rest on. */
inline lookAhead() {
  findBeside();
  beside = k;
  awaitsVerifier = checksAreNext;
  awaitsPolicy = policyIsNext;
  nextUndo = NEXT_UNDO
}

/* While the run waits, no clearance stands, but that of the write that goes on beside a question. */
inline lapseOthers() { findBeside(); lapseBut() }

inline lapseBut() {
  if
  :: open > 0 || ANY_CALL(isAwaited) ->
     i = 0;
     do
     :: i < CALLS -> if :: i != k -> cleared[i] = false :: else fi; i++
     :: else -> break
     od
  :: else
  fi
}

/* The writes that stand are left as they are, for their agent is gone. */
inline keep() {
  i = 0;
  do
  :: i < ACTIONS -> if :: effect[i] == COMMITTED -> effect[i] = KEPT :: else fi; i++
  :: else -> break
  od;
  failFor(HOST_UNAVAILABLE, OF_HOST)
}

/* The agent stays away: what it wrote is a person's to keep or to undo, and silence keeps it. */
inline hostAway() {
  if
  :: !ANY_EFFECT(isCommitted) -> failFor(HOST_UNAVAILABLE, OF_HOST)
  :: ANY_EFFECT(isCommitted) && mayPause -> openQuestion(Q_HOST, 1); pauses++
  :: else -> keep()
  fi
}

/* The effect of a call, as the newest: one effect an action. */
inline commit(call, now) {
  j = 0;
  k = 0;
  do
  :: j < effects ->
     if
     :: isKnown(j, ACTION(call))
     :: else ->
        made[k] = made[j]; effect[k] = effect[j]; effectAuthority[k] = effectAuthority[j];
        effectEvidence[k] = effectEvidence[j]; k++
     fi;
     j++
  :: else -> break
  od;
  assert(k < ACTIONS);
  made[k] = AS(call) + 1; effect[k] = now; effectAuthority[k] = authority[call];
  effectEvidence[k] = evidence[call];
  effects = k + 1
}

/* Nobody stands behind an action any more, where nothing rests on it yet. */
inline disapprove(action) {
  j = 0;
  do
  :: j < CALLS ->
     if
     :: isOf(j, action) && isToBeMade(j) && !underWay[j] -> authority[j] = 0; approved[j] = false
     :: else
     fi;
     j++
  :: else -> break
  od
}

/* What a verifier says now; that it did not pass is kept, whatever it says after that. */
inline file(verifier, subject, verdict, why) {
  if
  :: report[AT(verifier, subject)] != FAIL ->
     report[AT(verifier, subject)] = verdict; reportCode[AT(verifier, subject)] = why
  :: else
  fi;
  reportedOn[AT(verifier, subject)] = collected
}

inline clearReports() {
  j = 0;
  do
  :: j < SUBJECTS * VERIFIERS -> report[j] = 0; reportedOn[j] = 0; reportCode[j] = 0; j++
  :: else -> break
  od
}

inline closeQuestions() {
  j = 0;
  do
  :: j < QUESTIONS -> question[j] = 0; j++
  :: else -> break
  od;
  open = 0
}

inline clearQuestions() {
  closeQuestions();
  j = 0;
  do
  :: j < CALLS -> awaited[j] = false; j++
  :: else -> break
  od
}

/* The call as the next attempt finds it: what was done or undone stays so, everything else is owed again. */
/* An approval by an authority that the task class does not take any more clears no second beginning. */
inline voidApproval(call) {
  if
  :: isHighRisk(call) && authority[call] != 0 && !IS_AUTHORITY(authority[call]) -> authority[call] = 0; approved[call] = false
  :: else
  fi
}

inline again(call) {
  if
  :: status[call] == ABSENT || (isWrite(call) && (status[call] == REFUSED || ANY_EFFECT_OF(isKnown, ACTION(call))))
  :: else ->
     voidApproval(call);
     status[call] = (isWrite(call) -> PROPOSED : ALLOWED);
     underWay[call] = false; cleared[call] = false; review[call] = false; evidence[call] = 0; code[call] = 0
  fi
}

inline undo(now) { effect[nextUndo] = now }

/* A call begins once more; its authority stands while its approver does. */
inline resume(call) {
  voidApproval(call);
  status[call] = ALLOWED; authority[call] = (approved[call] -> authority[call] : 0)
}

/* The calls of one action share one outcome and the same approver. */
#define isTwin(call, of) (isWrite(of) && isOf(call, ACTION(of)) && status[call] != REFUSED)
inline share(call, other, now, mark, why) {
  status[call] = now; evidence[call] = mark; code[call] = why;
  review[call] = review[other]; authority[call] = authority[other]; approved[call] = approved[other]
}

inline approve(action, whose) {
  i = 0;
  do
  :: i < CALLS ->
     if
     :: wouldApprove(i, action) -> authority[i] = whose; approved[i] = true
     :: else
     fi;
     i++
  :: else -> break
  od;
  closeQuestion(Q_APPROVAL(action))
}

/* A plan, and nothing of the calls that it replaces. */
inline takePlan(which, confidence, isWaived) {
  plan = which + 1; planConfidence = confidence; planWaived = isWaived;
  i = 0;
  do
  :: i < CALLS ->
     if
     :: IS_PLANNED(which, i) -> propose(i)
     :: else -> forget(i)
     fi;
     i++
  :: else -> break
  od;
  corrections = 0; rounds = 1
}

inline takeDraft(confidence, isWaived) {
  hasDrafted = true; draftConfidence = confidence; draftWaived = isWaived; corrections = 0
}

/* The next attempt. */
inline supersede(next) {
  attempt++;
  collected = 0; corrections = 0;
  clearFurther();
  clearDraft();
  clearReports();
  clearQuestions();
  if :: next == next_revise -> clearCauses() :: else fi;
  i = 0;
  do
  :: i < CALLS -> if :: next == next_execute -> again(i) :: else -> forget(i) fi; i++
  :: else -> break
  od;
  if :: next != next_execute -> clearPlan(); rounds = 0 :: else fi;
  giveUpUnavailable()
}
