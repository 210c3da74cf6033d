/*
 * N nodes share one task that owes a write, and its rollback if somebody cancels. A node holds the task by a lease, under a fence.
 * A node may pause at any step: it just does not move. Its lease then lapses, and another node takes the task.
 *
 * One step is what happens in one piece: a commit, a look at the own clock, a request sent, an effect in the world. Without
 * switches it is the design; each switch takes one part of it away (variants.ts).
 */

#include "../says.pml"

#ifndef N
#define N 2
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#define LAPSES 2   /* leases that lapse though their holder lives */
#define RELEASES 1 /* holds that are let go */
#define LOSSES 1   /* requests that never arrive */
#define FENCES 7   /* one more than can be taken */
#if 1 + CRASHES + LAPSES + RELEASES >= FENCES
#error "for up to 6 holders"
#endif

/* What the tool declares: what becomes of an intent of an earlier fence. */
#define IDEMPOTENT 1   /* again, under the same key */
#define RECONCILABLE 2 /* looked up, under the new fence */
#define UNSAFE 3       /* a person decides */
#ifndef DECLARED
#define DECLARED RECONCILABLE
#endif

#if N > 3
#error "for up to 3 nodes"
#elif N == 3
#define ALL(what) (what(0) && what(1) && what(2))
#define START run node(0); run node(1); run node(2)
#else
#define ALL(what) (what(0) && what(1))
#define START run node(0); run node(1)
#endif

/* What the record says: of the write, and after it of its rollback. */
#define WRITE 0
#define UNDO 1
bit act = WRITE;
#define OWED 1
#define STARTED 2 /* the intent is recorded, without an outcome */
#define DOUBTED 3 /* a person is asked whether it was done */
#define DONE 4
#define FAILED 5  /* it was not done, and will not be */
byte status = OWED;
bool isStopped;

/* The hold, as the store has it. */
#define NOBODY N
#define NEVER 255
byte holder = NOBODY;
byte fence;
bool isLapsed;    /* the lease has passed, and no one has taken the task since */
byte since;       /* when that was */
byte ago = NEVER; /* when a lease passed that was not let go, as the present holder was told */

/* What each node is about to do. */
#define IDLE 0
#define CHECKING 1   /* its intent is recorded: asks its clock whether it may act */
#define REPEATING 2  /* the same for an intent that it found */
#define SENDING 3    /* it may act: the request comes next */
#define WAITING 4    /* the request is sent */
#define CONCLUDING 5 /* knows that it was done */
#define GONE 6
byte stage[N];
byte mine[N]; /* the fence under which it performs; 0 for none */
bit about[N]; /* the act that it has begun */

/* The world. One unit of time is a part of a call's deadline. */
#define DEADLINE 2
byte left[FENCES];  /* how long what was begun under this fence may still take */
byte sent[FENCES];  /* the request under way: 1 + act; 0 for none */
byte reply[FENCES];
#define SUCCESS 1
#define REFUSED 2
#define LOST 3
byte fired[2];      /* real effects; 2 stands for more */
byte seen[2];       /* the largest fence that the resource saw for each key */
byte crashes = CRASHES;
byte lapses = LAPSES;
byte releases = RELEASES;
byte losses = LOSSES;

/* What a switch takes away. */
#ifdef NO_STORE_FENCE
#define isCurrent true
#else
#define isCurrent (mine[me] == fence && holder == me)
#endif
#if defined(NO_CHECK) || defined(TAKER_CLOCK)
#define mayAct true
#else
#define mayAct (mine[me] == fence && holder == me && !isLapsed)
#endif
#ifdef FENCED
#define isOld(what, which) (which < seen[what])
#define see(what, which) seen[what] = (which > seen[what] -> which : seen[what])
#else
#define isOld(what, which) false
#define see(what, which) skip
#endif
#ifdef QUIET_LOOKUP
#define seeLookup(what, which) skip
#else
#define seeLookup(what, which) see(what, which)
#endif
#ifdef KEY
#define isKnown(what) (fired[what] > 0)
#else
#define isKnown(what) false
#endif
#ifdef SHORT_QUARANTINE
#define QUARANTINE (DEADLINE - 1)
#else
#define QUARANTINE DEADLINE
#endif
#ifdef NO_QUARANTINE
#define isQuiet true
#else
#define isQuiet (ago >= QUARANTINE) /* also NEVER */
#endif
#ifdef HASTY_QUESTION
#define mayDoubt true
#else
#define mayDoubt isQuiet
#endif
#ifdef HASTY_RELEASE
#define isAtRest (stage[me] == IDLE || stage[me] == WAITING)
#else
#define isAtRest (stage[me] == IDLE)
#endif

#define ONCE 1   /* each effect happens at most once */
#define TRUE 2   /* done: exactly once; failed: not at all; undone: both */
#define OLD 3    /* an old fence records nothing */
#define ENDS 4   /* where nothing more happens, the task is settled, or no node is left */

