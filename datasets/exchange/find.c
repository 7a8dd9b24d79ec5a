// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/find.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "core/notation/move_reader.h"
#include "datasets/exchange/export.h"
#include "datasets/formats/board_list.h"
#include "datasets/store/store.h"
#include "datasets/store/tags.h"

typedef struct Find {
    const FindSpec *spec;
    FILE *out;
    bool by_material;
    uint64_t wanted[2];   // hash keys of the wanted position and of its mirror image; or, if
                          // by_material is set, numbers that encode the wanted pieces, as given and
                          // with exchanged colours
    ProvenanceTexts made; // provenance of the shard that is being read
    uint8_t *chosen; // chosen[i] is set if game number i, counted from 0 in the order of reading,
                     // was found
    size_t seen, capacity;
    Weights weights; // weights for evaluate_traced(); they do not influence the counts in a trace
    bool terms[WEIGHT_COUNT]; // terms[i] is set if the name of the term of weight pair i matches
                              // the pattern
    uint64_t lines; // number of positions found in a search for a term; at most spec->limit of them
                    // are printed
    uint64_t games, positions; // numbers of games and positions found
    uint64_t results[3];       // numbers of found games: won by Black, drawn, won by Red
    uint64_t scored;           // number of found positions with a score that is not a mate
    double score_sum;          // sum of the scores of these positions, from Red's side, in points
} Find;

// ---- the target ---------------------------------------------------------------------------------

// Returns a number that encodes how many pieces of each type, except the general, both sides have.
// The pieces of `side` come first.
static uint64_t material_of(const Position *position, Side side) {
    uint64_t material = 0;
    for (int i = 0; i < SIDE_COUNT; i++) {
        const Bitboard own = position->by_side[i ? side_other(side) : side];
        for (int type = ADVISOR; type <= SOLDIER; type++) {
            material = material << 3 | (uint64_t)bb_count(own & position->by_type[type]);
        }
    }
    return material;
}

static Status read_material(const char *text, uint64_t wanted[2], Err *err) {
    static const char letters[] = "abnrcp"; // letters of the pieces, in the order of PieceType
    int counts[SIDE_COUNT][SOLDIER + 1] = {{0}};
    for (const char *at = text; *at; at++) {
        const char lower = (char)(*at | ' ');
        const char *found = strchr(letters, lower == 'h' ? 'n' : lower == 'e' ? 'b' : lower);
        if (strchr(" -/kK", *at)) continue;
        int *count =
            found ? &counts[*at == lower ? BLACK : RED][ADVISOR + (found - letters)] : NULL;
        if (!count || ++*count > 7) {
            return err_set(err, STATUS_USAGE,
                           "--material '%s': give the pieces as FEN letters, at most 7 of a kind, "
                           "such as 'RP aabb'",
                           text);
        }
    }
    for (int side = RED; side <= BLACK; side++) {
        for (int i = 0; i < SIDE_COUNT; i++) {
            const int *own = counts[i ? BLACK - side : side];
            for (int type = ADVISOR; type <= SOLDIER; type++) {
                wanted[side] = wanted[side] << 3 | (uint64_t)own[type];
            }
        }
    }
    return STATUS_OK;
}

static Status read_line(const char *moves, Position *position, Err *err) {
    MoveReader reader;
    const char *word;
    size_t length;
    move_reader_init(&reader, MOVES_DETECTED);
    reader.tried = TRIED_SYSTEMS;
    position_init_start(position);
    while (text_next_word(&moves, &word, &length)) {
        Position after;
        Move move;
        TRY(move_reader_read(&reader, position, word, length, &move, err));
        position_do_move(position, move, &after);
        *position = after;
    }
    return STATUS_OK;
}

static Status read_term(const char *pattern, Find *find, Err *err) {
    bool any = false;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        if (fnmatch(pattern, term->name, 0) != 0) continue;
        any = true;
        for (int i = 0; i < term->count; i++) find->terms[term->first + i] = true;
    }
    weights_classic(&find->weights);
    if (any) return STATUS_OK;
    return err_set(
        err, STATUS_USAGE,
        "--term: the evaluation has no term '%s'; 'paotai weights show classic' lists the terms",
        pattern);
}

