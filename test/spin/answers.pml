/* What a person's answer does to a bounded context, and what silence does. Written by hand. */

/* A person asks for another plan: counted. */
inline planAgain() { closeQuestions(); revisions++ }

/* A rejected output is planned again while revisions last. */
inline rejectOutput() {
  if
  :: mayRevise -> planAgain()
  :: else -> failFor(HUMAN_REJECTED, OF_OUTPUT)
  fi
}

/* A person's plan stands for all that the model proposed. */
inline replacePlan(which) {
  takePlan(which, SURE, true);
  clearFurther();
  clearDraft();
  clearReports();
  closeQuestions()
}

inline answerHelp(how, what) {
  if
  :: how == EDIT && what != 0 -> replacePlan(what - 1)
  :: how == EDIT && what == 0 -> takeDraft(SURE, true)
  :: how == INSTRUCTION -> corrections = 0; revisions++
  :: how == REJECT -> rejectOutput()
  fi
}

inline answerOutput(which, how, what) {
  if
  :: how == INSTRUCTION -> planAgain()
  :: how == REJECT -> rejectOutput()
  :: how == APPROVE && which < Q_FURTHER -> planWaived = true
  :: how == APPROVE && which == Q_FURTHER -> furtherWaived = true
  :: how == APPROVE && which == Q_DRAFT -> draftWaived = true
  :: (how == EDIT || how == RANK) && which < Q_FURTHER -> replacePlan(what - 1)
  :: (how == EDIT || how == RANK) && which == Q_FURTHER ->
     further = OF_PERSON_TEXT; furtherConfidence = SURE; furtherWaived = true
  :: (how == EDIT || how == RANK) && which == Q_DRAFT -> takeDraft(SURE, true)
  fi
}

/* The writes of an action are not made: what was under way may have happened. */
inline decline(action, why) {
  i = 0;
  do
  :: i < CALLS ->
     if
     :: isToBeMadeOf(i, action) -> status[i] = (underWay[i] -> DOUBTED : REFUSED); code[i] = why
     :: else
     fi;
     i++
  :: else -> break
  od
}

/* New arguments are a new action: the policy decides again, and only who approved that action stands behind it. */
inline edit(action) {
  k = NONE;
  i = 0;
  do
  :: i < CALLS ->
     if
     :: k == NONE && isToBeMadeOf(i, ACTION_OF(EDITED)) && !isOf(i, action) -> k = i
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS ->
     if
     :: isToBeMadeOf(i, action) ->
        forget(i);
        edited[i] = true;
        join(i);
        if :: k != NONE -> authority[i] = authority[k]; approved[i] = approved[k] :: else fi
     :: else
     fi;
     i++
  :: else -> break
  od
}

inline answerApproval(action, how) {
  if
  :: how == APPROVE -> approve(action, PERSON)
  :: how == EDIT -> edit(action)
  :: how == INSTRUCTION -> planAgain()
  :: how == REJECT -> decline(action, HUMAN_REJECTED)
  fi
}

/* What a person knows of an effect in doubt: it happened, it did not, or it did not and must not. */
inline answerDoubt(call, how, what) {
  if
  :: how == EDIT && what == NOT_DONE -> resume(call); code[call] = 0
  :: else ->
     i = 0;
     do
     :: i < CALLS ->
        if
        :: isTwin(i, call) && how == REJECT -> share(i, call, FAILED, evidence[i], HUMAN_REJECTED)
        :: isTwin(i, call) && how != REJECT -> share(i, call, SUCCEEDED, FRESH(call, WORD), 0)
        :: else
        fi;
        i++
     :: else -> break
     od;
     commit(call, (how == REJECT -> CLOSED : COMMITTED));
     if :: how != REJECT -> collected++ :: else fi
  fi
}

inline answerTool(call, how) {
  if
  :: how == REJECT -> giveUp(call, HUMAN_REJECTED)
  :: else -> resume(call)
  fi
}

inline answer(which, how, what) {
  if
  :: which == Q_INFORMATION && how == REJECT -> failFor(HUMAN_REJECTED, OF_REQUEST)
  :: which == Q_INFORMATION && how != REJECT -> skip
  :: which == Q_HOST && how == REJECT -> failFor(HOST_UNAVAILABLE, OF_HOST)
  :: which == Q_HOST && how != REJECT -> keep()
  :: ofHelp(which) -> answerHelp(how, what)
  :: ofOutput(which) -> answerOutput(which, how, what)
  :: ofApproval(which) -> answerApproval(which - Q_APPROVAL(0), how)
  :: ofDoubt(which) -> answerDoubt(which - Q_DOUBT(0), how, what)
  :: ofTool(which) -> answerTool(which - Q_TOOL(0), how)
  fi
}

/* Nobody answered: the declared default is taken, or the run fails. Silence is never a waiver. */
inline expire(which) {
  if
  :: which == Q_INFORMATION && DEFAULTS_INFORMATION -> closeQuestion(which)
  :: ofApproval(which) && DEFAULTS_APPROVAL -> closeQuestion(which); decline(which - Q_APPROVAL(0), QUESTION_EXPIRED)
  :: ofTool(which) && DEFAULTS_TOOL -> closeQuestion(which); resume(which - Q_TOOL(0))
  :: which == Q_HOST -> closeQuestion(which); keep()
  :: else -> failFor(QUESTION_EXPIRED, OF_QUESTION(which))
  fi
}

/* Changes of what was delivered are another request in the same task. */
inline beginAnew(which) {
  request = which;
  outcome = 0; followup = 0; attempt = 0; collected = 0; effects = 0;
  corrections = 0; repairs = 0; rounds = 0; refreshes = 0; pauses = 0; clearances = 0; revisions = 0;
  modelCalls = 0; calls = 0; goesOn = false;
  clearPlan();
  clearFurther();
  clearDraft();
  clearReports();
  clearQuestions();
  clearCauses();
  i = 0;
  do
  :: i < CALLS -> forget(i); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < ACTIONS -> made[i] = 0; effect[i] = 0; effectAuthority[i] = 0; effectEvidence[i] = 0;
     recoveries[RECOVERY(OF_EFFECT, i)] = 0; recoveries[RECOVERY(OF_ROLLBACK, i)] = 0; i++
  :: else -> break
  od
}
