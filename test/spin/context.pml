/*
 * A bounded context, and what is read of it. Written by hand.
 *
 * One stable state of the chart is one state here: whatever a fact needs on its way is put back to 0 when it is over.
 * World constants (CALLS, ACTIONS, TIER...) and quantifiers (ANY_CALL...) are printed before this file. A predicate that
 * stands inside a quantifier does not use that quantifier itself: the preprocessor would not open it twice.
 */

/* a call: how far it has come; 0 is a call that no plan in force asks for */
#define ABSENT 0
#define PROPOSED 1
#define ALLOWED 2
#define STARTED 3
#define ASKING 4
#define WAITING 5
#define SUCCEEDED 6
#define FAILED 7
#define DOUBTED 8
#define DROPPED 9 /* a read that was given up beside a call that failed */
#define REFUSED 10 /* a write that a person, or silence, refused */
byte status[CALLS];
bool underWay[CALLS];
bool cleared[CALLS]; /* policy, contract and approvals were looked at since the run last waited */
bool review[CALLS];
byte authority[CALLS];
bool approved[CALLS]; /* the authority's own approver stands with it; what an earlier attempt did keeps the authority alone */
byte evidence[CALLS]; /* 0, or which call brought it and what it says of itself, twice, plus 1, plus 1 more once it is stale */
byte code[CALLS];
bool awaited[CALLS]; /* its dependency is outstanding */
bool edited[CALLS]; /* a person replaced it */

/* what a call is: as it was proposed, or as the world's person edits it, at the place after the last */
#define EDITED CALLS
#define TIER(call) TIER_OF(AS(call))
#define ROLLBACK(call) ROLLBACK_OF(AS(call))
#define ACTION(call) ACTION_OF(AS(call))
#define TOOL(call) TOOL_OF(AS(call))
#define HAS_TOOL(call) HAS_TOOL_OF(AS(call))
#define SUBJECT(call, check) SUBJECT_OF(AS(call), check)

/* effects, in the order of commitment; which call made one, edited or not, plus 1 */
#define COMMITTED 1
#define UNDOING 2
#define UNDONE 3
#define STUCK 4
#define KEPT 5 /* its agent's host stayed away */
#define CLOSED 6 /* a person ruled it out */
byte made[ACTIONS];
byte effect[ACTIONS];
byte effectAuthority[ACTIONS];
byte effectEvidence[ACTIONS];
byte effects;

/* reports, by subject (every action, then the draft) and verifier */
#define PASS 1
#define FAIL 2
#define SUBJECTS (ACTIONS + 1)
#define DRAFT ACTIONS
#define AT(verifier, subject) ((subject) * VERIFIERS + (verifier))
byte report[SUBJECTS * VERIFIERS];
byte reportedOn[SUBJECTS * VERIFIERS]; /* the evidence collected when it was asked */
byte reportCode[SUBJECTS * VERIFIERS];
byte collected;

/* what the model says, and what a person waived of it */
#define OF_MODEL_TEXT 1
#define OF_PERSON_TEXT 2
byte plan; /* which plan, plus 1 */
byte planConfidence;
bool planWaived;
byte further; /* whose further calls, that no gate has let in yet */
byte furtherConfidence;
bool furtherWaived;
bool hasDrafted;
byte draftConfidence;
bool draftWaived;
bool isTight; /* the stricter version of the task class is in force */
bool goesOn; /* an agent in its own host proposed calls beside questions about others */

/* open questions: 1, or for a question of help 2 where it is about the draft */
#define Q_INFORMATION 0
#define Q_OUTPUT 1
#define Q_HELP 2
#define Q_HOST 3
#define Q_PLAN(p) (4 + (p))
#define Q_FURTHER (4 + PLANS)
#define Q_DRAFT (5 + PLANS)
#define Q_APPROVAL(action) (6 + PLANS + (action))
#define Q_DOUBT(call) (6 + PLANS + ACTIONS + (call))
#define Q_TOOL(call) (6 + PLANS + ACTIONS + CALLS + (call))
#define Q_FOLLOWUP (6 + PLANS + ACTIONS + CALLS + CALLS) /* never open: the state asks it */
#define QUESTIONS (Q_FOLLOWUP + 1)
byte question[QUESTIONS];
byte open;

