/* What the execution chart alone is held to: nobody is there to ask. Written by hand. */

inline leaveStep() { skip }
inline acrossStep() { skip }

inline restsWell() {
  MUST("deliver is for delivered runs alone", (in_deliver == (outcome == DELIVERED)));
  MUST("fail_safe is for failed runs alone", (in_fail_safe == (outcome == FAILED_SAFE || outcome == CALLED_OFF)));
  MUST("nobody is asked while nobody is told", (open == 0 || given > 0));
  MUST("a settled run owes nothing, and every other owes something", (isSettled != owesSomething))
}
