/*
 * Two nodes perform one task that owes one write. Each holds the task by a lease and a fence. A node may pause at any step, for as
 * long as it likes: it just does not move. Meanwhile its lease lapses, and the other node takes the task under a larger fence.
 *
 * One step is what happens in one piece: a commit, a question to the own clock, a request sent, an effect in the world. Without
 * switches it is the design; each switch takes one part of it away (variants.ts).
 */

#define N 2
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef LAPSES
#define LAPSES 2 /* leases that lapse though their holder lives */
#endif
#define FENCES 6 /* more than can be taken, plus one */

/* What the tool declares: what becomes of an intent of an earlier fence. */
#define IDEMPOTENT 1   /* again, under the same key */
#define RECONCILABLE 2 /* looked up, under the new fence */
#define UNSAFE 3       /* a person decides */
#ifndef DECLARED
#define DECLARED RECONCILABLE
#endif

/* What the record says. */
#define OWED 1
#define STARTED 2 /* the intent stands, without an outcome */
#define DOUBTED 3 /* a person is asked whether it was done */
#define DELIVERED 4
byte status = OWED;

/* The hold, as the store has it. */
#define NOBODY N
byte holder = NOBODY;
byte fence;
bool isStale; /* an earlier hold was not let go: its holder may still act */

/* What each node is about to do. */
#define IDLE 0
#define CHECKING 1   /* asks its clock whether it may act */
#define SENDING 2    /* it may: the request comes next */
#define WAITING 3    /* the request is sent */
#define CONCLUDING 4 /* knows that it was done */
#define GONE 5
byte stage[N];
byte mine[N]; /* the fence under which it performs; 0 for none */

/* The world. */
byte fired;          /* real effects; 2 stands for more */
byte seen;           /* the largest fence that the resource saw */
bool sent[FENCES];   /* requests under way, by their fence */
byte reply[FENCES];
#define DONE 1
#define REFUSED 2
byte crashes = CRASHES;
byte lapses = LAPSES;

/* What a switch takes away. */
#ifdef NO_STORE_FENCE
#define isCurrent true
#else
#define isCurrent (mine[me] == fence)
#endif
#ifdef NO_MAY_ACT
#define mayAct true
#else
#define mayAct (holder == me && mine[me] == fence)
#endif
#ifdef NO_EFFECT_FENCE
#define isOld(which) false
#define see(which) skip
#else
#define isOld(which) (which < seen)
#define see(which) seen = (which > seen -> which : seen)
#endif
#ifdef KEY
#define isKnown (fired > 0)
#else
#define isKnown false
#endif

/* The quarantine ends when the lease and the deadline of the earlier call have passed: it is over, unless its node paused longer. */
#define mayStillAct(who) (stage[who] == SENDING && mine[who] < fence)
#define isUnderWay(which) (sent[which] && which < fence)
#define isQuiet (!mayStillAct(0) && !mayStillAct(1) && !isUnderWay(1) && !isUnderWay(2) && !isUnderWay(3) && !isUnderWay(4))
#if defined(NO_QUARANTINE) || defined(LONG_PAUSE)
#define isOver true
#else
#define isOver (!isStale || isQuiet)
#endif

#define ONCE 1   /* at most one effect */
#define TRUE 2   /* delivered: exactly one effect */
#define FENCED 3 /* an old fence records nothing */
#define ENDS 4   /* where nothing more happens, the task is delivered, or no node is left */

/* Says once of each property that it breaks, and goes on; the one that is SHOWN leaves a trail. */
#ifndef SHOWN
#define SHOWN 0
#endif
c_decl {
  static int saysOnce(int which) {
    static int isSaid[9];
    if (!isSaid[which]) printf("broken %d\n", which);
    return !isSaid[which]++;
  }
  static int isFirst;
}
#define MUST(property, condition) \
  if \
  :: condition \
  :: else -> c_code { isFirst = saysOnce(property); }; assert(property != SHOWN || c_expr { !isFirst }) \
  fi

inline judge() {
  MUST(ONCE, fired <= 1);
  MUST(TRUE, status != DELIVERED || fired == 1)
}

inline lose() { printf("%d: has lost the task\n", me + 1); mine[me] = 0; stage[me] = IDLE }

/* Writes under its fence. */
inline commit(next, then) {
  if
  :: isCurrent ->
    MUST(FENCED, mine[me] == fence);
    status = next;
    stage[me] = then;
    judge()
  :: else -> lose()
  fi
}

