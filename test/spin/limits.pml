/* What is asked of limits, recoveries and documents that changed. Written by hand; `properties.pml` asks it before and across each fact. */

#define isInDoubtHere(call, action) \
  (status[call] != ABSENT && ACTION(call) == (action) && (status[call] == STARTED || status[call] == DOUBTED))
#define isRollingBack(at, action) (made[at] != 0 && effectAction(at) == (action) && effect[at] == UNDOING)
#define isHeld(call, document) \
  (evidence[call] != 0 && (evidence[call] - 1) / (2 * BROUGHT) == (document) / 2 && isWord(evidence[call]) == (document) % 2)
/* what the model says where it is waited for; before that a question is the host's */
#define isTurn \
  (fact == F_plan_proposed || fact == F_calls_proposed || fact == F_draft_proposed || fact == F_output_rejected || \
   fact == F_help_requested || fact == F_capability_exceeded || (fact == F_information_requested && wasState != S_intake))
#define waitsForModel \
  (in_plan_proposing || in_plan_correcting || in_execute_concluding || in_execute_correcting)
#define isOverLimit(limit) ANY_REASON(REASON(BUDGET_SPENT, limit))
#define isDocumentChange (fact == F_evidence_changed || fact == F_output_changed)
#define REASON_OF_CHANGE \
  (fact == F_output_changed -> REASON(OUTPUT_CHANGED, OF_DRAFT) : REASON(EVIDENCE_HASH_MISMATCH, OF_DOCUMENT(x)))

inline beforeLimits() {
  if
  :: fact == F_call_started ->
     MUST("a call starts only within the limit on calls", (calls < MAX_CALLS));
  :: fact == F_recovery_started ->
     MUST("only an effect in doubt is looked up or made again",
       ((x == OF_EFFECT && ANY_CALL_OF(isInDoubtHere, y)) || (x == OF_ROLLBACK && ANY_EFFECT_OF(isRollingBack, y))));
     MUST("an effect is recovered no more often than its limit says", (recoveries[RECOVERY(x, y)] < MAX_RECOVERIES))
  :: fact == F_evidence_changed ->
     MUST("evidence that changed is what a call refers to", (given == 0 && ANY_CALL_OF(isHeld, x)))
  :: fact == F_output_changed ->
     MUST("a draft that changed is of a run that does not fail", (given == 0))
  :: else
  fi
}

inline acrossLimits() {
  MUST("each turn of the model is counted, and nothing else",
    (isAnew || modelCalls == wasModelCalls + (isTurn -> COUNTED_MODELCALLS : 0)));
  MUST("each call that starts is counted, and nothing else",
    (isAnew || calls == wasCalls + (fact == F_call_started -> COUNTED_CALLS : 0)));
  MUST("another request has turns and calls of its own", (!isAnew || (modelCalls == 0 && calls == 0)));
  i = 0;
  do
  :: i < 2 * ACTIONS ->
     MUST("each recovery is counted for its own effect, and nothing else",
       (recoveries[i] == (isAnew -> 0 : wasRecoveries[i] + (fact == F_recovery_started && RECOVERY(x, y) == i -> 1 : 0))));
     MUST("no effect is recovered beyond its limit", (recoveries[i] <= MAX_RECOVERIES));
     i++
  :: else -> break
  od;
  MUST("the model is asked for no turn beyond its limit", (!waitsForModel || modelCalls < MAX_MODELCALLS));
  MUST("a run fails for its turns only once they are spent",
    (!isOverLimit(OF_MODEL_CALLS) || modelCalls == MAX_MODELCALLS));
  MUST("a run fails for its calls only once they are spent", (!isOverLimit(OF_CALLS) || calls == MAX_CALLS));
  MUST("a document that changed ends the run, which is not repaired",
    (!isDocumentChange || (reasons[0] == REASON_OF_CHANGE && attempt == wasAttempt && repairs == wasRepairs)))
}
