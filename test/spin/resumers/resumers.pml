/*
 * N processes resume one parked task. Each brings an answer to its question; the one that owns the store makes the write that the
 * task then owes. Around them: a deadline, somebody who cancels, crashes, a slow tool, and the person who is asked of a doubt.
 *
 * One step is what the port does in one piece: a load, a commit, a request sent, an effect in the world. Without switches it
 * is the design; each switch takes one part of it away (variants.ts).
 */

#ifndef N
#define N 2
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef LOSSES
#define LOSSES 1 /* requests that never arrive */
#endif

/* What the tool declares: what becomes of an intent without an outcome. */
#define IDEMPOTENT 1   /* again, under the same key */
#define RECONCILABLE 2 /* lookup(key): done, absent or unknown */
#define UNSAFE 3       /* a person decides */
#ifndef DECLARED
#define DECLARED IDEMPOTENT
#endif

#if N > 4
#error "for up to 4 processes"
#elif N == 4
#define EACH(what) what(0); what(1); what(2); what(3)
#define ALL(what) (what(0) && what(1) && what(2) && what(3))
#elif N == 3
#define EACH(what) what(0); what(1); what(2)
#define ALL(what) (what(0) && what(1) && what(2))
#else
#define EACH(what) what(0); what(1)
#define ALL(what) (what(0) && what(1))
#endif

/* What the record says. */
#define ASKED 1     /* parked: its question is open */
#define ALLOWED 2   /* answered: the write is owed */
#define STARTED 3   /* the intent stands, without an outcome */
#define DOUBTED 4   /* a person is asked whether it was done */
#define DELIVERED 5
#define LANDED 6    /* stopped, but the write was done: to be rolled back */
#define STOPPED 7   /* nothing was done */
#define REPORTED 8  /* stopped, and what is not known is reported */

/* What is stored: a commit replaces all of it. */
byte status = ASKED;
byte by; /* the key of the step that answered; 0 is none */
bool isStopped;

/* What each process is about to do; what it has loaded counts until it has written, or given up. */
#define NEW 0         /* its answer is not told of */
#define FINDING 1     /* asked for the key before it loaded; it was not there */
#define ANSWERING 2   /* loaded: the question is open */
#define REFUSING 3    /* loaded: the question is not open */
#define TELLING 4     /* its answer is written */
#define IDLE 5        /* its sender was told */
#define BEGINNING 6   /* loaded: the write is owed */
#define LOOKING 7     /* loaded: an intent that it did not carry out */
#define SENDING 8
#define WAITING 9
#define REPLIED 10    /* it has the outcome */
#define CONCLUDING 11 /* loaded: the outcome counts */
#define PATIENT 12    /* the deadline of the call has passed */
#define DOUBTING 13   /* loaded: there is no outcome */
#define RULING 14     /* loaded: nothing was done, and nothing may be */
#define CLOSING 15    /* loaded: the same as LOOKING, of a task that is stopped */
#define GONE 16
byte stage[N];

/* A sequence number is only ever compared: whether what was loaded is still the last of it says as much. */
#define STALE 2
#define FRESH 1
byte view[N];
#ifdef NAIVE
byte wasBy[N];
bool wasStopped[N];
#endif

/* The world. */
#define NOBODY N
byte owner = NOBODY;
byte fired;    /* real effects; 2 stands for more */
byte sent[N];  /* requests under way, of processes that live */
byte orphaned; /* of processes that do not */
bool replied[N];
byte living = N;
byte crashes = CRASHES;
byte losses = LOSSES;
byte rulings = 2; /* answers of the person who is asked of a doubt */
bool isForgotten;
bool hasLapsed;
bool isCalm; /* from now on nobody crashes, stops, or answers */

/* What properties alone read. */
#define TAKEN 1
#define REFUSED 2
byte told[N];
bool hasStopped;
bool isForbidden; /* it was stopped before any intent that could still lead to an effect */

