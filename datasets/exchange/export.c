// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"
#include "datasets/store/game_key.h"

enum { BLOCK_BYTES = 1 << 18 };

typedef struct Export {
    const ExportSpec *spec;
    FILE *out;
    ExportReport *report;
    uint64_t seen;    // number of games read so far, including those that are not selected
    uint64_t records; // number of records written so far; a record is a game with its variations
    uint64_t end_key; // scored formats: Zobrist key of the final position of the last written game
    Text text;        // output that is not yet written to a file
    ProvenanceTexts made; // provenance of the shard that is being read
    char date[16];        // date on which the shard was written, as PGN writes it
    GameBatch tree;       // a game and its variations, collected but not yet written
    struct {
        char event[32], date[16], red[128], black[128];
    } known; // facts about the game in `tree` from the provenance of its run
} Export;

static Status flush(Export *job, const char *path, Err *err) {
    Text *text = &job->text;
    if (text->length && fwrite(text->data, 1, text->length, job->out) != text->length) {
        return err_set(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    }
    job->report->bytes += text->length;
    text_reset(text);
    return STATUS_OK;
}

// Writes the collected output, which is one game, to a file of its own.
static Status write_file(Export *job, Err *err) {
    AUTO(Text) path = {0};
    text_add(&path, "%s/game-%08llu%s", job->spec->folder, (unsigned long long)job->records,
             job->spec->format->extension);
    unlink(path.data); // remove a link instead of overwriting the file to which it points
    job->out = fopen(path.data, "wbx");
    Status status = job->out ? flush(job, path.data, err) : STATUS_IO;
    if (!job->out || (fclose(job->out) != 0 && status == STATUS_OK)) {
        status = err_set(err, STATUS_IO, "cannot write %s: %s", path.data, strerror(errno));
    }
    job->out = NULL;
    return status;
}

static Status shard_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Export *job = context;
    (void)reader;
    provenance_texts_clear(&job->made);
    TRY(shard_read_provenance(path, &job->made, err));
    // Converts the date of the provenance, such as 2025-03-01T12:00:00Z, to the form of PGN,
    // 2025.03.01.
    snprintf(job->date, sizeof job->date, "%.10s", job->made.created);
    for (char *c = job->date; strlen(job->date) == 10 && *c; c++) {
        if (*c == '-') *c = '.';
    }
    return STATUS_OK;
}

// The provenance text `weights` of a match or tournament lists the players, for example "1 NAME
// HASH, 2 NAME HASH". If a player is another program, the name of its profile replaces HASH. The
// text of other runs is "NAME HASH", and all players get this name.
void export_player_name(const char *weights, uint8_t number, char *name, size_t size) {
    char mark[16];
    snprintf(mark, sizeof mark, ", %u ", number);
    const char *begin = weights, *found = number ? strstr(weights, mark) : NULL;
    if (strncmp(weights, mark + 2, strlen(mark + 2)) == 0) {
        begin += strlen(mark + 2);
    } else if (found) {
        begin = found + strlen(mark);
    }
    const char *end = strstr(begin, ", ");
    if (!end) end = begin + strlen(begin);
    const char *last = end;
    while (last > begin && last[-1] != ' ') last--;
    if (last > begin) end = last - 1;
    const size_t length = (size_t)(end - begin);
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), begin);
}

static void count_positions(const ExportGame *given, ExportReport *report) {
    for (uint32_t i = given->game->extra_plies; i < given->game->ply_count; i++) {
        const PlyRecord *ply = &given->plies[i];
        const bool wanted = export_wants_ply(given, ply);
        report->positions += wanted;
        report->skipped += !wanted && (ply->sampled || given->all_positions);
    }
}

