// SPDX-License-Identifier: GPL-3.0-or-later
// The trace of ElephantEye 3.31 (xqbase/eleeye): the added lines, without text of the engine.
// - Append the part "trace" and, to play with fitted values, the part "values" to preeval.cpp.
// - PreEvaluate(), before it adjusts vlWhite and vlBlack:
//     TraceMid = (double) nMidgameValue / TOTAL_MIDGAME_VALUE, TraceAttacks[0] = nWhiteAttacks / 8.0, TraceAttacks[1] = nBlackAttacks / 8.0;
// - IdleLine() of ucci.cpp, before the command quit:
//     } else if (StrEqv(lp, "trace terms")) {
//       TraceTerms(); return UCCI_COMM_UNKNOWN;
//     } else if (StrEqv(lp, "trace eval")) {
//       TraceEval(UcciComm); return UCCI_COMM_UNKNOWN;
// - Evaluate() of evaluate.cpp: TraceScale[0], [1] and [2] multiply AdvisorShape(), StringHold() and KnightTrap(): `(int) (TraceScale[0] * ...)`.
// - For the part "values": the 13 tables cucvl... become `static int16_t` (no const), as do the casts, the local arrays of pawns and
//   ucvlWhitePieces, ucvlBlackPieces and lpucvl; TraceBase replaces ADVISOR_BISHOP_ATTACKLESS_VALUE; main() calls TraceLoad() after PreGenInit().

// ---- trace: 50 lines, with the lines above 58 ----
#include <stdio.h>
#include <stdlib.h>
#include "ucci.h"
static double TraceMid, TraceAttacks[2], TraceBase = ADVISOR_BISHOP_ATTACKLESS_VALUE;
double TraceScale[3] = {1, 1, 1};
static const char *const TraceScaleName[3] = {"shape", "string", "trap"};
static struct { const char *name; int16_t *table; int pieces, low, high; } TraceTables[12] = {
  {"pawn[attack][mg]", cucvlKingPawnMidgameAttacking, 64, 3, 9}, {"pawn[quiet][mg]", cucvlKingPawnMidgameAttackless, 64, 3, 9},
  {"pawn[attack][eg]", cucvlKingPawnEndgameAttacking, 64, 3, 9}, {"pawn[quiet][eg]", cucvlKingPawnEndgameAttackless, 64, 3, 9},
  {"guard[quiet]", cucvlAdvisorBishopThreatless, 6, 0, 4}, {"guard[attacked]", cucvlAdvisorBishopThreatened, 6, 0, 4},
  {"knight[mg]", cucvlKnightMidgame, 8, 0, 9}, {"knight[eg]", cucvlKnightEndgame, 8, 0, 9}, {"rook[mg]", cucvlRookMidgame, 16, 0, 9},
  {"rook[eg]", cucvlRookEndgame, 16, 0, 9}, {"cannon[mg]", cucvlCannonMidgame, 32, 0, 9}, {"cannon[eg]", cucvlCannonEndgame, 32, 0, 9}};
template <class F> static void TraceEach(F f) {
  char name[64];
  for (int t = 0; t < 12; t ++)
    for (int i = 5 * TraceTables[t].low; i < 5 * TraceTables[t].high + 5; i ++) {
      int16_t *v = TraceTables[t].table + COORD_XY(i % 5 + FILE_LEFT, RANK_BOTTOM - i / 5);
      sprintf(name, "%s[%d][%d]", TraceTables[t].name, i / 5, i % 5);
      if (*v != 0 || t < 4) f(name, v, t, i);
    }
}
void TraceTerms(void) {
  int n = 4;
  for (int k = 0; k < 3; k ++) printf("trace term %s %g unit 0.01\n", TraceScaleName[k], TraceScale[k]);
  printf("trace term base %g unit 1\n", TraceBase);
  TraceEach([&](const char *name, int16_t *v, int, int) { printf("trace term %s %d unit 1\n", name, *v); n ++; });
  printf("trace ok %d\n", n); fflush(stdout);
}
void TraceEval(const UcciCommStruct &UcciComm) { // with the tables of the position of the FEN, as a search from there uses them
  static PositionStruct pos;
  static double c[12][50];
  pos.FromFen(UcciComm.szFenStr); pos.PreEvaluate(); memset(c, 0, sizeof c);
  for (int i = 0; i < UcciComm.nMoveNum; i ++) pos.MakeMove(COORD_MOVE(UcciComm.lpdwMovesCoord[i]));
  if (pos.CheckedBy()) { printf("trace none check\n"); fflush(stdout); return; }
  int side = SIDE_VALUE(pos.sdPlayer, 1), n = 4;
  double offset = side * (PreEval.vlAdvanced + pos.RookMobility());
  for (int i = 16; i < 48; i ++) {
    int sd = i / 32, sq = pos.ucsqPieces[i], sq0 = sd ? SQUARE_FLIP(sq) : sq, x = FILE_X(sq0) - FILE_LEFT, type = PIECE_TYPE(i);
    double sign = sd ? -1 : 1, sum = 0, a = TraceAttacks[sd], d = TraceAttacks[1 - sd], m = TraceMid, e = 1 - m;
    const double share[12] = {m * a, m * (1 - a), e * a, e * (1 - a), 1 - d, d, m, e, m, e, m, e};
    for (int t = 0; t < 12 && type > 0 && sq != 0; t ++)
      if (TraceTables[t].pieces >> type & 1)
        c[t][(RANK_BOTTOM - RANK_Y(sq0)) * 5 + MIN(x, 8 - x)] += sign * share[t], sum += share[t] * TraceTables[t].table[sq0];
    if (sq != 0) offset += sign * ((sd ? PreEval.ucvlBlackPieces : PreEval.ucvlWhitePieces)[type][sq] - sum); // rounding of the tables, and the king
  }
  printf("trace row value %d offset %.9g terms 0:%d 1:%d 2:%d 3:%g", side * pos.Evaluate(-MATE_VALUE, MATE_VALUE), offset, side * pos.AdvisorShape(),
    side * pos.StringHold(), side * pos.KnightTrap(), TraceAttacks[0] - TraceAttacks[1]);
  TraceEach([&](const char *, int16_t *, int t, int i) { if (c[t][i]) printf(" %d:%.9g", n, c[t][i]); n ++; });
  printf("\n"); fflush(stdout);
}
// ---- values: a table of `paotai tune --out FILE.tsv` ----
void TraceLoad(void) {
  char line[256], name[64];
  double value;
  FILE *fp = fopen(getenv("ELE_VALUES") ? getenv("ELE_VALUES") : "/dev/null", "r");
  while (fp != NULL && fgets(line, sizeof line, fp)) {
    if (sscanf(line, "%63s %lf", name, &value) != 2) continue;
    TraceEach([&](const char *n, int16_t *v, int, int i) { if (strcmp(n, name) == 0) v[0] = v[8 - 2 * (i % 5)] = (int16_t) value; });
    for (int k = 0; k < 3; k ++) if (strcmp(TraceScaleName[k], name) == 0) TraceScale[k] = value;
    if (strcmp(name, "base") == 0) TraceBase = value;
  }
}
