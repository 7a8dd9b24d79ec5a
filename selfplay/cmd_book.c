// SPDX-License-Identifier: GPL-3.0-or-later
// paotai book make, book info: opening books.
#include <math.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/version.h"
#include "core/rules/rules_options.h"
#include "selfplay/commands.h"
#include "selfplay/openings/opening.h"

typedef struct BookMakeSettings {
    const char *out, *weights, *fen;
    BookSpec spec; // what the options below fill of it
    int method, rules, threads;
    uint64_t seed;
    bool moves, json, quiet;
} BookMakeSettings;

static const OptionRow make_rows[] = {
    OPT_U64("count", BookMakeSettings, spec.count, "1000", "N", "openings wanted"),
    OPT_TEXT("out", BookMakeSettings, out, NULL, "FILE", "where the book goes",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_CHOICE("method", BookMakeSettings, method, "random", "random|tree",
               "random plies, or every line of moves that a search finds near the best"),
    OPT_INT("plies", BookMakeSettings, spec.opening.plies, 1, BOOK_LINE_PLIES, "8", "N",
            "length of the lines"),
    OPT_INT("window", BookMakeSettings, spec.opening.window, 0, 30000, "60", "UNITS",
            "an opening is kept when a search finds it within this score"),
    OPT_U64("nodes", BookMakeSettings, spec.opening.nodes, "20000", "N",
            "nodes of that search; 0: keep all"),
    OPT_INT("softmax", BookMakeSettings, spec.opening.softmax, 0, 30000, "0", "UNITS",
            "random: draw moves by exp(score/UNITS) of a one-ply search; 0: all alike"),
    OPT_INT("spread", BookMakeSettings, spec.spread, 0, 30000, "40", "UNITS",
            "tree: moves at most so much worse than the best"),
    OPT_INT("width", BookMakeSettings, spec.width, 1, MAX_MULTI_PV, "8", "N",
            "tree: moves of each position at most"),
    OPT_U64("tree-nodes", BookMakeSettings, spec.tree_nodes, "5000", "N",
            "tree: nodes of the search of each position"),
    OPT_TEXT("fen", BookMakeSettings, fen, START_FEN, "FEN", "position the lines begin with"),
    OPT_FLAG("moves", BookMakeSettings, moves,
             "write start and moves instead of the position reached"),
    ROW_WEIGHTS(BookMakeSettings),
    RULES_OPTION(BookMakeSettings, rules),
    ROW_THREADS(BookMakeSettings),
    ROW_SEED(BookMakeSettings),
    ROW_JSON(BookMakeSettings),
    ROW_QUIET(BookMakeSettings),
    OPTION_END,
};

static Status fill_spec(const BookMakeSettings *settings, Position *start, BookSpec *spec,
                        Err *err) {
    *spec = settings->spec;
    spec->method = (BookMethod)settings->method;
    spec->seed = settings->seed;
    spec->threads = settings->threads;
    spec->start = start;
    spec->rules = rules_default((RuleSet)settings->rules);
    Status status = position_from_fen(start, settings->fen, err);
    if (status != STATUS_OK) {
        err_prefix(err, "--fen");
        if (err) err->status = STATUS_USAGE;
        return STATUS_USAGE;
    }
    return weights_load(settings->weights, &spec->weights, err);
}

static Status write_book(const CommandCall *call, const Book *book, const char *weights_hash_hex,
                         char hash[SHA256_HEX_SIZE], Err *err) {
    const BookMakeSettings *settings = call->settings;
    Text header = {0}, text = {0};
    text_add(&header, "Paotai opening book: %zu openings\nrevision %s\n", book->count,
             version_revision());
    command_identity_text(call, &header);
    text_add(&header, "weights=%s", weights_hash_hex);
    book_format(book, header.data, settings->moves, &text);
    sha256_hex_of(text.data, text.length, hash);
    const Status status = text_write_file(settings->out, text.data, text.length, err);
    text_clear(&text);
    text_clear(&header);
    return status;
}

static int run_book_make(const CommandCall *call) {
    const BookMakeSettings *settings = call->settings;
    Err err = {0};
    Position start;
    BookSpec spec;
    Status status = fill_spec(settings, &start, &spec, &err);
    if (status != STATUS_OK) return command_fail(call, &err);
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "openings", settings->spec.count);
    Book book;
    BookSummary summary;
    char hash[SHA256_HEX_SIZE] = "";
    status = book_make(&spec, &progress, &book, &summary, &err);
    progress_finish(&progress, book.count, "");
    char weights[SHA256_HEX_SIZE];
    weights_hash(&spec.weights, weights);
    if (status == STATUS_OK) status = write_book(call, &book, weights, hash, &err);
    if (status == STATUS_OK) {
        Record record;
        record_begin(&record, call->out, settings->json);
        record_int(&record, "openings", (long long)book.count);
        record_int(&record, "tried", (long long)summary.tried);
        record_int(&record, "unbalanced", (long long)summary.unbalanced);
        record_int(&record, "ended", (long long)summary.ended);
        record_int(&record, "repeated", (long long)summary.repeated);
        record_text(&record, "hash", hash);
        record_end(&record);
        if (book.count < settings->spec.count) {
            fprintf(call->err,
                    "only %zu of %llu openings: more plies, a wider window or spread give more\n",
                    book.count, (unsigned long long)settings->spec.count);
        }
    }
    book_clear(&book);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

const Command command_book_make = {
    .name = "book make",
    .summary = "make an opening book of balanced, different openings",
    .usage = "",
    .details =
        "The book is the same for any number of threads; its header tells how it was made.\n\n"
        "paotai book make --count 5000 --plies 8 --out build/book.epd --threads 2\n"
        "paotai book make --method tree --plies 6 --spread 30 --out build/tree.epd",
    .rows = make_rows,
    .settings_size = sizeof(BookMakeSettings),
    .run = run_book_make,
};

// ---- book info ----------------------------------------------------------------------------------

typedef struct BookInfoSettings {
    bool json;
} BookInfoSettings;

static const OptionRow info_rows[] = {ROW_JSON(BookInfoSettings), OPTION_END};

static int run_book_info(const CommandCall *call) {
    const BookInfoSettings *settings = call->settings;
    Err err = {0};
    Book book;
    if (book_load(call->args[0], &book, &err) != STATUS_OK) return command_fail(call, &err);
    long long plies = 0, red = 0, phase = 0;
    Game game;
    game_init(&game, &book.lines[0].start);
    for (size_t i = 0; i < book.count; i++) {
        book_line_play(&book.lines[i], &game);
        plies += book.lines[i].count;
        red += game.now.stm == RED;
        phase += eval_phase(&game.now);
    }
    game_clear(&game);
    Record record;
    record_begin(&record, call->out, settings->json);
    record_text(&record, "format", book.format);
    record_int(&record, "openings", (long long)book.count);
    record_int(&record, "unique", (long long)book_distinct(&book));
    record_int(&record, "red_to_move", red);
    record_real(&record, "moves_mean", (double)plies / (double)book.count, 2);
    record_real(&record, "phase_mean", (double)phase / (double)book.count, 2);
    record_text(&record, "hash", book.hash);
    record_end(&record);
    book_clear(&book);
    return 0;
}

const Command command_book_info = {
    .name = "book info",
    .summary = "what an opening book holds",
    .usage = "FILE",
    .details = "A book is a list of FENs, an EPD (operations after the FEN are skipped; moves "
               "follow a tab),\n"
               "or a file of games, such as PGN in any notation and encoding: the first plies of "
               "each game.\n\n"
               "paotai book info build/book.epd\n"
               "paotai match --openings games.pgn --book-plies 10 --order sequence --pairs 100",
    .rows = info_rows,
    .settings_size = sizeof(BookInfoSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_book_info,
};