static Status read_wanted(const FindSpec *spec, Find *find, Err *err) {
    Position position, mirrored;
    if (!spec->fen + !spec->line + !spec->material + !spec->term != 3) {
        return err_set(err, STATUS_USAGE,
                       "give exactly one of --fen, --line, --material and --term");
    }
    if (spec->term) return read_term(spec->term, find, err);
    find->by_material = spec->material != NULL;
    if (find->by_material) return read_material(spec->material, find->wanted, err);
    const Status status = spec->fen ? position_from_fen(&position, spec->fen, err)
                                    : read_line(spec->line, &position, err);
    if (status != STATUS_OK) return err_prefix(err, spec->fen ? "--fen" : "--line");
    position_mirror(&position, &mirrored);
    find->wanted[0] = position.key;
    find->wanted[1] = mirrored.key;
    return STATUS_OK;
}

// ---- results ------------------------------------------------------------------------------------

static void name_player(const Find *find, const TagRecord *tags, const GameRecord *game, Side side,
                        Text *name) {
    char known[128];
    text_reset(name);
    if (tag_value(tags, tags ? game->tag_count : 0, side == RED ? "Red" : "Black", name)) return;
    if (export_imported(game, tags)) return;
    export_player_name(find->made.weights, side == RED ? game->red_player : game->black_player,
                       known, sizeof known);
    text_reset(name);
    text_add(name, "%s", known);
}

static void print_game(const Find *find, const char *path, const GameRecord *game,
                       const PlyRecord *plies, const TagRecord *tags, const GameWalk *walk,
                       bool mirrored) {
    const FindSpec *spec = find->spec;
    const PlyRecord *ply = walk->ply < game->ply_count ? &plies[walk->ply] : NULL;
    const bool scored = ply && ply->score_red != SCORE_UNKNOWN && !ply->mate_red;
    char uci[5] = "-", chinese[NOTATION_SIZE] = "";
    AUTO(Text) red = {0}, black = {0};
    if (ply) {
        move_to_uci(ply->move, uci);
        notation_write(NOTATION_CHINESE, NULL, &walk->position, ply->move, chinese);
    }
    name_player(find, tags, game, RED, &red);
    name_player(find, tags, game, BLACK, &black);
    record_row(find->out, spec->json,
               "{game}%8lu {ply}%5u  {result}%-7s {score_red}%7.2f  {move}%-5s {move_chinese}%s  "
               "{red}%s - {black}%s%s{!mirrored}%d{!path}%s\n",
               game->index, walk->ply, result_to_text(game->result),
               scored ? ply->score_red / 100.0 : (double)NAN, uci, chinese, text_get(&red),
               text_get(&black), mirrored ? "  (mirrored)" : "", mirrored, path);
}

// Counts how often each side has the wanted terms in total, in *red and *black. Returns true if an
// entry of a wanted term, such as a square of a table, occurs more often for one side than for the
// other.
static bool has_term(const Find *find, const Position *position, int *red, int *black) {
    EvalTrace trace;
    bool found = false;
    *red = *black = 0;
    evaluate_traced(position, &find->weights, &trace);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        if (!find->terms[i]) continue;
        *red += trace.count[RED][i];
        *black += trace.count[BLACK][i];
        found = found || trace.count[RED][i] != trace.count[BLACK][i];
    }
    return found;
}

// Adds the score of a ply to the sum of scores, unless it is unknown or a mate. `ply` is NULL after
// the last move of a game.
static void add_score(Find *find, const PlyRecord *ply) {
    if (!ply || ply->score_red == SCORE_UNKNOWN || ply->mate_red) return;
    find->scored++;
    find->score_sum += ply->score_red / 100.0;
}

// Counts the positions of a game in which an entry of a wanted term occurs more often for one side
// than for the other. Prints a line for each until the limit is reached.
static void search_terms(Find *find, const GameRecord *game, const PlyRecord *plies) {
    GameWalk walk;
    bool found = false;
    game_walk_init(&walk, game);
    for (;;) {
        const PlyRecord *ply = walk.ply < game->ply_count ? &plies[walk.ply] : NULL;
        int red, black;
        if (has_term(find, &walk.position, &red, &black)) {
            char fen[FEN_SIZE];
            position_to_fen(&walk.position, FEN_UCI, fen);
            if (find->lines++ < (uint64_t)find->spec->limit) {
                record_row(find->out, find->spec->json,
                           "{game}%lu\t{ply}%u\t{result}%s\t{red}%d\t{black}%d\t{fen}%s\n",
                           game->index, walk.ply, result_to_text(game->result), red, black, fen);
            }
            if (!found && game->result != RESULT_NONE) find->results[game->result + 1]++;
            add_score(find, ply);
            find->games += !found;
            find->positions++;
            found = true;
        }
        if (!ply || !game_walk_step(&walk, game, ply->move)) break;
    }
    find->chosen = memory_room(find->chosen, &find->capacity, find->seen + 1, 1);
    find->chosen[find->seen++] = found;
}