// Counts the data of a written ply that the format cannot hold. `counter` is set if the number of
// plies since the last capture is too large for the format bin.
static void count_lost_ply(const ExportGame *given, const PlyRecord *ply, bool counter,
                           ExportReport *report) {
    const bool scored = ply->score_red != SCORE_UNKNOWN, mate = ply->mate_red != 0;
    const bool lost[EXPORT_LOSS_COUNT] = {
        [LOST_moves] = true,
        [LOST_scores] = scored && !mate,
        [LOST_mates] = mate,
        [LOST_high_scores] = scored && abs(ply->score_red) > BULLET_HIGHEST,
        [LOST_searches] = ply->depth || ply->nodes || ply->best != MOVE_NONE,
        [LOST_times] = ply->time_ms > 0,
        [LOST_unscored] = !scored && !mate,
        [LOST_counters] = counter,
    };
    for (int i = 0; i < EXPORT_LOSS_COUNT; i++) {
        report->lost[i] += lost[i] && given->format->lacks >> i & 1;
    }
}

// Counts the data of a game that the format cannot hold. `tags_written` is the number of tags that
// were written in full.
static void count_lost(const ExportGame *given, size_t tags_written, ExportReport *report) {
    const GameRecord *game = given->game;
    const unsigned lacks = given->format->lacks;
    const size_t count = given->tags ? game->tag_count : 0;
    AUTO(Text) value = {0};
    char name[TAG_NAME_SIZE];
    size_t tags = 0;
    GameWalk walk;
    for (size_t at = 0; tag_next(given->tags, count, &at, name, &value);) {
        const bool remark = tag_is_remark(name);
        report->lost[LOST_remarks] += remark && lacks >> LOST_remarks & 1;
        tags += !remark && strcmp(name, TAG_VARIATION) != 0 && strcmp(name, TAG_VARIATION_OF) != 0;
    }
    if (lacks >> LOST_tags & 1) report->lost[LOST_tags] += tags - tags_written;
    report->lost[LOST_odds] += game->extra_plies > 0 && lacks >> LOST_odds & 1;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const PlyRecord *ply = &given->plies[i];
        const bool counter = walk.position.halfmove > BIN_MOST_HALFMOVES;
        const bool written =
            given->format->positions ? export_wants_ply(given, ply) : i >= game->extra_plies;
        if (written) count_lost_ply(given, ply, counter, report);
        if (lacks >> LOST_counters & 1 && !game_walk_step(&walk, game, ply->move)) break;
    }
}

// ---- games and their variations ----------------------------------------------------------------

// The place of a game in the tree of a main line and its variations.
typedef struct TreePlace {
    size_t parent;       // index of the game from which this variation branches; 0: the main line
    uint32_t branch_ply; // number of plies of the parent game before the variation
    uint64_t key;        // content key of the game
    long before;         // number of plies before the variation, from the start of the main line
    int depth;           // nesting depth; the main line has 0
    bool placed;         // the parent was found; false for the main line
} TreePlace;

// Returns true if the position of `line` after branch_ply plies is the start position of `other`.
static bool branches_there(const GameBatch *tree, const GameRecord *line, uint32_t branch_ply,
                           const GameRecord *other) {
    GameWalk walk;
    game_walk_init(&walk, line);
    while (walk.ply < branch_ply) {
        if (!game_walk_step(&walk, line, tree->plies[line->first_ply + walk.ply].move))
            return false;
    }
    return walk.position.key == other->start.key;
}

