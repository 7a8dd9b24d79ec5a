// SPDX-License-Identifier: GPL-3.0-or-later
// The trace of Pikafish-HCE (skystarspython/Pikafish-HCE, commit 088b062a): the added lines, without text of the engine.
// Nine terms of evaluate.cpp and the mobility are counted where the evaluation adds them: after `score += X` for the side Us, the line also
// calls
//     count(X, Us == WHITE ? 1 : -1);
// (ten calls; ConnectedPawn times its number of pairs). The other terms know their coefficient. The values of pieces are fixed, because
// search and exchanges use them.
// The engine sums up the mobility in 16 bits. That overflows in 1.7 % of the positions with its own values and in 13.9 % with fitted ones
// (E-144). So `mobility` becomes a struct of two ints, mg and eg, and the line that adds it divides each by 100 (three changed lines).

// ---- evaluate.cpp, before the evaluation
#include <functional>
struct TraceTerm { std::string name; const Score* at; std::function<double(const Position&)> coefficient; double step; };  // value = *at * step
static std::vector<TraceTerm> terms;
static std::map<const Score*, double> counts;  // empty: nothing is traced
static void count(const Score& s, double n) { if (!counts.empty()) counts[&s] += n; }
const Score &psq_bonus(int k, int rank, int file), &pair_bonus(bool ours, int i, int j);  // psqt.cpp, material.cpp
// ---- evaluate.cpp, after the evaluation
static const std::string KIND[] = {"", "[rook]", "[advisor]", "[cannon]", "[pawn]", "[knight]", "[bishop]", "[king]"};
static Score material[8];  // the values of pieces are fixed, because search and exchanges use them
static std::string index(int i) { return "[" + std::to_string(i) + "]"; }
static double n(const Position& p, int c, int k, Bitboard b = ~Bitboard(0)) { return popcount(p.pieces(Color(c), PieceType(k)) & b); }
static void add(const std::string& name, const Score& at, std::function<double(const Position&)> c = nullptr, double step = 1) { terms.push_back({name, &at, c, step}); }
static void list_terms() {
  for (int k = 1; k < 8; ++k) {
    if (k < 7) add("material" + KIND[k], material[k] = make_score(PieceValue[MG][k], PieceValue[EG][k]), [=](auto& p) { return n(p, 0, k) - n(p, 1, k); });
    for (int i = 0; i < 50; ++i)
      if (Bitboard files = file_bb(File(i % 5)) | file_bb(File(8 - i % 5)); const Score& s = psq_bonus(k, i / 5, i % 5))
        add("psq" + KIND[k] + index(i / 5) + index(i % 5), s, [=](auto& p) { return n(p, 0, k, files & rank_bb(Rank(i / 5))) - n(p, 1, k, files & rank_bb(Rank(9 - i / 5))); });
  }
  for (int i = 1; i < 7; ++i)
    for (int j = 1; j <= i; ++j)
      for (bool ours : {true, false}) if (ours || j < i)
        add((ours ? "ours" : "theirs") + KIND[i] + KIND[j], pair_bonus(ours, i, j), [=](auto& p) { return (n(p, 0, i) * n(p, !ours, j) - n(p, 1, i) * n(p, ours, j)) / 16; });
  add("HollowCannon", HollowCannon); add("CentralKnight", CentralKnight); add("BottomCannon", BottomCannon); add("TrappedKnight", TrappedKnight);
  add("AdvisorBishopPair", AdvisorBishopPair); add("ConnectedPawn", ConnectedPawn); add("RookOnOpenFile[half]", RookOnOpenFile[0]); add("RookOnOpenFile[open]", RookOnOpenFile[1]);
  for (int i = 0; i < 18; ++i) add("CrossedPawn" + index(i / 6) + index(i % 6), CrossedPawn[i / 6][i % 6]);
  for (int i = 0; i < 5; ++i) add("PiecesOnOneSide" + index(i), PiecesOnOneSide[i]);
  for (auto [k, size] : {std::pair(1, 18), {2, 5}, {3, 18}, {5, 9}, {6, 5}})
    for (int i = 0; i < size; ++i) add("mobility" + KIND[k] + index(i), mobilityBonus[k][i], nullptr, 0.01);
}
void Eval::trace_terms() {
  if (terms.empty()) list_terms();
  std::cout << "trace phase 128 unit 2\n";
  for (auto& t : terms)
    std::cout << "trace term " << t.name << " " << int(mg_value(*t.at)) * t.step << " " << int(eg_value(*t.at)) * t.step << " unit " << t.step << (t.name.find("material") == 0 ? " fixed\n" : "\n");
  std::cout << "trace ok " << terms.size() << std::endl;
}
void Eval::trace_row(const Position& pos) {
  if (pos.checkers() || Material::probe(pos)->specialized_eval_exists()) { std::cout << "trace none special" << std::endl; return; }
  counts = {{nullptr, 0}};
  Value v = Evaluation<NO_TRACE>(pos).value();
  std::cout << "trace row value " << (pos.side_to_move() == WHITE ? v : -v) << " phase " << Material::probe(pos)->game_phase() << " terms";
  for (size_t i = 0; i < terms.size(); ++i)
    if (double c = terms[i].coefficient ? terms[i].coefficient(pos) : counts[terms[i].at]) std::cout << " " << i << ":" << c;
  std::cout << std::endl;
  counts.clear();
}
// ---- evaluate.h
  void trace_terms(), trace_row(const Position& pos);
// ---- psqt.cpp
const Score& psq_bonus(int k, int rank, int file) { return Bonus[k][rank][file]; }
// ---- material.cpp
const Score& pair_bonus(bool ours, int i, int j) { return (ours ? QuadraticOurs : QuadraticTheirs)[i - 1][j - 1]; }
// ---- uci.cpp
      else if (token == "trace")    { is >> token; token == "terms" ? Eval::trace_terms() : Eval::trace_row(pos); }

// Not part of the trace: an engine that plays with the values of a table of `tune --out FILE.tsv`, named by HCE_VALUES. The tables of scores
// lose `constexpr`, and main() calls Eval::read_values() before PSQT::init().
// ---- evaluate.cpp (also includes <cmath>)
void Eval::read_values() {
  list_terms();
  std::ifstream in(std::getenv("HCE_VALUES") ? std::getenv("HCE_VALUES") : "");
  std::string name; double mg, se, eg;
  for (std::string line; std::getline(in, line);)
    if (std::istringstream is(line); is >> name >> mg >> se >> eg)
      for (auto& t : terms) if (t.name == name && t.name.find("material") != 0) const_cast<Score&>(*t.at) = make_score(std::lround(mg / t.step), std::lround(eg / t.step));
}