#define isGone(who) (stage[who] == GONE)
#define isTrue ((status != DONE || fired[act] == 1) && (status != FAILED || fired[act] == 0) && (act == WRITE || fired[WRITE] == 1))

inline judge() {
  MUST(ONCE, fired[WRITE] <= 1 && fired[UNDO] <= 1);
  MUST(TRUE, isTrue)
}

/* What was done in a stopped run is rolled back. */
inline settle(next) {
  if
  :: next == DONE && isStopped && act == WRITE -> act = UNDO; status = OWED
  :: else -> status = next
  fi
}

inline leave() { mine[me] = 0; about[me] = 0; stage[me] = IDLE }
inline lose() { printf("%d: has lost the task\n", me + 1); leave() }

/* Records under its fence, if the record has what comes before it. */
inline commit(next, then) {
  if
  :: isCurrent && (next == STARTED || (status == STARTED && about[me] == act)) ->
    MUST(OLD, mine[me] == fence);
    settle(next);
    stage[me] = then;
    judge()
  :: else -> lose()
  fi
}

inline take() {
  fence++;
  if
  :: holder != NOBODY -> ago = since
#ifdef FORGETFUL
  :: else -> ago = NEVER
#else
  :: else
#endif
  fi;
  holder = me;
  isLapsed = false;
  since = 0;
  mine[me] = fence;
  printf("%d: takes the task under fence %d\n", me + 1, fence)
}

#define isOwed (status == OWED || status == STARTED)
#define isMine (mine[me] != 0 && mine[me] == fence && holder == me)
#define isIdle (stage[me] == IDLE && mine[me] != 0)
#define mayRepeat (act == UNDO || !isStopped)

proctype node(byte me) {
  do
  :: d_step { stage[me] == IDLE && mine[me] == 0 && isOwed && (holder == NOBODY || isLapsed) -> take() }
#ifdef TAKER_CLOCK
  :: d_step { stage[me] == IDLE && mine[me] == 0 && isOwed && holder != NOBODY && !isLapsed && lapses > 0 ->
      printf("%d: believes that the lease lapsed long ago\n", me + 1);
      lapses--;
      since = DEADLINE;
      take()
    }
#endif
  :: d_step { isMine && isLapsed -> printf("%d: renews its lease\n", me + 1); isLapsed = false; since = 0 }
  :: d_step { isMine && isAtRest && releases > 0 ->
      printf("%d: lets the task go\n", me + 1);
      releases--;
      holder = NOBODY;
      isLapsed = false;
      since = 0;
      leave()
    }

  :: d_step { isIdle && status == OWED ->
      printf("%d: records the intent\n", me + 1);
      about[me] = act;
      commit(STARTED, CHECKING)
    }
  :: d_step { (stage[me] == CHECKING || stage[me] == REPEATING) && mayAct ->
      printf("%d: may act\n", me + 1);
      left[mine[me]] = DEADLINE - 1; /* a step at the end of its time is not in time */
      stage[me] = SENDING
    }
  :: d_step { stage[me] == CHECKING && !mayAct -> printf("%d: records that it was not done\n", me + 1); commit(FAILED, IDLE) }
  /* What another node began may have been done. */
#ifdef HASTY_FAILURE
  :: d_step { stage[me] == REPEATING && !mayAct -> printf("%d: records that it was not done\n", me + 1); commit(FAILED, IDLE) }
#else
  :: d_step { stage[me] == REPEATING && !mayAct -> stage[me] = IDLE }
#endif
  :: d_step { stage[me] == SENDING ->
      printf("%d: asks the resource\n", me + 1);
      sent[mine[me]] = 1 + about[me];
      reply[mine[me]] = 0;
      stage[me] = WAITING
    }
  :: d_step { stage[me] == WAITING && reply[mine[me]] == SUCCESS -> reply[mine[me]] = 0; stage[me] = CONCLUDING }
  :: d_step { stage[me] == WAITING && reply[mine[me]] == REFUSED -> reply[mine[me]] = 0; lose() }
  :: d_step { stage[me] == WAITING && reply[mine[me]] == LOST -> reply[mine[me]] = 0; stage[me] = IDLE }
  :: d_step { stage[me] == CONCLUDING -> printf("%d: records that it was done\n", me + 1); commit(DONE, IDLE) }

  /* An intent without an outcome: as the tool declares. */
#define isFound (isIdle && isMine && status == STARTED)
#if DECLARED == IDEMPOTENT
  :: d_step { isFound && !isLapsed && mayRepeat ->
      printf("%d: makes it again\n", me + 1);
      about[me] = act;
      stage[me] = REPEATING
    }
  :: d_step { isFound && !mayRepeat && mayDoubt ->
      printf("%d: asks a person\n", me + 1);
      about[me] = act;
      commit(DOUBTED, IDLE)
    }
#elif DECLARED == RECONCILABLE
  :: d_step { isFound && !isLapsed && isQuiet ->
      about[me] = act;
      seeLookup(act, mine[me]);
      if
      :: fired[act] > 0 -> printf("%d: finds that it was done\n", me + 1); stage[me] = CONCLUDING
      :: fired[act] == 0 && mayRepeat -> printf("%d: finds that it was not done\n", me + 1); stage[me] = REPEATING
      :: fired[act] == 0 && !mayRepeat -> printf("%d: finds that it was not done\n", me + 1); commit(FAILED, IDLE)
      fi
    }
#else
  :: d_step { isFound && isQuiet ->
      printf("%d: asks a person\n", me + 1);
      about[me] = act;
      commit(DOUBTED, IDLE)
    }
#endif

  /* Its next renewal tells it. After the last look at its clock it asks nothing more. */
  :: d_step { mine[me] != 0 && !isMine && stage[me] != SENDING && stage[me] != GONE -> lose() }
  :: d_step { crashes > 0 && stage[me] != GONE ->
      printf("%d: crashes\n", me + 1);
      crashes--;
      leave();
      stage[me] = GONE
    }
  od
}