/* how the next attempt begins */
#define next_execute 1
#define next_plan 2
#define next_revise 3

/* counts, and the ends */
byte attempt;
byte corrections;
byte repairs;
byte rounds;
byte refreshes;
byte pauses;
byte clearances;
byte revisions;
byte modelCalls;
byte calls;
/* how often each effect in doubt was looked up or made again: by its action, a call's before a rollback's */
#define OF_EFFECT 0
#define OF_ROLLBACK 1
#define RECOVERY(what, action) ((what) * ACTIONS + (action))
byte recoveries[2 * ACTIONS];
#define DELIVERED 1
#define FAILED_SAFE 2
#define CALLED_OFF 3
byte outcome;
byte request; /* which request is in progress: changes are another */

#define OFFERED 1
#define CHOSEN 2
#define DEFAULTED 3
#define WITHDRAWN 4
byte followup;

/* reasons and causes, in order: a code and what it is about in one number */
#define REASON(what, whom) ((what) * 128 + (whom))
short reasons[REASONS];
byte given;
short unmet[REASONS];
byte causes;

/* a fact and what it is about; what is said of it on the way; all of it 0 in a stable state */
byte fact;
byte x;
byte y;
byte z;
short said[REASONS];
byte saying;
byte i;
byte j;
byte k;
byte microsteps;

/* reason codes, numbered as they stand */
#define IDENTITY_INVALID 1
#define BEYOND_CAPABILITY 2
#define POLICY_BLOCKED 3
#define GUARD_ERROR 4
#define MODEL_UNAVAILABLE 5
#define POLICY_UNAVAILABLE 6
#define CANCELLED 7
#define EVIDENCE_HASH_MISMATCH 8
#define BUDGET_SPENT 9
#define INPUT_REQUIRED 10
#define OUTPUT_INVALID 11
#define CONFIDENCE_LOW 12
#define OUTPUT_MISSING 13
#define APPROVAL_REQUIRED 14
#define EFFECT_IN_DOUBT 15
#define EVIDENCE_MISSING 16
#define EVIDENCE_STALE 17
#define VERIFICATION_FAILED 18
#define VERIFIER_TIMEOUT 19
#define TOOL_FAILED 20
#define TOOL_TIMEOUT 21
#define EFFECT_CLOSED 22
#define ROLLBACK_REQUIRED 23
#define AUDIT_INCOMPLETE 24
#define RESUME_LOST 25
#define APPROVAL_EXPIRED 26
#define TOOL_CHANGED 27
#define TOOL_UNAVAILABLE 28
#define CALL_NOT_STARTED 29
#define HOST_UNAVAILABLE 30
#define HUMAN_REJECTED 31
#define QUESTION_EXPIRED 32
#define OUTPUT_CHANGED 33

/* what a reason is about */
#define OF_REQUEST 1
#define OF_MODEL 2
#define OF_TASK 3
#define OF_RUN 4
#define OF_PAUSES 5
#define OF_ROUNDS 6
#define OF_DRAFT 7
#define OF_PLAN 8
#define OF_FURTHER 9
#define OF_PLAN_TEXT(p) (10 + (p))
#define OF_CALL(call) (20 + (call))
#define OF_ACTION(action) (30 + (action))
#define OF_VERIFIER(verifier) (40 + (verifier))
#define OF_EVIDENCE(requirement) (50 + EVIDENCE_NAME(requirement))
#define OF_HOST 60
#define OF_CLEARANCES 61
#define OF_OUTPUT 62
#define OF_MODEL_CALLS 63
#define OF_CALLS 64
#define limit_modelCalls OF_MODEL_CALLS /* as the chart names it */
#define limit_calls OF_CALLS
#define OF_QUESTION(question) (70 + (question))
#define OF_DOCUMENT(evidence) (100 + (evidence))
#define OF_DEPENDENCY(call) (110 + (call))

