/* What a fact does to a bounded context: one macro for each fact that a chart takes. Written by hand. */

inline record_request_accepted(x, y, z) { skip }
inline record_request_refused(x, y, z) { failFor(IDENTITY_INVALID, OF_REQUEST) }
inline record_information_requested(x, y, z) { pauseFor(Q_INFORMATION, 1) }
inline record_plan_proposed(x, y, z) {
  takePlan(x, y, false)
}
inline record_draft_proposed(x, y, z) { takeDraft(y, false) }
inline record_calls_proposed(x, y, z) {
  if
  :: rounds >= MAX_ROUNDS -> failFor(BUDGET_SPENT, OF_ROUNDS)
  :: else -> further = OF_MODEL_TEXT; furtherConfidence = y; rounds++; corrections = 0
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
inline record_approval_granted(x, y, z) { approve(x, y) }
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
     :: isPausedWrite(i) -> disown(i)
     :: else
     fi;
     i++
  :: else -> break
  od
}
inline record_call_started(x, y, z) { status[x] = STARTED; calls = calls + COUNTED_CALLS }
inline record_call_succeeded(x, y, z) {
  i = 0;
  do
  :: i < CALLS ->
     if
     :: i == x || isTwin(i, x) -> share(i, x, SUCCEEDED, FRESH(x, y), 0)
     :: else
     fi;
     i++
  :: else -> break
  od;
  if
  :: isWrite(x) -> commit(x, COMMITTED)
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
inline record_dependency_met(x, y, z) { resume(x); awaited[x] = false }
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
  :: x == D_question -> expire(y)
  :: x == D_offer -> followup = WITHDRAWN
  :: x == D_followup -> followup = DEFAULTED
  fi
}
inline record_rollback_started(x, y, z) { undo(UNDOING) }
inline record_rollback_succeeded(x, y, z) { undo(UNDONE) }
inline record_rollback_failed(x, y, z) { undo(STUCK) }
inline record_task_cancelled(x, y, z) { failFor(CANCELLED, OF_TASK) }
inline record_run_failed(x, y, z) { failFor(GUARD_ERROR, OF_RUN) }
inline record_evidence_changed(x, y, z) { failFor(EVIDENCE_HASH_MISMATCH, OF_DOCUMENT(x)) }
inline record_output_changed(x, y, z) { failFor(OUTPUT_CHANGED, OF_DRAFT) }
inline record_recovery_started(x, y, z) { recoveries[RECOVERY(x, y)]++ }
inline record_human_responded(x, y, z) {
  if
  :: x != Q_FOLLOWUP && y != COMMENT -> answer(x, y, z); closeQuestion(x)
  :: else
  fi
}
inline record_followup_offered(x, y, z) { followup = OFFERED }
inline record_changes_requested(x, y, z) { beginAnew(x) }
