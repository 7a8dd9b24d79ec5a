// SPDX-License-Identifier: GPL-3.0-or-later
// paotai book make: makes opening books.
#include "core/base/json.h"
#include "core/command/options.h"
#include "core/eval/weights.h"
#include "core/system/out_file.h"
#include "core/system/version.h"
#include "selfplay/run/play_options.h"

typedef struct BookMakeSettings {
    const char *out, *weights, *fen, *window, *player;
    BookSpec spec; // some options are stored directly in members of this struct
    int method, rules, threads;
    uint64_t seed;
    bool moves, json, quiet;
} BookMakeSettings;

static const OptionRow make_rows[] = {
    OPT_ROW("count", OPTION_U64, BookMakeSettings, spec.count, 1, BOOK_COUNT_MAX, "1000", "N",
            "make this number of openings, or fewer if not enough different ones are found"),
    OPT_TEXT("out", BookMakeSettings, out, NULL, "FILE", "write the book to this file",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_CHOICE("method", BookMakeSettings, method, "random", "random|tree",
               "how openings are made; random: from random moves; tree: from moves whose search "
               "score is near that of the best move (see --spread)"),
    OPT_INT("plies", BookMakeSettings, spec.opening.plies, 1, BOOK_LINE_PLIES, "8", "N",
            "length of each opening in plies"),
    OPT_TEXT("window", BookMakeSettings, window, "60", "UNITS|LOW:HIGH",
             "keep an opening if the search score of its final position is within +-UNITS, or "
             "between LOW and HIGH, from Red's side; 80:120 makes a book in which Red is better"),
    OPT_U64("nodes", BookMakeSettings, spec.opening.nodes, "20000", "N",
            "node limit of the search for --window; 0 (refused with --player): no search, openings "
            "are kept whatever their score"),
    OPT_TEXT("player", BookMakeSettings, player, NULL, "PLAYER",
             "let this player do the searches of --window (see 'match --help'); if PLAYER has a "
             "search limit, the default of --nodes does not apply and --nodes is refused",
             OPTION_NEUTRAL),
    OPT_INT("spread", BookMakeSettings, spec.spread, 0, 30000, "40", "UNITS",
            "with --method tree: keep a move if its score is at most UNITS below that of the "
            "best move"),
    OPT_INT("width", BookMakeSettings, spec.width, 1, MAX_MULTI_PV, "8", "N",
            "with --method tree: keep at most this number of moves in each position"),
    OPT_U64("tree-nodes", BookMakeSettings, spec.tree_nodes, "5000", "N",
            "with --method tree: node limit of the search that scores the moves of a position"),
    OPT_TEXT("fen", BookMakeSettings, fen, START_FEN, "FEN", "start position of all openings"),
    OPT_FLAG("moves", BookMakeSettings, moves,
             "write the start position and the moves instead of the final position"),
    ROW_WEIGHTS(BookMakeSettings),
    RULES_OPTION(BookMakeSettings, rules),
    ROW_THREADS_PLAYERS(BookMakeSettings),
    ROW_SEED(BookMakeSettings),
    ROW_JSON(BookMakeSettings),
    ROW_QUIET(BookMakeSettings),
    OPTION_END,
};

// Size of the transposition table in megabytes, equal to the default of --hash of `analyse`. With
// the same --nodes and --weights, `analyse` therefore prints the scores that decided which openings
// are within --window.
enum { HASH_MB = 4 };

static Status fill_spec(const CommandCall *call, PlayerSetup *judge, BookSpec *spec, Err *err) {
    const BookMakeSettings *settings = call->settings;
    *spec = settings->spec;
    spec->method = (BookMethod)settings->method;
    spec->opening.bare = !settings->moves;
    spec->seed = settings->seed;
    spec->threads = settings->threads;
    spec->rules = rules_default((RuleSet)settings->rules);
    if (position_from_fen(&spec->start, settings->fen, err) != STATUS_OK) {
        return err_usage(err, "fen");
    }
    TRY(opening_read_window(settings->window, "--window", &spec->opening, err));
    if (spec->method == BOOK_RANDOM) {
        TRY(command_refuse_change(call, "spread width tree-nodes",
                                  "has an effect only with --method tree", err));
    }
    if (!settings->player && spec->opening.nodes == 0) {
        return command_refuse_change(
            call, "window",
            "has no effect, because --nodes 0 keeps every opening, whatever its score", err);
    }
    const SearchOptions options = {.weights = settings->weights,
                                   .player = settings->player,
                                   .limits = {.nodes = spec->opening.nodes},
                                   .hash_mb = HASH_MB};
    spec->judge = judge;
    TRY(player_setup_resolve_judge(call, &options, judge, err));
    return player_setup_check_memory(judge, 1, 0, settings->threads, err);
}

static Status write_book(const CommandCall *call, const BookSpec *spec, const Book *book,
                         const char *judge, char hash[SHA256_HEX_SIZE], Err *err) {
    const BookMakeSettings *settings = call->settings;
    AUTO(Text) header = {0};
    char weights[SHA256_HEX_SIZE];
    weights_hash(spec->weights, weights);
    text_add(&header, "Paotai opening book: %zu openings\nrevision %s\n", book->count,
             version_revision());
    command_given_text(call, false, &header);
    command_options_text(call, false, &header);
    text_add(&header, "weights-hash=%s", weights);
    if (*judge) text_add(&header, "\nplayer=%s", judge);
    return book_write(book, header.data, settings->moves, settings->out, hash, err);
}

static Status run_book_make(const CommandCall *call, Err *err) {
    const BookMakeSettings *settings = call->settings;
    BookSpec spec;
    Weights weights;
    AUTO(PlayerSetup) judge = {.weights = NULL};
    AUTO(Text) identity = {0};
    Progress progress;
    AUTO(Book) book = {.lines = NULL};
    BookSummary summary;
    char hash[SHA256_HEX_SIZE] = "";
    TRY(fill_spec(call, &judge, &spec, err));
    if (text_check_writable(settings->out, err) != STATUS_OK) return err_prefix(err, "--out");
    TRY(weights_load(settings->weights, &weights, err));
    spec.weights = &weights;
    if (settings->player) TRY(player_setup_identity(&judge, &identity, err));
    progress_init(&progress, call->err, settings->quiet, "openings", settings->spec.count);
    const Status status = book_make(&spec, &progress, &book, &summary, err);
    progress_finish(&progress, book.count, "");
    TRY(status);
    TRY(write_book(call, &spec, &book, text_get(&identity), hash, err));
    record_print(call->out, settings->json,
                 "openings %zu tried %lu unbalanced %lu ended %lu repeated %lu hash %s", book.count,
                 summary.tried, summary.unbalanced, summary.ended, summary.repeated, hash);
    if (book.count < settings->spec.count) {
        fprintf(call->err,
                "paotai book make: found only %zu of %llu openings; try more plies%s%s\n",
                book.count, (unsigned long long)settings->spec.count,
                summary.unbalanced ? " or a wider --window" : "",
                spec.method == BOOK_TREE ? " or a larger --spread" : "");
    }
    return STATUS_OK;
}

const Command command_book_make = {
    .name = "book make",
    .summary = "make an opening book with a chosen range of scores",
    .usage = "",
    .details =
        "The book is the same for any number of threads, unless --player is another program, has a "
        "limit of time or searches with several threads (threads=). Its header records how it was "
        "made.\n\n"
        "paotai book make --count 5000 --plies 8 --out build/book.epd --threads 2\n"
        "paotai book make --method tree --plies 6 --spread 30 --out build/tree.epd\n"
        "paotai book make --window 80:120 --player cmd=fairy-stockfish,depth=10 --out "
        "build/red.epd",
    .rows = make_rows,
    .settings_size = sizeof(BookMakeSettings),
    .reads_weights = true,
    .run = run_book_make,
};
