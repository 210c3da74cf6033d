/*
 * What a fact does to a bounded context: one macro for each fact that the chart takes, and what they share.
 * Written by hand.
 */

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
  approved[call] = false; evidence[call] = 0; code[call] = 0
}

/* A call as a proposal brings it: a write that is known already is done, or stays undone. */
inline propose(call) {
  forget(call);
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
inline withdraw(call) { cleared[call] = false; authority[call] = 0; approved[call] = false }

/* A call as its gates find it that nobody has decided on. */
inline unclear(call) { status[call] = PROPOSED; review[call] = false; withdraw(call) }

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
inline lapse() {
  if
  :: open > 0 || ANY_CALL(isAwaited) ->
     i = 0;
     do
     :: i < CALLS -> cleared[i] = false; i++
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
inline commit(call, what) {
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
  made[k] = call + 1; effect[k] = COMMITTED; effectAuthority[k] = authority[call];
  effectEvidence[k] = FRESH(call, what);
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

inline clearQuestions() {
  j = 0;
  do
  :: j < QUESTIONS -> question[j] = 0; j++
  :: else -> break
  od;
  open = 0;
  j = 0;
  do
  :: j < CALLS -> awaited[j] = false; j++
  :: else -> break
  od
}

/* The call as the next attempt finds it: what was done or undone stays so, everything else is owed again. */
inline again(call) {
  if
  :: status[call] == ABSENT || (isWrite(call) && ANY_EFFECT_OF(isKnown, ACTION(call)))
  :: else ->
     status[call] = (isWrite(call) -> PROPOSED : ALLOWED);
     underWay[call] = false; cleared[call] = false; review[call] = false; evidence[call] = 0; code[call] = 0
  fi
}

inline undo(now) { i = NEXT_UNDO; effect[i] = now; i = 0 }

inline record_request_accepted(x, y, z) { skip }
inline record_request_refused(x, y, z) { failFor(IDENTITY_INVALID, OF_REQUEST) }
inline record_information_requested(x, y, z) { pauseFor(Q_INFORMATION, 1) }
inline record_plan_proposed(x, y, z) {
  plan = x + 1; planConfidence = y;
  i = 0;
  do
  :: i < CALLS ->
     if
     :: IS_PLANNED(x, i) -> propose(i)
     :: else -> forget(i)
     fi;
     i++
  :: else -> break
  od;
  corrections = 0; rounds = 1
}
inline record_draft_proposed(x, y, z) { hasDrafted = true; draftConfidence = y; corrections = 0 }
inline record_calls_proposed(x, y, z) {
  if
  :: rounds >= MAX_ROUNDS -> failFor(BUDGET_SPENT, OF_ROUNDS)
  :: else -> hasFurtherCalls = true; furtherConfidence = y; rounds++; corrections = 0
  fi
}
inline record_output_rejected(x, y, z) {
  if
  :: corrections >= MAX_CORRECTIONS -> pauseFor(Q_OUTPUT, (plan == 0 -> 1 : 2))
  :: else -> corrections++
  fi
}
inline record_help_requested(x, y, z) { pauseFor(Q_HELP, (plan == 0 -> 1 : 2)) }
inline record_capability_exceeded(x, y, z) { failFor(BEYOND_CAPABILITY, OF_MODEL) }
inline record_policy_decided(x, y, z) {
  if
  :: y == DENY -> failFor(POLICY_BLOCKED, OF_CALL(x))
  :: else -> status[x] = ALLOWED; cleared[x] = true; review[x] = (y == NEEDS_REVIEW)
  fi
}
inline record_approval_granted(x, y, z) {
  i = 0;
  do
  :: i < CALLS ->
     if
     :: wouldApprove(i, x) -> authority[i] = y; approved[i] = true
     :: else
     fi;
     i++
  :: else -> break
  od;
  closeQuestion(Q_APPROVAL(x))
}
inline record_call_cleared(x, y, z) { cleared[x] = true }
inline record_taskClass_changed(x, y, z) {
  isTight = true;
  i = 0;
  do
  :: i < ACTIONS -> closeQuestion(Q_APPROVAL(i)); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS ->
     if
     :: isOwedWrite(i) -> unclear(i)
     :: isPausedWrite(i) -> withdraw(i)
     :: else
     fi;
     i++
  :: else -> break
  od
}
inline record_call_started(x, y, z) { status[x] = STARTED }
inline record_call_succeeded(x, y, z) {
  i = 0;
  do
  :: i < CALLS ->
     if
     :: i == x || (isWrite(x) && isOf(i, ACTION(x))) ->
        status[i] = SUCCEEDED; evidence[i] = FRESH(x, y); code[i] = 0; review[i] = review[x];
        authority[i] = authority[x]; approved[i] = approved[x]
     :: else
     fi;
     i++
  :: else -> break
  od;
  if
  :: isWrite(x) -> commit(x, y)
  :: else
  fi;
  closeFor(x);
  collected++
}
inline record_call_failed(x, y, z) { status[x] = FAILED; code[x] = TOOL_FAILED; closeFor(x) }
inline record_call_doubted(x, y, z) { doubt(x, TOOL_FAILED) }
inline record_call_refused(x, y, z) {
  if
  :: y == GONE -> giveUp(x, TOOL_CHANGED)
  :: else ->
     i = 0;
     do
     :: i < CALLS ->
        if
        :: i == x || (isOf(i, ACTION(x)) && isToBeMade(i)) -> unclear(i)
        :: else
        fi;
        i++
     :: else -> break
     od;
     if
     :: clearances < MAX_CLEARANCES -> clearances++
     :: else -> say(BUDGET_SPENT, OF_CLEARANCES); say(APPROVAL_EXPIRED, OF_CALL(x)); give()
     fi
  fi
}
inline record_dependency_awaited(x, y, z) {
  if
  :: mayPause -> status[x] = WAITING; underWay[x] = true; awaited[x] = true; pauses++
  :: else -> doubt(x, BUDGET_SPENT); failFor(BUDGET_SPENT, OF_PAUSES)
  fi
}
inline record_dependency_met(x, y, z) { status[x] = ALLOWED; awaited[x] = false }
inline record_question_raised(x, y, z) {
  if
  :: mayPause -> status[x] = ASKING; closeFor(x); openQuestion(Q_TOOL(x), 1); pauses++
  :: else ->
     giveUp(x, BUDGET_SPENT);
     failFor(BUDGET_SPENT, OF_PAUSES)
  fi
}
inline record_verifier_reported(x, y, z) { file(y, x, z, 0) }
inline record_deadline_passed(x, y, z) {
  if
  :: x == D_accept -> failFor(GUARD_ERROR, OF_REQUEST)
  :: x == D_model -> failFor(MODEL_UNAVAILABLE, OF_MODEL)
  :: x == D_host -> hostAway()
  :: x == D_start -> giveUp(y, CALL_NOT_STARTED)
  :: x == D_policy -> failFor(POLICY_UNAVAILABLE, OF_CALL(y))
  :: x == D_call -> doubt(y, TOOL_TIMEOUT)
  :: x == D_verifier -> file(z, y, FAIL, VERIFIER_TIMEOUT)
  :: x == D_dependency -> doubt(y, TOOL_TIMEOUT)
  :: x == D_approval -> disapprove(y)
  :: x == D_evidence ->
     i = 0;
     do
     :: i < CALLS -> if :: isFreshOf(i, y) -> evidence[i] = aged(evidence[i]) :: else fi; i++
     :: else -> break
     od;
     i = 0;
     do
     :: i < ACTIONS -> if :: isFreshEffect(i, y) -> effectEvidence[i] = aged(effectEvidence[i]) :: else fi; i++
     :: else -> break
     od
  :: x == D_rollback -> undo(STUCK)
  fi
}
inline record_rollback_started(x, y, z) { undo(UNDOING) }
inline record_rollback_succeeded(x, y, z) { undo(UNDONE) }
inline record_rollback_failed(x, y, z) { undo(STUCK) }
inline record_task_cancelled(x, y, z) { failFor(CANCELLED, OF_TASK) }
inline record_run_failed(x, y, z) { failFor(EVIDENCE_HASH_MISMATCH, OF_RUN) }
