/*
 * Whether a fact concerns the run as it stands: one macro for each fact whose transition asks. Written by hand.
 * x, y and z are what the fact is about; the transition that takes it says of what type it is.
 */

#define D_accept 1
#define D_model 2
#define D_policy 3
#define D_call 4
#define D_verifier 5
#define D_dependency 6
#define D_approval 7
#define D_evidence 8
#define D_rollback 9
#define D_host 10
#define D_start 11
#define D_question 12
#define D_offer 13
#define D_followup 14

/* a verdict of a policy; 0 allows */
#define DENY 1
#define NEEDS_REVIEW 2

#define wouldApprove(call, action) \
  (isOf(call, action) && authority[call] == 0 && isWrite(call) && isToBeMade(call))
#define loses(call, action) (isOf(call, action) && isToBeMade(call) && approved[call] && !underWay[call])
#define refersTo(call, of) isDocument(evidence[call], of)
#define isInDoubtOf(call, action) (isOf(call, action) && (status[call] == STARTED || isDoubted(call)))
#define isUndoingOf(at, action) (isKnown(at, action) && isUndoing(at))
#define isFreshOf(call, of) isMarkOf(evidence[call], of)
#define isFreshEffect(at, of) isMarkOf(effectEvidence[at], of)
#define isOfNoTool(call, plan) (IS_PLANNED(plan, call) && !HAS_TOOL_OF(call))
#define isFurtherOfNoTool(call) (IS_FURTHER(call) && !HAS_TOOL_OF(call))
#define bringsFurther (!ANY_FURTHER && !ANY_CALL(isFurtherOfNoTool))
#define mayContinue (outcome == DELIVERED && FOLLOWUP && followup <= OFFERED)
/* nothing but its clearance stands between a call and its intent */
#define isNextCall(call) \
  (status[call] == ALLOWED && (open == 0 || calls < MAX_CALLS) && \
   (isWrite(call) -> \
     (open == 0 -> (NEXT_WRITE == (call) && writeIsCleared) : beside == (call)) : mayRead))
/* a call.refused of this kind: the clearance lapsed, or the tool is another one now */
#define LAPSED 0
#define GONE 1

/* what a person may answer, and what an edit brings: a plan, plus 1, or 1 for an effect in doubt that happened */
#define APPROVE 1
#define EDIT 2
#define RANK 3
#define INSTRUCTION 4
#define REJECT 5
#define COMMENT 6
#define NOT_DONE 2
#define ofHelp(q) ((q) == Q_OUTPUT || (q) == Q_HELP)
#define ofOutput(q) ((q) >= Q_PLAN(0) && (q) <= Q_DRAFT)
#define ofApproval(q) ((q) >= Q_APPROVAL(0) && (q) < Q_DOUBT(0))
#define ofDoubt(q) ((q) >= Q_DOUBT(0) && (q) < Q_TOOL(0))
#define ofTool(q) ((q) >= Q_TOOL(0) && (q) < Q_FOLLOWUP)
#define mayRevise (revisions < MAX_REVISIONS && !ANY_CALL(isHalfDone) && !mayLand)
#define isHighRiskOf(call, action) (isOf(call, action) && isHighRisk(call))
#define isPersonsToApprove(action) (!ANY_CALL_OF(isHighRiskOf, action) || IS_AUTHORITY(PERSON))
#define bringsPlan(p) ((p) != 0 && !ANY_CALL_OF(isOfNoTool, (p) - 1) && !ANY_CALL(isHalfDone))
#define takesInstruction(q) \
  ((q) == Q_INFORMATION || ofTool(q) || ((ofHelp(q) || ofOutput(q) || ofApproval(q)) && mayRevise))
#define takesApproval(q) \
  (ofOutput(q) || ofDoubt(q) || ofTool(q) || (q) == Q_HOST || \
   (ofApproval(q) && isPersonsToApprove((q) - Q_APPROVAL(0)) && ANY_CALL_OF(wouldApprove, (q) - Q_APPROVAL(0))))
#define takesEdit(q, how, what) \
  (ofTool(q) || (q) == Q_DRAFT || ((q) == Q_FURTHER && bringsFurther) || \
   (ofOutput(q) && (q) < Q_FURTHER && bringsPlan(what)) || \
   ((how) == EDIT && \
    ((q) == Q_INFORMATION || ofDoubt(q) || \
     (ofHelp(q) && ((what) == 0 || bringsPlan(what)) && question[q] == ((what) == 0 -> 2 : 1)) || \
     (ofApproval(q) && HAS_TOOL_OF(EDITED) && !ANY_CALL(isHalfDone)))))
#define awaitsCheckOf(call, action) (isOf(call, action) && isOwedWrite(call))
#define owesReport(verifier, subject) \
  (!stands(verifier, subject) && \
   ((IS_BEFORE_WRITE(verifier) && ANY_CALL_OF(awaitsCheckOf, subject)) || \
    (IS_BEFORE_DELIVER(verifier) && (subject) == DRAFT && hasDrafted)))

