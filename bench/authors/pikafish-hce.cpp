// SPDX-License-Identifier: GPL-3.0-or-later
// The trace of Pikafish-HCE (skystarspython/Pikafish-HCE): the added lines, without text of the engine.
// The tables of scores lose `constexpr`. Where the evaluation adds a score X for the side Us, the line also calls
//     TraceTerms::count(X, Us == WHITE ? 1 : -1);
// (evaluate.cpp: the nine terms and the mobility; times the popcount for ConnectedPawn). The constructors run before main(), so main() calls
// TraceTerms::init() first. The six values of pieces are `fixed`: search and exchanges use them.

// ---- trace_terms.h
#include <string>
#include <vector>
#include "types.h"
namespace Stockfish::TraceTerms {
struct Term { std::string name; Score* at; double step; bool fixed; };  // value = *at * step
extern std::vector<Term> terms;
extern std::vector<double> counts;                                      // empty: not tracing
void hit(const Score& s, double n);
inline void count(const Score& s, double n) { if (!counts.empty()) hit(s, n); }
void add(const std::string& name, Score* at, double step = 1, bool fixed = false);
void list_eval(); void list_material(); void list_psqt();
void init();
}
// ---- trace_terms.cpp: the part init() below "path" reads fitted values
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
namespace Stockfish::TraceTerms {
std::vector<Term> terms;
std::vector<double> counts;
static std::map<const Score*, int> number;
void hit(const Score& s, double n) { auto it = number.find(&s); if (it != number.end()) counts[it->second] += n; }
void add(const std::string& name, Score* at, double step, bool fixed) { number[at] = terms.size(); terms.push_back({name, at, step, fixed}); }
void init() {  // HCE_VALUES: a table of `tune --out FILE.tsv`
  list_psqt(); list_material(); list_eval();
  const char* path = std::getenv("HCE_VALUES");
  std::ifstream in(path ? path : "/dev/null");
  for (std::string line; std::getline(in, line);) {
    std::istringstream is(line); std::string name; double mg, se, eg;
    if (!(is >> name >> mg >> se >> eg)) continue;
    for (Term& t : terms) if (t.name == name && !t.fixed) *t.at = make_score(std::lround(mg / t.step), std::lround(eg / t.step));
  }
}
}
// ---- evaluate.cpp
void TraceTerms::list_eval() {
  auto n = [](const char* a, int i, int j = -1) { return std::string(a) + "[" + std::to_string(i) + "]" + (j < 0 ? "" : "[" + std::to_string(j) + "]"); };
  add("HollowCannon", &HollowCannon); add("CentralKnight", &CentralKnight); add("BottomCannon", &BottomCannon);
  add("AdvisorBishopPair", &AdvisorBishopPair); add("ConnectedPawn", &ConnectedPawn); add("TrappedKnight", &TrappedKnight);
  for (int i = 0; i < 18; ++i) add(n("CrossedPawn", i / 6, i % 6), &CrossedPawn[i / 6][i % 6]);
  for (int i = 0; i < 2; ++i) add(i ? "RookOnOpenFile[open]" : "RookOnOpenFile[half]", &RookOnOpenFile[i]);
  for (int i = 0; i < 5; ++i) add(n("PiecesOnOneSide", i), &PiecesOnOneSide[i]);
  static const char* const K[] = {"", "rook", "advisor", "cannon", "pawn", "knight", "bishop"};
  static const int size[] = {0, 18, 5, 18, 0, 9, 5};
  for (int k = 1; k < 7; ++k)
    for (int i = 0; i < size[k]; ++i) add(n((std::string("mobility[") + K[k] + "]").c_str(), i), &mobilityBonus[k][i], 0.01);
}
void Eval::trace_row(Position& pos) {
  if (pos.checkers()) { sync_cout << "trace none check" << sync_endl; return; }
  if (Material::probe(pos)->specialized_eval_exists()) { sync_cout << "trace none endgame" << sync_endl; return; }
  TraceTerms::counts.assign(TraceTerms::terms.size(), 0);
  Value v = Evaluation<NO_TRACE>(pos).value();
  PSQT::count_all(pos); Material::count_all(pos);
  std::ostringstream os;
  os << "trace row value " << (pos.side_to_move() == WHITE ? v : -v) << " phase " << Material::probe(pos)->game_phase() << " terms";
  for (size_t i = 0; i < TraceTerms::counts.size(); ++i)
    if (TraceTerms::counts[i]) os << " " << i << ":" << TraceTerms::counts[i];
  TraceTerms::counts.clear();
  sync_cout << os.str() << sync_endl;
}
// ---- material.cpp
    void TraceTerms::list_material() {
        static const char* const K[] = {"rook", "advisor", "cannon", "pawn", "knight", "bishop"};
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j <= i; ++j) {
                add(std::string("ours[") + K[i] + "][" + K[j] + "]", &QuadraticOurs[i][j]);
                if (j < i) add(std::string("theirs[") + K[i] + "][" + K[j] + "]", &QuadraticTheirs[i][j]);
            }
    }
        void count_all(const Position& pos) {
            int n[2][6];
            for (int c = 0; c < 2; ++c)
                for (int k = 0; k < 6; ++k) n[c][k] = popcount(pos.pieces(Color(c), PieceType(k + 1)));
            for (int c = 0; c < 2; ++c)
                for (int i = 0; i < 6; ++i)
                    for (int j = 0; j <= i; ++j) {
                        TraceTerms::count(QuadraticOurs[i][j], (c ? -1 : 1) * n[c][i] * n[c][j] / 16.0);
                        if (j < i) TraceTerms::count(QuadraticTheirs[i][j], (c ? -1 : 1) * n[c][i] * n[!c][j] / 16.0);
                    }
        }
