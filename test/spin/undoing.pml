/* What the way through undoing is for. Written by hand: nothing else reads or sets these two. */

#define REPAIR 1
#define REPLACE 2
#define STOP 3
#define REVISE 4
byte aim;
bool undoing;

#define aimsAt(what) (aim == (what))
#define hasNoAim (aim == 0)

inline aimAt(what) { aim = what }
inline enterUndoing() { undoing = true; if :: hasNoAim -> aimAt(STOP) :: else fi }
inline leaveUndoing() { undoing = false; aim = 0 }
