/* What each action of the chart does to a bounded context: one macro an action. Written by hand. */

#define applyFact(type) record_##type(x, y, z); giveUpUnavailable(); dropReads(); unask(); lapseOthers()

/* The trail of what was entered is reported and never read. */
#define enter(phase) skip

inline ask() {
  i = 0;
  do
  :: i < CALLS -> if :: isDoubted(i) -> openQuestion(Q_DOUBT(i), 1) :: else fi; i++
  :: else -> break
  od;
  if
  :: !ANY_CALL(isDoubted) ->
     if :: plan != 0 && !isPlanConfident -> openQuestion(Q_PLAN(plan - 1), 1) :: else fi;
     if :: !isFurtherConfident -> openQuestion(Q_FURTHER, 1) :: else fi;
     if :: hasDrafted && !isDraftConfident -> openQuestion(Q_DRAFT, 1) :: else fi
  :: else
  fi;
  if
  :: !ANY_CALL(isDoubted) && !isAnyOutputUnsure ->
     i = 0;
     do
     :: i < CALLS -> if :: isUnapproved(i) -> openQuestion(Q_APPROVAL(ACTION(i)), 1) :: else fi; i++
     :: else -> break
     od
  :: else
  fi;
  pauses++;
  lapse()
}

#define applyTurn(type) applyFact(type); modelCalls = modelCalls + COUNTED_MODELCALLS

#define exceed(limit) failFor(BUDGET_SPENT, limit)
#define askLimit(limit) skip /* no class of these worlds asks at its limits */

inline extend() {
  i = 0;
  do
  :: i < CALLS -> if :: IS_FURTHER(i) -> propose(i) :: else fi; i++
  :: else -> break
  od;
  clearFurther();
  clearReports();
  giveUpUnavailable()
}

inline goOn() { applyTurn(calls_proposed); extend(); goesOn = true; lapseOthers() }

inline refresh() {
  i = 0;
  do
  :: i < CALLS -> if :: isStaleRead(i) -> status[i] = ALLOWED; evidence[i] = 0 :: else fi; i++
  :: else -> break
  od;
  giveUpUnavailable();
  refreshes++
}

#define repair(gate, next) sayAt_##gate(); keepCauses(); repairs++; supersede(next)

inline stop() {
  if :: given == 0 -> failFor(RESUME_LOST, OF_RUN) :: else fi
}

inline revise() { applyFact(human_responded); supersede(next_revise) }

#define fail(gate) \
  if \
  :: given == 0 -> sayAt_##gate(); sayBehind() \
  :: else \
  fi; \
  give()

inline failUnanswered() {
  if :: question[Q_HOST] != 0 -> keep() :: else fi; /* its declared default */
  if :: question[Q_INFORMATION] != 0 -> say(INPUT_REQUIRED, OF_REQUEST) :: else fi;
  if :: question[Q_OUTPUT] != 0 -> say(OUTPUT_INVALID, (question[Q_OUTPUT] == 1 -> OF_PLAN : OF_DRAFT)) :: else fi;
  if :: question[Q_HELP] != 0 -> say(OUTPUT_INVALID, (question[Q_HELP] == 1 -> OF_PLAN : OF_DRAFT)) :: else fi;
  i = 0;
  do
  :: i < PLANS -> if :: question[Q_PLAN(i)] != 0 -> say(CONFIDENCE_LOW, OF_PLAN_TEXT(i)) :: else fi; i++
  :: else -> break
  od;
  if :: question[Q_FURTHER] != 0 -> say(CONFIDENCE_LOW, OF_FURTHER) :: else fi;
  if :: question[Q_DRAFT] != 0 -> say(CONFIDENCE_LOW, OF_DRAFT) :: else fi;
  i = 0;
  do
  :: i < ACTIONS -> if :: question[Q_APPROVAL(i)] != 0 -> say(APPROVAL_REQUIRED, OF_ACTION(i)) :: else fi; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS ->
     if :: question[Q_DOUBT(i)] != 0 -> say(EFFECT_IN_DOUBT, OF_CALL(i)) :: else fi;
     if :: question[Q_TOOL(i)] != 0 -> say(INPUT_REQUIRED, OF_CALL(i)) :: else fi;
     i++
  :: else -> break
  od;
  give()
}

inline deliver() { outcome = DELIVERED }

inline choose() { applyFact(human_responded); followup = (y == REJECT -> WITHDRAWN : CHOSEN) }

inline withdraw() { followup = WITHDRAWN }

inline failSafe() {
  i = 0;
  do
  :: i < ACTIONS ->
     if
     :: effect[i] == COMMITTED || effect[i] == STUCK -> say(ROLLBACK_REQUIRED, OF_ACTION(effectAction(i)))
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> if :: isDoubted(i) -> sayUnsettled(i) :: else fi; i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < CALLS -> if :: isHalfDone(i) -> say(EFFECT_IN_DOUBT, OF_CALL(i)) :: else fi; i++
  :: else -> break
  od;
  give();
  clearQuestions();
  outcome = (reasons[0] == REASON(CANCELLED, OF_TASK) -> CALLED_OFF : FAILED_SAFE)
}