/* calls */
#define isWrite(call) (TIER(call) != READ_ONLY)
#define isHighRisk(call) (TIER(call) == WRITE_HIGH_RISK)
#define isOutstanding(call) (status[call] == STARTED || status[call] == ASKING || status[call] == WAITING)
#define isDoubted(call) (status[call] == DOUBTED)
#define hasFailed(call) (status[call] == FAILED)
#define isUnsettled(call) (isOutstanding(call) || isDoubted(call) || hasFailed(call))
#define isToBeMade(call) (status[call] == PROPOSED || status[call] == ALLOWED)
#define isOwedWrite(call) (isWrite(call) && isToBeMade(call))
#define isAllowedRead(call) (!isWrite(call) && status[call] == ALLOWED)
#define isPolicyOwed(call) (status[call] == PROPOSED)
#define isAwaited(call) awaited[call]
#define isUnavailable(call) (isToBeMade(call) && !HAS_TOOL(call))
#define needsAuthority(call) (isHighRisk(call) || review[call])
#define isUnapproved(call) (isWrite(call) && status[call] == ALLOWED && needsAuthority(call) && authority[call] == 0)
#define isHalfDone(call) \
  (isWrite(call) && underWay[call] && (status[call] == ASKING || isToBeMade(call)))
#define isLanding(call) (isWrite(call) && (status[call] == STARTED || status[call] == WAITING))
#define isPausedWrite(call) (isWrite(call) && (status[call] == WAITING || status[call] == ASKING))
#define isIrrevocable(call) (isHighRisk(call) && isOwedWrite(call) && !ROLLBACK(call))
#define isFinal(call) (hasFailed(call) && (code[call] == EFFECT_CLOSED || code[call] == HUMAN_REJECTED))
#define isWaitingRead(call) (!isWrite(call) && isOutstanding(call))
#define isOf(call, action) (status[call] != ABSENT && ACTION(call) == (action))
#define isToBeMadeOf(call, action) (isOf(call, action) && isToBeMade(call))
#define isReadHere(call) (status[call] != ABSENT && !isWrite(call))
#define isClear(call) \
  (status[call] != PROPOSED && (!needsAuthority(call) || authority[call] != 0) && \
   (!isHighRisk(call) || ROLLBACK(call)))
#define isMadeWrite(call) (isWrite(call) && status[call] == SUCCEEDED)
#define isDoneUncleared(call) (isMadeWrite(call) && !isClear(call))

/* evidence (UAICP 5.1) */
#define FRESH(call, what) (2 * ((call) * BROUGHT + (what)) + 1)
#define WHAT(mark) (((mark) - 1) / 2 % BROUGHT)
#define isWord(mark) ((mark) != 0 && WHAT(mark) == WORD) /* a person's */
#define isDocument(mark, of) ((mark) != 0 && ((mark) - 1) / 2 / BROUGHT == (of) / 2 && isWord(mark) == (of) % 2)
#define isMarkOf(mark, of) ((mark) % 2 == 1 && isDocument(mark, of))
#define isStale(mark) ((mark) != 0 && (mark) % 2 == 0)
#define aged(mark) ((mark) + (mark) % 2)
#define isAbout(call, write, check) \
  (SUBJECT(write, check) != 0 && SUBJECT(write, check) == SUBJECT_BROUGHT(WHAT(evidence[call]), check))
#define meets(call, write, isOfTool, isOfPerson, tool, allowsEmpty, check, isOfAction) \
  ((isWord(evidence[call]) -> (isOfPerson) : (isOfTool)) && ((tool) == ANY_TOOL || TOOL(call) == (tool)) && \
   ((allowsEmpty) || !SAYS_NOTHING(WHAT(evidence[call]))) && \
   ((check) == NONE || PASSED_CHECK(WHAT(evidence[call]), check)) && \
   (!(isOfAction) || (write) == NONE || isAbout(call, write, check)))
