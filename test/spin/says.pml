/* Says once of each property that it breaks, and goes on; the one that is SHOWN leaves a trail. Says how a run ended. */
#ifndef SHOWN
#define SHOWN 0
#endif
c_decl {
  static int saysOnce(const char *what, int which) {
    static int isSaid[2][9];
    int *said = &isSaid[*what == 'b'][which];
    if (!*said) printf("%s %d\n", what, which);
    return !(*said)++;
  }
  static int isFirst;
}
#define MUST(property, condition) \
  if \
  :: condition \
  :: else -> c_code { isFirst = saysOnce("broken", property); }; assert(property != SHOWN || c_expr { !isFirst }) \
  fi
