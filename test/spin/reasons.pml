/*
 * Why a run fails or is repaired, in the order in which it is given. Written by hand.
 * `said` collects reasons, until `give` makes them the run's or `keepCauses` the causes of a repair.
 */

inline say(what, whom) {
  assert(saying < REASONS);
  said[saying] = REASON(what, whom);
  saying++
}

/* The run fails for what was said; the first reason decides, and each is given once. */
inline give() {
  j = 0;
  do
  :: j < saying ->
     k = 0;
     do
     :: k < given && reasons[k] != said[j] -> k++
     :: else -> break
     od;
     if
     :: k == given -> assert(given < REASONS); reasons[given] = said[j]; given++
     :: else
     fi;
     said[j] = 0;
     j++
  :: else -> break
  od;
  saying = 0
}

inline failFor(what, whom) { say(what, whom); give() }

inline sayOpen() {
  i = 0;
  do
  :: i < QUESTIONS -> if :: question[i] != 0 -> say(INPUT_REQUIRED, OF_QUESTION(i)) :: else fi; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> if :: awaited[i] -> say(AUDIT_INCOMPLETE, OF_DEPENDENCY(i)) :: else fi; i++
  :: else -> break
  od
}

inline sayPlan() {
  if
  :: plan == 0 -> say(OUTPUT_MISSING, OF_PLAN)
  :: plan != 0 && !isPlanConfident -> say(CONFIDENCE_LOW, OF_PLAN)
  :: else
  fi;
  if :: !isFurtherConfident -> say(CONFIDENCE_LOW, OF_FURTHER) :: else fi
}

inline sayDraft() {
  if
  :: !hasDrafted -> say(OUTPUT_MISSING, OF_DRAFT)
  :: hasDrafted && !isDraftConfident -> say(CONFIDENCE_LOW, OF_DRAFT)
  :: else
  fi
}

#define sayEvidence(W, requirement) \
  if \
  :: isServed(broughtFresh, W, requirement) \
  :: !isServed(brought, W, requirement) -> say(EVIDENCE_MISSING, OF_EVIDENCE(requirement)) \
  :: else -> say(EVIDENCE_STALE, OF_EVIDENCE(requirement)) \
  fi
#define sayEvidenceBeforeWrite(requirement) sayEvidence(isOwedWrite, requirement)
#define sayEvidenceBeforeDeliver(requirement) sayEvidence(isMadeWrite, requirement)

inline sayVerifier(verifier, subject) {
  if
  :: hasPassed(verifier, subject)
  :: else ->
     say(VERIFICATION_FAILED, OF_VERIFIER(verifier));
     j = 0;
     do
     :: j < SUBJECTS && reportCode[AT(verifier, j)] == 0 -> j++
     :: else -> break
     od;
     if
     :: j < SUBJECTS -> say(reportCode[AT(verifier, j)], OF_VERIFIER(verifier))
     :: else
     fi
  fi
}

inline sayUnsettled(call) {
  if
  :: isOutstanding(call) -> say(AUDIT_INCOMPLETE, OF_CALL(call))
  :: isDoubted(call) -> say(EFFECT_IN_DOUBT, OF_CALL(call))
  :: hasFailed(call) -> say((code[call] == 0 -> TOOL_FAILED : code[call]), OF_CALL(call))
  :: else
  fi
}

inline sayUncleared(call) {
  if :: status[call] == PROPOSED -> say(POLICY_BLOCKED, OF_CALL(call)) :: else fi;
  if :: needsAuthority(call) && authority[call] == 0 -> say(APPROVAL_REQUIRED, OF_CALL(call)) :: else fi;
  if :: isHighRisk(call) && !ROLLBACK(call) -> say(ROLLBACK_REQUIRED, OF_CALL(call)) :: else fi
}

inline sayGrownOld() {
  i = 0;
  do
  :: i < CALLS -> if :: isStaleRead(i) && ANY_CALL(isOwedWrite) -> say(EVIDENCE_STALE, OF_CALL(i)) :: else fi; i++
  :: else -> break
  od
}