#define isSettled (status >= DELIVERED)
#ifdef NO_INTENT
#define isOpen (status == ALLOWED)
#else
#define isOpen (status == STARTED)
#endif
#define isIdle(who) (sent[who] == 0)
#define isQuiet (orphaned == 0 && ALL(isIdle))

/* What a switch takes away. */
#ifdef NO_OWNER
#define mayPerform true
#else
#define mayPerform (owner == NOBODY || owner == me)
#endif
#ifdef HASTY_LOOKUP
#define isAbsent (fired == 0)
#else
#define isAbsent (fired == 0 && isQuiet)
#endif
#ifdef HASTY_PERSON
#define isClear true
#else
#define isClear (fired > 0 || isQuiet)
#endif
#ifdef NO_KEY
#define isKnown false
#else
#define isKnown (fired > 0 && !isForgotten)
#endif
#ifdef ONE_ANSWER
#define ANSWER(who) 1 /* one person's, sent to every process */
#else
#define ANSWER(who) (who + 1)
#endif

#define ONCE 1  /* at most one effect */
#define TRUE 2  /* delivered: exactly one; ended with nothing done: none */
#define HALT 3  /* a stop that was taken stays taken, and no effect begins after it */
#define HEARD 4 /* the answer that was said to be taken is the one on record, and one that was said to be refused is not */
#define ENDS 5  /* where nothing more happens, the task is settled or asks a person, and every sender was told */

#include "../says.pml"

#define isKept(who) \
  ((told[who] != TAKEN || by == ANSWER(who)) && (told[who] != REFUSED || by != ANSWER(who)))
#define isTold(who) (told[who] != 0 || stage[who] == GONE)

inline judge() {
  MUST(ONCE, fired <= 1);
  MUST(TRUE, ((status != DELIVERED && status != LANDED) || fired == 1) && (status != STOPPED || fired == 0));
  MUST(HALT, !hasStopped || isStopped);
  MUST(HEARD, ALL(isKept))
}

#define ages(who) view[who] = (view[who] == FRESH -> STALE : view[who])

/* Writes a whole step, now that its writer has loaded what it follows. */
inline write(next, answer, stop) {
  status = next; by = answer; isStopped = stop;
  EACH(ages)
}

#ifdef NAIVE
#define BY wasBy[me]
#define IS_STOPPED wasStopped[me]
#define isNext true /* what was written since it loaded is written over */
inline load() { view[me] = FRESH; wasBy[me] = by; wasStopped[me] = isStopped }
inline forget() { view[me] = 0; wasBy[me] = 0; wasStopped[me] = false }
#else
#define BY by
#define IS_STOPPED isStopped
#define isNext (view[me] == FRESH)
inline load() { view[me] = FRESH }
inline forget() { view[me] = 0 }
#endif

inline commit(next, answer, then, otherwise) {
  if
  :: isNext -> write(next, answer, IS_STOPPED); stage[me] = then
  :: else -> printf("but comes too late\n"); stage[me] = otherwise
  fi;
  forget();
  judge()
}

inline tell(what) {
  told[me] = what;
  stage[me] = IDLE;
  if
  :: what == TAKEN -> printf("%d: says that it was taken\n", me + 1)
  :: else -> printf("%d: says that it was refused\n", me + 1)
  fi;
  forget();
  judge()
}

/* Its requests go on without it; the lock does not. */
inline crash(next) {
  printf("%d: crashes\n", me + 1);
  crashes--;
  orphaned = orphaned + sent[me];
  sent[me] = 0;
  replied[me] = false;
  forget();
  stage[me] = next;
#ifndef STALE_LOCK
  if
  :: owner == me -> owner = NOBODY
  :: else
  fi
#endif
}

inline effect() {
  if
  :: isKnown -> printf("the tool knows the key\n")
  :: else -> printf("the tool does it\n"); fired = (fired < 2 -> fired + 1 : 2); MUST(HALT, !isForbidden)
  fi;
  judge()
}