#define concerns_information_requested(x, y, z) (question[Q_INFORMATION] == 0)
#define concerns_plan_proposed(x, y, z) (!ANY_CALL_OF(isOfNoTool, x))
#define concerns_calls_proposed(x, y, z) bringsFurther
#define concerns_draft_proposed(x, y, z) true
#define concerns_output_rejected(x, y, z) (question[Q_OUTPUT] == 0)
#define concerns_help_requested(x, y, z) (question[Q_HELP] == 0)
#define concerns_policy_decided(x, y, z) (status[x] == PROPOSED)
#define concerns_approval_granted(x, y, z) (IS_AUTHORITY(y) && ANY_CALL_OF(wouldApprove, x))
#define concerns_call_cleared(x, y, z) (isWrite(x) && isNextCall(x))
#define concerns_call_started(x, y, z) (isNextCall(x) && (cleared[x] || !isWrite(x)))
#define concerns_taskClass_changed(x, y, z) (!isTight && (outcome == 0 || mayContinue))
#define concerns_call_succeeded(x, y, z) (isOutstanding(x) || isDoubted(x))
#define concerns_call_failed(x, y, z) (isOutstanding(x) || isDoubted(x))
#define concerns_call_doubted(x, y, z) (status[x] == STARTED || status[x] == WAITING)
#define concerns_call_refused(x, y, z) \
  ((status[x] == ALLOWED && given == 0 && (isWrite(x) || (y) == GONE)) || \
   (status[x] == STARTED && needsAuthority(x) && !underWay[x] && (y) == LAPSED))
#define concerns_dependency_awaited(x, y, z) (status[x] == STARTED)
#define concerns_dependency_met(x, y, z) awaited[x]
#define concerns_question_raised(x, y, z) \
  ((status[x] == STARTED || status[x] == WAITING) && question[Q_TOOL(x)] == 0)
#define concerns_verifier_reported(x, y, z) owesReport(y, x)
#define concerns_deadline_passed(x, y, z) \
  (((x) == D_call && status[y] == STARTED) || ((x) == D_dependency && awaited[y]) || \
   ((x) == D_approval && ANY_CALL_OF(loses, y)) || \
   ((x) == D_evidence && (ANY_CALL_OF(isFreshOf, y) || ANY_EFFECT_OF(isFreshEffect, y))) || \
   ((x) == D_question && given == 0 && question[y] != 0))
#define concerns_rollback_started(x, y, z) \
  (nextUndo != NONE && effectAction(nextUndo) == (x) && effect[nextUndo] == COMMITTED)
#define concerns_rollback_succeeded(x, y, z) \
  (nextUndo != NONE && effectAction(nextUndo) == (x) && effect[nextUndo] == UNDOING)
#define concerns_rollback_failed(x, y, z) concerns_rollback_succeeded(x, y, z)
#define concerns_task_cancelled(x, y, z) true
#define concerns_evidence_changed(x, y, z) (given == 0 && ANY_CALL_OF(refersTo, x))
#define concerns_output_changed(x, y, z) (given == 0)
#define concerns_recovery_started(x, y, z) \
  (recoveries[RECOVERY(x, y)] < MAX_RECOVERIES && \
   ((x) == OF_EFFECT -> ANY_CALL_OF(isInDoubtOf, y) : ANY_EFFECT_OF(isUndoingOf, y)))
#define concerns_run_failed(x, y, z) true
#define concerns_changes_requested(x, y, z) (outcome != 0 && request != (x))
#define concerns_human_responded(x, y, z) \
  (question[x] != 0 && given == 0 && \
   ((y) == COMMENT || (y) == REJECT || ((y) == INSTRUCTION && takesInstruction(x)) || \
    ((y) == APPROVE && takesApproval(x)) || (((y) == EDIT || (y) == RANK) && takesEdit(x, y, z))))

/* The world says again what it said, or takes back what it gave: without these facts every run ends. */
#define isRefrain(type, x, y, z) \
  (((type) == F_call_cleared && cleared[x]) || ((type) == F_task_cancelled && ANY_REASON(REASON(CANCELLED, OF_TASK))) || \
   ((type) == F_human_responded && (y) == COMMENT) || (type) == F_changes_requested || \
   ((type) == F_run_failed && ANY_REASON(REASON(GUARD_ERROR, OF_RUN))) || \
   ((type) == F_deadline_passed && \
    ((x) == D_approval || ((x) == D_policy && ANY_REASON(REASON(POLICY_UNAVAILABLE, OF_CALL(y)))))))

/* The world tells of no draft that changed before there is one. */
#define isTold(type, x, y, z) ((type) != F_output_changed || hasDrafted)