#define brought(call, requirement, write) \
  (status[call] == SUCCEEDED && evidence[call] != 0 && ANSWERS(meets, requirement, call, write))
#define broughtFresh(call, requirement, write) (brought(call, requirement, write) && !isStale(evidence[call]))
/* for each of the writes W, or where there is none, at all */
#define serves(write, requirement, B, W) (!W(write) || ANY_CALL_FOR(B, requirement, write))
#define isServed(B, W, requirement) \
  ((ANY_CALL(W) || ANY_CALL_FOR(B, requirement, NONE)) && EVERY_CALL_BY(serves, requirement, B, W))
#define isHeldBeforeWrite(requirement) isServed(broughtFresh, isOwedWrite, requirement)
#define isNotMissing(requirement) isServed(brought, isOwedWrite, requirement)
#define isHeldBeforeDeliver(requirement) isServed(broughtFresh, isMadeWrite, requirement)
#define isStaleRead(call) (!isWrite(call) && isStale(evidence[call]))
#define restsOnStale (ANY_CALL(isOwedWrite) && ANY_CALL(isStaleRead))

/* calls and reports that are owed */
#define mayRead (!ANY_CALL(hasFailed) && isSure)
#define readsAreOwed (mayRead && ANY_CALL(isAllowedRead))
#define NEXT_WRITE FIRST_CALL(isOwedWrite)
#define mayLand ANY_CALL(isLanding)
#define stands(verifier, subject) \
  (report[AT(verifier, subject)] != 0 && reportedOn[AT(verifier, subject)] == collected)
#define failsOn(subject, verifier) (report[AT(verifier, subject)] == FAIL)
#define hasPassed(verifier, subject) \
  (stands(verifier, subject) && report[AT(verifier, subject)] == PASS && !ANY_SUBJECT_OF(failsOn, verifier))
#define owesCheck(call) (isOwedWrite(call) && !EVERY_VERIFIER_BEFORE_WRITE(stands, ACTION(call)))
#define isUnchecked(call) (isOwedWrite(call) && !EVERY_VERIFIER_BEFORE_WRITE(hasPassed, ACTION(call)))
#define checksAreOwed ANY_CALL(owesCheck)

/* effects, by their place in the order of commitment */
#define lacksEvidenceAlone (given > 0 && !ANY_REASON_OF(isAboutMore, EVIDENCE_MISSING))
#define isAboutMore(at, what) (reasons[at] != 0 && reasons[at] / 128 != (what))
#define effectAction(at) ACTION_OF(made[at] - 1)
#define isCommitted(at) (effect[at] == COMMITTED)
#define isUndoing(at) (effect[at] == UNDOING)
#define isKnown(at, action) (made[at] != 0 && effectAction(at) == (action))
#define isStray(at) (made[at] != 0 && effect[at] != UNDONE && effect[at] != KEPT && effect[at] != CLOSED && !ANY_CALL_OF(isOf, effectAction(at)))
#define isUndoable(at) (effect[at] == COMMITTED && ROLLBACK_OF(made[at] - 1))
#define isKnownByWord(at) ((effectEvidence[at] == 0 || isWord(effectEvidence[at])) && lacksEvidenceAlone)
#define isUndoableStray(at) (isStray(at) && isUndoable(at))
#define isToGo(at) (isUndoable(at) && (given > 0 -> !isKnownByWord(at) : isStray(at)))
#define NEXT_UNDO (ANY_EFFECT(isUndoing) -> FIRST_EFFECT(isUndoing) : (mayLand -> NONE : LAST_EFFECT(isToGo)))

/* what stands against the gates: nothing */
#define mayPause (pauses < MAX_PAUSES)
#define isPlanConfident (plan != 0 && (planWaived || IS_ENOUGH(planConfidence)))
#define isFurtherConfident (further == 0 || furtherWaived || IS_ENOUGH(furtherConfidence))
#define isSure (isPlanConfident && isFurtherConfident)
#define isDraftConfident (hasDrafted && (draftWaived || IS_ENOUGH(draftConfidence)))
#define isNewDoubt(call) (isDoubted(call) && question[Q_DOUBT(call)] == 0)
#define isAnyOutputUnsure \
  ((plan != 0 && !isPlanConfident) || !isFurtherConfident || (hasDrafted && !isDraftConfident))