// ---- psqt.cpp
const char* const KIND[] = {"", "rook", "advisor", "cannon", "pawn", "knight", "bishop", "king"};
Score Material[8];
void TraceTerms::list_psqt() {
  for (int k = 1; k < 8; ++k) {
    Material[k] = make_score(PieceValue[MG][k], PieceValue[EG][k]);
    if (k < 7) add(std::string("material[") + KIND[k] + "]", &Material[k], 1, true);
    for (int i = 0; i < 50; ++i)
      if (k != 2 && k < 6 ? k != 4 || Bonus[k][i / 5][i % 5] : Bonus[k][i / 5][i % 5] != 0 || (k == 2 && i == 23))
        add(std::string("psq[") + KIND[k] + "][" + std::to_string(i / 5) + "][" + std::to_string(i % 5) + "]", &Bonus[k][i / 5][i % 5]);
  }
}
void PSQT::count_all(const Position& pos) {
  for (Square s = SQ_A0; s <= SQ_I9; ++s)
    if (Piece pc = pos.piece_on(s)) {
      File f = File(edge_distance(file_of(s)));
      if (f > FILE_E) --f;
      bool white = color_of(pc) == WHITE;
      TraceTerms::count(Material[type_of(pc)], white ? 1 : -1);
      TraceTerms::count(Bonus[type_of(pc)][rank_of(white ? s : flip_rank(s))][f], white ? 1 : -1);
    }
}
// ---- uci.cpp
      else if (token == "trace") {
          is >> token;
          if (token == "eval") Eval::trace_row(pos);
          else if (token == "terms") {
              sync_cout << "trace phase 128 unit 2";
              for (auto& t : TraceTerms::terms)
                  std::cout << "\ntrace term " << t.name << " " << int(mg_value(*t.at)) * t.step << " " << int(eg_value(*t.at)) * t.step << " unit " << t.step << (t.fixed ? " fixed" : "");
              std::cout << "\ntrace ok " << TraceTerms::terms.size() << sync_endl;
          }
      }