// Finds the game from which variation number i branches. The tag VariationOf has the content key of
// that game. If several games have this key, the nearest earlier one is chosen. places[i].placed
// stays false if no game has the key, if the variation does not begin in that game, or if
// variations are nested deeper than DEEPEST.
static void place_variation(const GameBatch *tree, TreePlace *places, size_t i) {
    enum { DEEPEST = 64 };
    AUTO(Text) of = {0};
    const GameRecord *game = &tree->games[i];
    TreePlace *place = &places[i];
    size_t line = i;
    if (!tag_value(game_batch_tags(tree, game), game->tag_count, TAG_VARIATION_OF, &of)) return;
    const uint64_t key = strtoull(text_get(&of), NULL, 16);
    while (line > 0 && places[line - 1].key != key) line--;
    if (line-- == 0) return;
    // A variation that replaces the first move of another variation branches from the parent of
    // that variation.
    while (line > 0 && place->before == places[line].before) line = places[line].parent;
    const GameRecord *left = &tree->games[line];
    const long branch_ply = place->before - places[line].before;
    if ((line > 0 && !places[line].placed) || places[line].depth == DEEPEST ||
        branch_ply < (long)left->extra_plies || branch_ply >= (long)left->ply_count ||
        !branches_there(tree, left, (uint32_t)branch_ply, game)) {
        return;
    }
    place->parent = line;
    place->branch_ply = (uint32_t)branch_ply;
    place->depth = places[line].depth + 1;
    place->placed = true;
}

// Links each variation to the game from which it branches. A variation whose parent is not found
// stays a separate game.
static void make_tree(const GameBatch *tree, ExportGame *games, TreePlace *places) {
    for (size_t i = 0; i < tree->count; i++) {
        const GameRecord *game = &tree->games[i];
        places[i].key = game_content_key(game, games[i].plies, false);
        places[i].before = tag_number(games[i].tags, game->tag_count, TAG_VARIATION, 0);
        if (i > 0) place_variation(tree, places, i);
    }
    for (size_t i = tree->count; i-- > 1;) {
        if (!places[i].placed) continue;
        ExportGame *line = &games[places[i].parent];
        games[i].branch_ply = places[i].branch_ply;
        games[i].next = line->variations;
        line->variations = &games[i];
    }
}

// Sets given->continues to whether the game begins with the final position of the last written
// game. Then stores the final position of this game in job->end_key.
static void note_continuation(Export *job, ExportGame *given) {
    GameWalk walk;
    game_walk_init(&walk, given->game);
    given->continues = job->records > 0 && walk.position.key == job->end_key;
    while (walk.ply < given->game->ply_count &&
           game_walk_step(&walk, given->game, given->plies[walk.ply].move)) {
    }
    job->end_key = walk.position.key;
}

static Status write_record(Export *job, ExportGame *given, Err *err) {
    const GameFormat *format = job->spec->format;
    size_t tags_written = 0, remarks_cut = 0;
    given->tags_written = &tags_written;
    given->remarks_cut = &remarks_cut;
    if (format->scored) note_continuation(job, given);
    if (format->write(given, &job->text, err) != STATUS_OK) {
        return err_prefix(err, "game %llu", (unsigned long long)given->game->index);
    }
    if (format->positions) count_positions(given, job->report);
    count_lost(given, tags_written, job->report);
    job->report->lost[LOST_long_remarks] += remarks_cut;
    if (job->spec->folder) {
        TRY(write_file(job, err));
    } else if (job->text.length > BLOCK_BYTES) {
        TRY(flush(job, job->spec->out_name, err));
    }
    job->records++;
    return STATUS_OK;
}

// Writes the game and the variations in job->tree, and clears job->tree.
static Status write_tree(Export *job, Err *err) {
    GameBatch *tree = &job->tree;
    const GameFormat *format = job->spec->format;
    const int system = job->spec->system;
    AUTO_FREE ExportGame *games = memory_alloc(tree->count, sizeof *games);
    AUTO_FREE TreePlace *places = memory_alloc(tree->count, sizeof *places);
    Status status = STATUS_OK;
    for (size_t i = 0; i < tree->count; i++) {
        const GameRecord *game = &tree->games[i];
        games[i] = (ExportGame){
            .format = format,
            .game = game,
            .plies = tree->plies + game->first_ply,
            .tags = game_batch_tags(tree, game),
            .event = job->known.event,
            .date = job->known.date,
            .red = job->known.red,
            .black = job->known.black,
            .system = system == MOVES_DETECTED ? (int)format->system : system,
            .all_positions = job->spec->all_positions,
            .only_scored = format->scored && !job->spec->unscored,
        };
    }
    if (tree->count > 1) make_tree(tree, games, places);
    for (size_t i = 0; i < tree->count && status == STATUS_OK; i++) {
        job->report->variations += places[i].placed;
        if (!places[i].placed) status = write_record(job, &games[i], err);
    }
    game_batch_reset(tree);
    return status;
}