static void search_game(Find *find, const char *path, const GameRecord *game,
                        const PlyRecord *plies, const TagRecord *tags) {
    const FindSpec *spec = find->spec;
    GameWalk walk;
    bool found = false;
    game_walk_init(&walk, game);
    for (;;) {
        const uint64_t key =
            find->by_material ? material_of(&walk.position, RED) : walk.position.key;
        const bool mirrored = key != find->wanted[0], matches = !mirrored || key == find->wanted[1];
        const PlyRecord *ply = walk.ply < game->ply_count ? &plies[walk.ply] : NULL;
        if (matches && !found) {
            found = true;
            if (game->result != RESULT_NONE) find->results[game->result + 1]++;
            if (find->games++ < (uint64_t)spec->limit) {
                print_game(find, path, game, plies, tags, &walk, mirrored);
            }
        }
        find->positions += matches;
        if (matches) add_score(find, ply);
        if (!ply || !game_walk_step(&walk, game, ply->move)) break;
    }
    find->chosen = memory_room(find->chosen, &find->capacity, find->seen + 1, 1);
    find->chosen[find->seen++] = found;
}

static Status shard_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Find *find = context;
    (void)reader;
    provenance_texts_clear(&find->made);
    return shard_read_provenance(path, &find->made, err);
}

static Status take_block(void *context, const char *path, GameBatch *games, Err *err) {
    Find *find = context;
    if (game_batch_check(games, err) != STATUS_OK) return err_prefix(err, "%s", path);
    for (size_t i = 0; i < games->count; i++) {
        const GameRecord *game = &games->games[i];
        const PlyRecord *plies = games->plies + game->first_ply;
        if (find->spec->term) {
            search_terms(find, game, plies);
        } else {
            search_game(find, path, game, plies, game_batch_tags(games, game));
        }
    }
    return STATUS_OK;
}

// ---- export -------------------------------------------------------------------------------------

// Chooses the output format by the ending of --out. If the name ends in '/', it is a folder, and
// the format is xqf.
static Status choose_export(const char *out, ExportSpec *spec, Err *err) {
    const bool folder = *out && out[strlen(out) - 1] == '/';
    const GameFormat *format = folder ? game_format(FORMAT_XQF) : game_format_of_name(out);
    *spec = (ExportSpec){.format = format,
                         .system = MOVES_DETECTED,
                         .all_positions = true,
                         .unscored = true,
                         .folder = folder ? out : NULL,
                         .out_name = out};
    if (format && format->write && (!format->single || folder)) return STATUS_OK;
    return err_set(
        err, STATUS_USAGE,
        "--out %s: the ending of the file must be that of a format that can hold many games (see "
        "'data export'); for xqf give a folder (FOLDER/)",
        out);
}

static void print_sums(const Find *find, uint64_t written) {
    Record record;
    record_begin(&record, find->out, find->spec->json);
    record_add(&record,
               "games_searched %lu games %lu positions %lu red_wins %lu draws %lu black_wins %lu "
               "scored %lu",
               (uint64_t)find->seen, find->games, find->positions, find->results[2],
               find->results[1], find->results[0], find->scored);
    if (find->scored) {
        record_add(&record, "score_red_mean %.2f", find->score_sum / (double)find->scored);
    }
    if (find->spec->out) record_add(&record, "written %lu", written);
    record_end(&record);
}

static Status find_all(Find *find, const char *const *paths, size_t count, Progress *progress,
                       Err *err) {
    const FindSpec *spec = find->spec;
    const ScanHooks hooks = {.opened = shard_opened, .block = take_block, .context = find};
    ExportReport report = {0};
    ExportSpec export;
    TRY(read_wanted(spec, find, err));
    if (spec->out) TRY(choose_export(spec->out, &export, err));
    TRY(store_scan_paths(paths, count, &hooks, progress, err));
    if (spec->out && find->games) {
        export.chosen = find->chosen;
        TRY(export_games_to(&export, paths, count, progress, &report, err));
    }
    print_sums(find, report.games);
    return STATUS_OK;
}

Status find_games(const FindSpec *spec, const char *const *paths, size_t count, FILE *out,
                  Progress *progress, Err *err) {
    Find find = {.spec = spec, .out = out};
    const Status status = find_all(&find, paths, count, progress, err);
    provenance_texts_clear(&find.made);
    free(find.chosen);
    return status;
}