#define nothingIsOpen (given == 0 && open == 0 && !ANY_CALL(isAwaited))
#define isUncleared(call) (isOwedWrite(call) && !isClear(call))
#define isRepeated(call) (isOwedWrite(call) && ANY_EFFECT_OF(isKnown, ACTION(call)))
#define writeIsCleared \
  (nothingIsOpen && isSure && EVERY_EVIDENCE_BEFORE_WRITE(isHeldBeforeWrite) && !ANY_CALL(isUnsettled) && \
   !readsAreOwed && !restsOnStale && !ANY_EFFECT(isStray) && !ANY_CALL(isUnchecked) && \
   !ANY_CALL(isUncleared) && !ANY_CALL(isRepeated))

/* the write that goes on beside questions, all of them about the approval of others */
#define isClearedWrite(call) (isWrite(call) && status[call] == ALLOWED && (!needsAuthority(call) || authority[call] != 0))
#define asksForApproval (given == 0 && open > 0 && open == APPROVALS_ASKED)
#define mayGoBeside \
  (asksForApproval && calls < MAX_CALLS && !ANY_CALL(isAwaited) && isSure && \
   !ANY_CALL(isUnsettled) && !readsAreOwed && !restsOnStale && !ANY_EFFECT(isStray))
#define isServedFor(requirement) ANY_CALL_FOR(broughtFresh, requirement, k)
#define isAlone \
  (question[Q_APPROVAL(ACTION(k))] == 0 && isClear(k) && !ANY_EFFECT_OF(isKnown, ACTION(k)) && \
   EVERY_VERIFIER_BEFORE_WRITE(hasPassed, ACTION(k)) && EVERY_EVIDENCE_BEFORE_WRITE(isServedFor))

/* what is owed beside such questions once an agent in its own host proposed calls there */
#define isBeside (goesOn && asksForApproval && !isBroken)
#define isUnaskedWrite(call) (isOwedWrite(call) && question[Q_APPROVAL(ACTION(call))] == 0)
#define isNewApproval(call) (isUnapproved(call) && question[Q_APPROVAL(ACTION(call))] == 0)
#define checksAreNext (checksAreOwed && (open == 0 || (isBeside && ANY_CALL(isUnaskedWrite))))
#define policyIsNext (ANY_CALL(isPolicyOwed) && (open == 0 || (isBeside && !checksAreOwed)))

/* what would be wrong with the further calls in the plan, and no report on any write */
#define isClosed(at, action) (isKnown(at, action) && effect[at] != COMMITTED)
#define isFurtherWrite(call) (IS_FURTHER(call) && isWrite(call))
#define isOwedThen(call) (isOwedWrite(call) || (IS_FURTHER(call) && isWrite(call) && !ANY_EFFECT_OF(isKnown, ACTION(call))))
#define isWrongThen(call) \
  (isDoubted(call) || hasFailed(call) || (isOwedThen(call) && isHighRisk(call) && !ROLLBACK(call)) || \
   (IS_FURTHER(call) && isWrite(call) && ANY_EFFECT_OF(isClosed, ACTION(call))))
#define isHeldThen(requirement) isServed(broughtFresh, isOwedThen, requirement)
#define wouldBreak \
  (ANY_CALL(isWrongThen) || \
   (ANY_CALL(isOwedThen) && (!EVERY_EVIDENCE_BEFORE_WRITE(isHeldThen) || ANY_CALL(isStaleRead))))

/* found once a step, and read by the next one */
byte beside = NONE; /* the write that goes on beside questions */
bool awaitsVerifier; /* a verifier is next there */
bool awaitsPolicy; /* the policy is next there */
byte nextUndo = NONE;