// Adds a game to the collection. If the game is not a variation, or the format cannot hold
// variations, first writes the collected games.
static Status add_game(Export *job, GameRecord *game, const PlyRecord *plies, const TagRecord *tags,
                       Err *err) {
    TRY(game_record_check(game, err));
    if (!job->spec->format->trees || !game_is_variation(game, tags)) TRY(write_tree(job, err));
    if (job->tree.count == 0) {
        const char *weights = job->made.weights;
        snprintf(job->known.event, sizeof job->known.event, "%s", job->made.kind);
        snprintf(job->known.date, sizeof job->known.date, "%s", job->date);
        export_player_name(weights, game->red_player, job->known.red, sizeof job->known.red);
        export_player_name(weights, game->black_player, job->known.black, sizeof job->known.black);
    }
    game_batch_append(&job->tree, game, plies, tags);
    return STATUS_OK;
}

static Status add_block(void *context, const char *path, GameBatch *games, Err *err) {
    Export *job = context;
    for (size_t i = 0; i < games->count; i++) {
        GameRecord *game = &games->games[i];
        const uint64_t number = job->seen++;
        if (job->spec->chosen && !job->spec->chosen[number]) continue;
        if (add_game(job, game, games->plies + game->first_ply, game_batch_tags(games, game),
                     err) != STATUS_OK) {
            return err_prefix(err, "%s", path);
        }
        job->report->games++;
        job->report->plies += game->ply_count;
    }
    return STATUS_OK;
}

Status export_games(const ExportSpec *spec, const char *const *paths, size_t path_count, FILE *out,
                    Progress *progress, ExportReport *report, Err *err) {
    *report = (ExportReport){0};
    Export job = {.spec = spec, .out = out, .report = report};
    const ScanHooks hooks = {.opened = shard_opened, .block = add_block, .context = &job};
    const GameFormat *format = spec->format;
    // A text file of positions states the notation of its moves, unless the notation is the default
    // of the format. A binary file cannot state the notation.
    if (spec->system != MOVES_DETECTED && spec->system != (int)format->system &&
        format->positions && !format->bytes) {
        entries_write_mark((NotationSystem)spec->system, &job.text);
    }
    if (*format->header) text_add(&job.text, "%s\n", format->header);
    Status status = store_scan_paths(paths, path_count, &hooks, progress, err);
    if (status == STATUS_OK) status = write_tree(&job, err);
    if (status == STATUS_OK) status = flush(&job, spec->out_name, err);
    if (status == STATUS_OK && out && fflush(out) != 0) {
        status = err_set(err, STATUS_IO, "cannot write %s: %s", spec->out_name, strerror(errno));
    }
    provenance_texts_clear(&job.made);
    text_clear(&job.text);
    game_batch_clear(&job.tree);
    return status;
}

Status export_games_to(const ExportSpec *spec, const char *const *paths, size_t path_count,
                       Progress *progress, ExportReport *report, Err *err) {
    if (spec->folder) {
        if (mkdir(spec->folder, 0777) != 0 && errno != EEXIST) {
            return err_set(err, STATUS_IO, "cannot create %s: %s", spec->folder, strerror(errno));
        }
        return export_games(spec, paths, path_count, NULL, progress, report, err);
    }
    OutFile file;
    TRY(out_file_open(&file, spec->out_name, err));
    const Status status = export_games(spec, paths, path_count, file.stream, progress, report, err);
    return out_file_close(&file, status, err);
}