inline sayStranded() {
  i = 0;
  do
  :: i < ACTIONS -> if :: isStray(i) -> say(ROLLBACK_REQUIRED, OF_ACTION(effectAction(i))) :: else fi; i++
  :: else -> break
  od
}

inline sayBroken() {
  i = 0;
  do
  :: i < CALLS -> if :: !isOutstanding(i) -> sayUnsettled(i) :: else fi; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> if :: isIrrevocable(i) -> say(ROLLBACK_REQUIRED, OF_CALL(i)) :: else fi; i++
  :: else -> break
  od;
  if :: ANY_CALL(isOwedWrite) -> EACH_EVIDENCE_BEFORE_WRITE(sayEvidenceBeforeWrite) :: else fi;
  sayGrownOld();
  i = 0;
  do
  :: i < CALLS ->
     if
     :: !checksAreOwed && isOwedWrite(i) -> EACH_VERIFIER_BEFORE_WRITE(sayVerifier, ACTION(i))
     :: else
     fi;
     i++
  :: else -> break
  od
}

/* A write is still owed here: the last branch of the hub is reached by no other way. */
inline sayBeforeWrite() {
  sayOpen();
  sayPlan();
  EACH_EVIDENCE_BEFORE_WRITE(sayEvidenceBeforeWrite);
  i = 0;
  do
  :: i < CALLS -> sayUnsettled(i); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> if :: isAllowedRead(i) && readsAreOwed -> say(AUDIT_INCOMPLETE, OF_CALL(i)) :: else fi; i++
  :: else -> break
  od;
  sayGrownOld();
  i = 0;
  do
  :: i < CALLS ->
     if
     :: isOwedWrite(i) ->
        EACH_VERIFIER_BEFORE_WRITE(sayVerifier, ACTION(i));
        sayUncleared(i);
        if :: isRepeated(i) -> say(EFFECT_CLOSED, OF_CALL(i)) :: else fi
     :: else
     fi;
     i++
  :: else -> break
  od
}

inline sayBeforeDeliver() {
  sayOpen();
  sayPlan();
  sayDraft();
  EACH_EVIDENCE_BEFORE_DELIVER(sayEvidenceBeforeDeliver);
  EACH_VERIFIER_BEFORE_DELIVER(sayVerifier, DRAFT);
  i = 0;
  do
  :: i < CALLS -> sayUnsettled(i); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> if :: isToBeMade(i) -> say(AUDIT_INCOMPLETE, OF_CALL(i)) :: else fi; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> if :: isDoneUncleared(i) -> sayUncleared(i) :: else fi; i++
  :: else -> break
  od;
  sayStranded()
}

/* What broke, or else what still stands against each gate. */
inline sayAt_gate_execute() { sayOpen(); sayPlan() }
inline sayAt_gate_write() {
  sayStranded();
  if :: saying == 0 -> sayBroken() :: else fi;
  if :: saying == 0 -> sayBeforeWrite() :: else fi
}
inline sayAt_gate_deliver() { sayBeforeDeliver() }

/* An action that is not done again was undone for a reason, which is the reason behind this one. */
inline sayBehind() {
  j = 0;
  do
  :: j < saying && said[j] / 128 != EFFECT_CLOSED -> j++
  :: else -> break
  od;
  if
  :: j < saying ->
     j = 0;
     do
     :: j < causes -> assert(saying < REASONS); said[saying] = unmet[j]; saying++; j++
     :: else -> break
     od
  :: else
  fi
}

inline clearCauses() {
  j = 0;
  do
  :: j < causes -> unmet[j] = 0; j++
  :: else -> break
  od;
  causes = 0
}

inline keepCauses() {
  clearCauses();
  do
  :: causes < saying -> unmet[causes] = said[causes]; said[causes] = 0; causes++
  :: else -> break
  od;
  saying = 0
}