proctype resumer(byte me) {
  do
  /* Its answer. Who sends it again after a crash sends the same key; it is looked for after what was loaded, not before. */
#ifdef FIND_FIRST
  :: d_step { stage[me] == NEW && by == ANSWER(me) -> tell(TAKEN) }
  :: d_step { stage[me] == NEW && by != ANSWER(me) -> printf("%d: does not find its key\n", me + 1); stage[me] = FINDING }
  :: d_step { stage[me] == FINDING ->
#else
  :: d_step { stage[me] == NEW ->
#endif
      load();
      printf("%d: loads\n", me + 1);
      stage[me] = (status == ASKED -> ANSWERING : REFUSING)
    }
#ifdef NO_RELOAD
#define AFTERWARDS ANSWERING
#else
#define AFTERWARDS NEW
#endif
  :: d_step { stage[me] == ANSWERING ->
      printf("%d: writes its answer\n", me + 1);
      commit(ALLOWED, ANSWER(me), TELLING, AFTERWARDS)
    }
#if defined(NO_SEND_KEY) || defined(FIND_FIRST)
  :: d_step { stage[me] == REFUSING -> tell(REFUSED) }
#else
  :: d_step { stage[me] == REFUSING -> tell((by == ANSWER(me) -> TAKEN : REFUSED)) }
#endif
  :: d_step { stage[me] == TELLING -> tell(TAKEN) }

  /* What the task owes. */
  :: d_step { stage[me] == IDLE && mayPerform && status == ALLOWED ->
      owner = me;
      load();
      printf("%d: sees that the write is owed\n", me + 1);
#ifdef NO_INTENT
      forget();
      stage[me] = SENDING
#else
      stage[me] = BEGINNING
#endif
    }
  :: d_step { stage[me] == BEGINNING ->
#ifdef OUTCOME_FIRST
      printf("%d: writes that it was done\n", me + 1);
      commit(DELIVERED, BY, SENDING, IDLE)
#else
      printf("%d: writes the intent\n", me + 1);
      commit(STARTED, BY, SENDING, IDLE)
#endif
    }
  :: d_step { stage[me] == SENDING ->
      printf("%d: asks the tool\n", me + 1);
      replied[me] = false;
      sent[me]++;
      stage[me] = WAITING
    }
  :: d_step { stage[me] == WAITING && replied[me] -> stage[me] = REPLIED }
  :: d_step { stage[me] == WAITING && !replied[me] -> printf("%d: waits no longer\n", me + 1); stage[me] = PATIENT }
  :: d_step { stage[me] == REPLIED ->
      replied[me] = false;
      load();
      if
      :: isOpen || status == DOUBTED -> stage[me] = CONCLUDING
      :: else -> forget(); stage[me] = IDLE
      fi
    }
  :: d_step { stage[me] == CONCLUDING ->
      printf("%d: writes that it was done\n", me + 1);
      commit((IS_STOPPED -> LANDED : DELIVERED), BY, IDLE, REPLIED)
    }
  :: d_step { stage[me] == PATIENT ->
      load();
      if
      :: isOpen -> stage[me] = DOUBTING
      :: else -> forget(); stage[me] = IDLE
      fi
    }
  :: d_step { stage[me] == DOUBTING ->
      printf("%d: writes that it is in doubt\n", me + 1);
      commit((IS_STOPPED -> REPORTED : DOUBTED), BY, IDLE, PATIENT)
    }
  /* It is heard late, as long as the doubt is open. */
  :: d_step { stage[me] == IDLE && mayPerform && status == DOUBTED && replied[me] -> owner = me; stage[me] = REPLIED }

  /* An intent that it did not carry out: as the tool declares. What was stopped is not begun again. */
  :: d_step { stage[me] == IDLE && mayPerform && status == STARTED ->
      owner = me;
      load();
      printf("%d: finds an intent without an outcome\n", me + 1);
#if DECLARED == UNSAFE
      stage[me] = DOUBTING
#elif DECLARED == RECONCILABLE
      stage[me] = (isStopped -> CLOSING : LOOKING)
#else
      if
#ifndef FIRE_STOPPED
      :: isStopped -> stage[me] = DOUBTING
#endif
      :: else -> MUST(HALT, !isStopped); forget(); stage[me] = SENDING
      fi
#endif
    }
#if DECLARED == RECONCILABLE
#define isLooking (stage[me] == LOOKING || stage[me] == CLOSING)
  :: d_step { isLooking && fired > 0 -> printf("%d: hears from the tool: done\n", me + 1); stage[me] = CONCLUDING }
  :: d_step { stage[me] == LOOKING && isAbsent -> printf("%d: hears from the tool: absent\n", me + 1); forget(); stage[me] = SENDING }
  :: d_step { stage[me] == CLOSING && isAbsent -> printf("%d: hears from the tool: absent\n", me + 1); stage[me] = RULING }
  :: d_step { isLooking -> printf("%d: hears from the tool: unknown\n", me + 1); stage[me] = DOUBTING }
  :: d_step { stage[me] == RULING ->
      printf("%d: writes that it was not done\n", me + 1);
      commit(STOPPED, BY, IDLE, IDLE)
    }
#endif

  :: d_step { crashes > 0 && !isCalm && stage[me] != GONE -> crash((told[me] == 0 -> NEW : IDLE)) }
  :: d_step { crashes > 0 && !isCalm && stage[me] != GONE && living > 1 -> living--; crash(GONE) }
#ifdef LEASE
  :: d_step { owner == me && !hasLapsed && !isCalm ->
      printf("%d: is slow and loses its lease\n", me + 1);
      hasLapsed = true;
      owner = NOBODY
    }
#endif

  /* The tool, as this process reaches it. */
  :: d_step { sent[me] > 0 -> sent[me]--; replied[me] = true; effect() }
  :: d_step { sent[me] > 0 && losses > 0 && !isCalm -> sent[me]--; losses--; printf("a request is lost\n") }
  od
}

/* They load and commit again until they win, or have nothing to say: what they do is the last of it, in one piece. */
proctype others() {
  do
  :: d_step { orphaned > 0 -> orphaned--; effect() }
  :: d_step { orphaned > 0 && losses > 0 && !isCalm -> orphaned--; losses--; printf("a request is lost\n") }
#ifdef FORGETS
  :: d_step { fired > 0 && !isForgotten && !isCalm -> isForgotten = true; printf("the tool forgets its keys\n") }
#endif

  :: d_step { (status == ASKED || status == ALLOWED) && !isCalm ->
      printf("a deadline passes, or somebody cancels\n");
      hasStopped = true;
      isForbidden = true;
      write(STOPPED, by, true);
      judge()
    }
  :: d_step { (status == STARTED || status == DOUBTED) && !isStopped && !isCalm ->
      printf("somebody cancels\n");
      hasStopped = true;
      write((status == STARTED -> STARTED : REPORTED), by, true);
      judge()
    }

  :: d_step { status == DOUBTED && fired > 0 && rulings > 0 && !isCalm ->
      printf("a person says: it was done\n");
      rulings--;
      write(DELIVERED, by, isStopped);
      judge()
    }
  :: d_step { status == DOUBTED && fired == 0 && isClear && rulings > 0 && !isCalm ->
      printf("a person says: it was not done, and may be\n");
      rulings--;
      write(ALLOWED, by, isStopped);
      judge()
    }
  :: d_step { status == DOUBTED && fired == 0 && isClear && rulings > 0 && !isCalm ->
      printf("a person says: it was not done, and must not be\n");
      rulings--;
      write(STOPPED, by, isStopped);
      judge()
    }

  :: d_step { !isCalm -> isCalm = true }
  :: timeout ->
    d_step {
      c_code { saysOnce("ended", now.status); };
      MUST(ENDS, (isSettled || status == DOUBTED) && ALL(isTold))
    };
    break
  od
}

#define start(who) run resumer(who)

init { atomic { run others(); EACH(start) } }
