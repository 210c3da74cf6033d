/* What each guard of the chart says of a bounded context: one macro a guard. Written by hand. */

/* these alone read the fact */
#define appliesTo(type, x, y, z) \
  ((outcome == 0 || F_##type == F_taskClass_changed || F_##type == F_changes_requested) && concerns_##type(x, y, z))
#define isAcceptOverdue(type, x, y, z) ((x) == D_accept)
#define isModelOverdue(type, x, y, z) ((x) == (HAS_HOST -> D_host : D_model))
#define isPolicyOverdue(type, x, y, z) ((x) == D_policy && status[y] == PROPOSED)
#define isRollbackOverdue(type, x, y, z) ((x) == D_rollback && nextUndo != NONE && effectAction(nextUndo) == (y))
#define asksForAnotherPlan(type, x, y, z) \
  (appliesTo(type, x, y, z) && \
   (((y) == INSTRUCTION && (ofOutput(x) || ofApproval(x))) || \
    ((y) == REJECT && (ofHelp(x) || ofOutput(x)) && mayRevise)))
#define isVerifierOverdue(type, x, y, z) ((x) == D_verifier && owesReport(z, y))
#define isStartOverdue(type, x, y, z) ((x) == D_start && isNextCall(y))
#define mayGoOn(type, x, y, z) \
  (appliesTo(type, x, y, z) && HAS_HOST && asksForApproval && rounds < MAX_ROUNDS && modelCalls < MAX_MODELCALLS && \
   IS_ENOUGH(y) && !(HAS_VERIFIERS_BEFORE_WRITE && ANY_CALL(isFurtherWrite)) && !wouldBreak)
#define isDecidedBeside(type, x, y, z) (awaitsPolicy && appliesTo(type, x, y, z))
#define isOverdueBeside(type, x, y, z) \
  (isStartOverdue(type, x, y, z) || (awaitsPolicy && isPolicyOverdue(type, x, y, z)) || (awaitsVerifier && isVerifierOverdue(type, x, y, z)))
#define isOfferOverdue(type, x, y, z) ((x) == D_offer)
#define isFollowupOverdue(type, x, y, z) ((x) == D_followup)
#define isChoice(type, x, y, z) ((x) == Q_FOLLOWUP && ((y) == APPROVE || (y) == RANK || (y) == REJECT))
#define isRemark(type, x, y, z) ((x) == Q_FOLLOWUP && (y) == COMMENT)

/* gates */
#define mayExecute (nothingIsOpen && isSure)
#define mayWrite (NEXT_WRITE != NONE && writeIsCleared)
#define mayDeliver \
  (nothingIsOpen && isSure && isDraftConfident && \
   EVERY_EVIDENCE_BEFORE_DELIVER(isHeldBeforeDeliver) && \
   EVERY_VERIFIER_BEFORE_DELIVER(hasPassed, DRAFT) && !ANY_CALL(isUnsettled) && !ANY_CALL(isToBeMade) && \
   !ANY_CALL(isDoneUncleared) && !ANY_EFFECT(isStray))
#define mayRepair (given == 0 && !ANY_CALL(isHalfDone) && repairs < MAX_REPAIRS)
#define mayRefresh (restsOnStale && !ANY_REPORT_FAILS && refreshes < MAX_REFRESHES)

/* what is owed */
#define mustStop (given > 0)
#define mustAsk \
  ((ANY_CALL(isDoubted) || isAnyOutputUnsure || ANY_CALL(isUnapproved)) && mayPause)
#define asks (given == 0 && open > 0)
#define awaits (given == 0 && ANY_CALL(isAwaited))
#define hasPlan (plan != 0)
#define mustAssess (!ANY_CALL(isOutstanding) && (further != 0 || !isSure))
#define hasDraft hasDrafted
#define owesCalls (ANY_CALL(isOutstanding) || readsAreOwed)
#define owesWrites ANY_CALL(isOwedWrite)
#define owesChecks checksAreOwed
#define owesPolicy ANY_CALL(isPolicyOwed)
#define owesReports (hasDrafted && !EVERY_VERIFIER_BEFORE_DELIVER(stands, DRAFT))

/* limits */
#define isOutOfTurns (modelCalls >= MAX_MODELCALLS && open == 0)
#define mayExtendTurns false /* no class of these worlds asks at its limits */
#define mayExtendCalls false
#define isOutOfCalls (calls >= MAX_CALLS && (readsAreOwed || mayWrite))

/* what went wrong */
#define isInDoubt (ANY_CALL(isDoubted) && mayPause)
/* a new doubt; or nothing is in doubt where the run goes on, and each unsure output, and each write that needs a person, is a question of its own */
#define asksMore \
  (((given == 0 && open > 0 && ANY_CALL(isNewDoubt)) || \
    (isBeside && !ANY_CALL(isOutstanding) && !readsAreOwed && !checksAreNext && !ANY_CALL(isPolicyOwed) && \
     (isAnyOutputUnsure || ANY_CALL(isNewApproval)))) && mayPause)
#define isBroken \
  (ANY_CALL(isDoubted) || ANY_CALL(hasFailed) || ANY_CALL(isIrrevocable) || \
   (ANY_CALL(isOwedWrite) && !EVERY_EVIDENCE_BEFORE_WRITE(isHeldBeforeWrite)) || restsOnStale || \
   (!checksAreOwed && ANY_CALL(isUnchecked)))
#define isMendable \
  (!ANY_CALL(isDoubted) && \
   (REPAIR_TO_PLAN || \
    (!ANY_CALL(isFinal) && !ANY_CALL(isIrrevocable) && \
     (!ANY_CALL(isOwedWrite) || ANY_CALL(isReadHere) || EVERY_EVIDENCE_BEFORE_WRITE(isNotMissing)))))
#define mustUndoWrites ANY_EFFECT(isUndoableStray)
#define hasStuckWrites ANY_EFFECT(isStray)

/* ways out of undoing */
#define isUndone (!mayLand && !ANY_EFFECT(isUndoing) && !ANY_EFFECT(isToGo))
#define repairsExecute (!REPAIR_TO_PLAN)

/* ends */
#define isDelivered (outcome == DELIVERED)
#define isFailed (outcome == FAILED_SAFE)
#define isCancelled (outcome == CALLED_OFF)
#define offersFollowup (FOLLOWUP && followup == 0)