proctype node(byte me) {
  do
  :: d_step { stage[me] == IDLE && mine[me] == 0 && holder == NOBODY && (status == OWED || status == STARTED) ->
      fence++;
      holder = me;
      mine[me] = fence;
      printf("%d: takes the task under fence %d\n", me + 1, fence)
    }
  :: d_step { stage[me] == IDLE && mine[me] != 0 && status == OWED ->
      printf("%d: writes the intent\n", me + 1);
      commit(STARTED, CHECKING)
    }
  :: d_step { stage[me] == CHECKING ->
      if
      :: mayAct -> printf("%d: may act\n", me + 1); stage[me] = SENDING
      :: else -> lose()
      fi
    }
  :: d_step { stage[me] == SENDING ->
      printf("%d: asks the resource\n", me + 1);
      sent[mine[me]] = true;
      reply[mine[me]] = 0;
      stage[me] = WAITING
    }
  :: d_step { stage[me] == WAITING && reply[mine[me]] == DONE -> stage[me] = CONCLUDING }
  :: d_step { stage[me] == WAITING && reply[mine[me]] == REFUSED -> lose() }
  :: d_step { stage[me] == CONCLUDING && status == STARTED ->
      printf("%d: writes that it was done\n", me + 1);
      commit(DELIVERED, IDLE)
    }
  :: d_step { stage[me] == CONCLUDING && status != STARTED -> lose() }

  /* An intent that it did not carry out. */
  :: d_step { stage[me] == IDLE && mine[me] != 0 && mine[me] == fence && status == STARTED && (DECLARED == IDEMPOTENT || isOver) ->
      isStale = false;
      if
      :: DECLARED == IDEMPOTENT -> printf("%d: does it again\n", me + 1); stage[me] = CHECKING
      :: DECLARED == RECONCILABLE ->
        see(mine[me]);
        if
        :: fired > 0 -> printf("%d: finds that it was done\n", me + 1); stage[me] = CONCLUDING
        :: else -> printf("%d: finds that it was not done\n", me + 1); stage[me] = CHECKING
        fi
      :: DECLARED == UNSAFE -> printf("%d: asks a person\n", me + 1); commit(DOUBTED, IDLE)
      fi
    }

  /* Its next renewal tells it. */
  :: d_step { mine[me] != 0 && mine[me] != fence && stage[me] != SENDING -> lose() }
  :: d_step { crashes > 0 && stage[me] != GONE ->
      printf("%d: crashes\n", me + 1);
      crashes--;
      mine[me] = 0;
      stage[me] = GONE
    }
  :: d_step { status == DELIVERED && stage[me] == IDLE } -> break
  :: d_step { stage[me] == GONE } -> break
  od
}

/* The server's clock, the resource, and the person. */
active proctype others() {
  byte at;
  do
#ifndef NO_LEASE
  :: d_step { holder != NOBODY && status != DELIVERED && stage[holder] == GONE ->
      printf("its lease lapses\n");
      holder = NOBODY;
      isStale = true
    }
  :: d_step { holder != NOBODY && status != DELIVERED && stage[holder] != GONE && lapses > 0 ->
      printf("its lease lapses, though it lives\n");
      lapses--;
      holder = NOBODY;
      isStale = true
    }
#endif
  :: atomic { sent[1] || sent[2] || sent[3] || sent[4] ->
      if
      :: sent[1] -> at = 1
      :: sent[2] -> at = 2
      :: sent[3] -> at = 3
      :: sent[4] -> at = 4
      fi;
      d_step {
        sent[at] = false;
        if
        :: isOld(at) -> printf("the resource refuses fence %d\n", at); reply[at] = REFUSED
        :: else ->
          see(at);
          reply[at] = DONE;
          if
          :: isKnown -> printf("the resource knows the key\n")
          :: else -> printf("it is done\n"); fired = (fired < 2 -> fired + 1 : 2)
          fi
        fi;
        judge();
        at = 0
      }
    }
  :: d_step { status == DOUBTED ->
      if
      :: fired > 0 -> printf("the person says that it was done\n"); status = DELIVERED
      :: else -> printf("the person says that it was not done\n"); status = OWED
      fi;
      judge()
    }
  :: timeout -> d_step { MUST(ENDS, status == DELIVERED || (stage[0] == GONE && stage[1] == GONE)) }; break
  od
}

init { atomic { run node(0); run node(1) } }