#define isSending(who, which) (stage[who] == SENDING && mine[who] == which)
#define isBegun(which) (sent[which] != 0 || isSending(0, which) || isSending(1, which) || isSending(N - 1, which))

/* What has begun ends in its time, unless its node or its request pauses for longer. */
#ifdef LONG_PAUSE
#define mayWait(which) true
#else
#define mayWait(which) (left[which] > 0 || !isBegun(which))
#endif
#define EVERY(what) (what(1) && what(2) && what(3) && what(4) && what(5) && what(6))
/* A request under way, and what it asks for. */
#define isAnySent (sent[1] || sent[2] || sent[3] || sent[4] || sent[5] || sent[6])
inline choose() {
  if
  :: sent[1] -> at = 1
  :: sent[2] -> at = 2
  :: sent[3] -> at = 3
  :: sent[4] -> at = 4
  :: sent[5] -> at = 5
  :: sent[6] -> at = 6
  fi
}
#define WHAT (sent[at] - 1)
inline arrive(what) { reply[at] = what; sent[at] = 0; left[at] = 0; at = 0 }

#define isAwaited ((isLapsed && since < DEADLINE) || ago < DEADLINE)

/* The server's clock, the resource, and people. */
active proctype others() {
  byte at;
  do
#ifndef NO_LEASE
  :: d_step { holder != NOBODY && !isLapsed && isOwed && (stage[holder] == GONE || lapses > 0) ->
      if
      :: stage[holder] == GONE -> printf("its lease lapses\n")
      :: else -> printf("its lease lapses, though it lives\n"); lapses--
      fi;
      isLapsed = true
    }
#endif
  :: d_step { isAwaited && EVERY(mayWait) ->
      printf("time passes\n");
      if
      :: isLapsed && since < DEADLINE -> since++
      :: else
      fi;
      if
      :: ago < DEADLINE -> ago++
      :: else
      fi;
      for (at : 1 .. FENCES - 1) {
        if
        :: isBegun(at) && left[at] > 0 -> left[at]--
        :: else
        fi
      };
      at = 0
    }

  :: atomic { isAnySent ->
      choose();
      d_step {
        if
        :: isOld(WHAT, at) -> printf("the resource refuses fence %d\n", at); arrive(REFUSED)
        :: else ->
          see(WHAT, at);
          if
          :: isKnown(WHAT) -> printf("the resource knows the key\n")
          :: else ->
            printf("the resource does it\n");
            fired[WHAT] = (fired[WHAT] < 2 -> fired[WHAT] + 1 : 2)
          fi;
          arrive(SUCCESS)
        fi;
        judge()
      }
    }
  :: atomic { losses > 0 && isAnySent ->
      choose();
      d_step { printf("a request is lost\n"); losses--; arrive(LOST) }
    }

  :: d_step { status == DOUBTED && fired[act] > 0 -> printf("a person says that it was done\n"); settle(DONE); judge() }
  :: d_step { status == DOUBTED && fired[act] == 0 && mayRepeat ->
      printf("a person says that it was not done, and may be\n");
      status = OWED;
      judge()
    }
  :: d_step { status == DOUBTED && fired[act] == 0 -> printf("a person says that it was not done, and must not be\n"); status = FAILED; judge() }
  :: d_step { !isStopped && status != FAILED ->
      printf("somebody cancels\n");
      isStopped = true;
      if
      :: status == OWED -> status = FAILED
      :: status == DONE -> settle(DONE)
      :: else
      fi;
      judge()
    }
  :: d_step { status == DONE && !isStopped -> printf("the task is delivered\n"); isStopped = true }
  :: timeout ->
    d_step {
      c_code { if (now.status >= DONE) saysOnce("ended", 2 * now.act + now.status - DONE + 1); };
      MUST(ENDS, status == DONE || status == FAILED || ALL(isGone))
    };
    break
  od
}

init { atomic { START } }
