// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/derive.h"

#include <limits.h>
#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/eval/eval.h"
#include "datasets/store/game_key.h"

const char *const derive_splits[DERIVE_SPLITS] = {"train", "valid", "test"};

enum { DERIVE_DROP = -1 };

typedef enum SampleMethod { SAMPLE_POSITIONS, SAMPLE_FRACTION, SAMPLE_PER_GAME } SampleMethod;

typedef struct Deriving {
    const DeriveSpec *spec;
    DeriveReport *report;
    Sha256 hash;                 // 'data merge': hash of the games of all sources
    Weights weights;             // weights of the static evaluation for rule.max_gap
    bool ends[END_REASON_COUNT]; // 'data filter': games that end for these reasons are kept
    Random random;
    SampleMethod method;
    uint64_t wanted, total; // 'data sample': number of positions that must still be chosen, and
                            // number of remaining candidates
    uint64_t game; // 'data split': content key of the last main line; its variations use it, too
    KeySet seen;   // hash keys of the sampled positions in all games read so far ('data dedup'), or
                   // in the current main line and its variations ('data filter')
    // 'data sample --per-game': `wanted` and `total` of each group (/games/group), whose records
    // count as one game
    KeyMap group_wanted, group_total;
    KeySet seen_games; // 'data dedup': content keys of the games read so far
    RunWriter *writers[DERIVE_SPLITS];
    int writer_count;
} Deriving;

// Decides what happens to one game: returns the index of the writer that gets the game, or
// DERIVE_DROP. The function may change only plies[].sampled of the game.
typedef int DeriveGame(Deriving *deriving, const GameRecord *game, const TagRecord *tags,
                       PlyRecord *plies);

// ---- filter ------------------------------------------------------------------------------------

static bool within(int value, int min, int max) {
    return value >= min && value <= max;
}

// Returns true if there is a limit max_gap and the score of a ply differs from the static
// evaluation by more than max_gap or is a mate. Returns false if the score is unknown.
static bool is_noisy(const Deriving *deriving, const Position *position, const PlyRecord *ply) {
    const PositionRule *rule = &deriving->spec->rule;
    if (rule->max_gap < 0) return false;
    if (ply->mate_red != 0) return true;
    if (ply->score_red == SCORE_UNKNOWN) return false;
    const int score = evaluate(position, &deriving->weights);
    return abs(ply->score_red - (position->stm == RED ? score : -score)) > rule->max_gap;
}

// Returns true if a position meets the conditions of 'data filter'. `before` is the number of plies
// that were played before the game record begins; it is 0 unless the record is a variation.
static bool rule_holds(const Deriving *deriving, const GameWalk *walk, int before,
                       const PlyRecord *ply) {
    const PositionRule *rule = &deriving->spec->rule;
    const int number = before + (int)walk->ply;
    const Position *position = &walk->position;
    const bool scored = ply->score_red != SCORE_UNKNOWN && ply->mate_red == 0;
    if (!within(number, rule->min_ply, rule->max_ply)) return false;
    if ((number - rule->min_ply) % rule->every != 0) return false;
    if (rule->scored && !scored) return false;
    if (rule->max_score >= 0 &&
        (ply->mate_red != 0 || (scored && abs(ply->score_red) > rule->max_score))) {
        return false;
    }
    if (is_noisy(deriving, position, ply)) return false;
    if ((rule->quiet || rule->no_check) && position_in_check(position)) return false;
    if (rule->quiet && position_is_capture(position, ply->move)) return false;
    return within(bb_count(position_occupied(position)), rule->min_pieces, rule->max_pieces) &&
           within(eval_phase(position), rule->min_phase, rule->max_phase);
}

static int filter(Deriving *deriving, const GameRecord *game, const TagRecord *tags,
                  PlyRecord *plies) {
    const bool variation = game_is_variation(game, tags);
    const long before = tag_number(tags, game->tag_count, TAG_VARIATION, 0);
    const bool from_plies = deriving->spec->rule.from == RULE_FROM_PLIES;
    GameWalk walk;
    bool unread = false;
    const bool fits = tag_rule_holds(&deriving->spec->tags, tags, game->tag_count, &unread);
    deriving->report->dates_unread += unread;
    // Positions of a main game must not be sampled again in its variations. Therefore `seen` is
    // cleared only at the next main game, even if that game is dropped.
    if (!variation) key_set_clear(&deriving->seen);
    if (!fits || !deriving->ends[game->reason]) return DERIVE_DROP;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const bool candidate = from_plies ? i < game->end_ply : plies[i].sampled;
        plies[i].sampled = candidate && rule_holds(deriving, &walk, (int)before, &plies[i]);
        if (plies[i].sampled && from_plies) {
            plies[i].sampled = key_set_add(&deriving->seen, walk.position.key) || !variation;
        }
        // A move that cannot be played ends the replay. shard_write() later returns an error for
        // such a game.
        if (!game_walk_step(&walk, game, plies[i].move)) break;
    }
    return 0;
}

// ---- sample, split, dedup ----------------------------------------------------------------------

static int sample(Deriving *deriving, const GameRecord *game, const TagRecord *tags,
                  PlyRecord *plies) {
    const DeriveSpec *spec = deriving->spec;
    (void)tags;
    if (deriving->method != SAMPLE_POSITIONS)
        random_init(&deriving->random, spec->seed, game->index);
    if (deriving->method == SAMPLE_PER_GAME) {
        deriving->wanted = spec->per_game;
        deriving->total = 0;
        for (uint32_t i = 0; i < game->ply_count; i++) deriving->total += plies[i].sampled;
        if (game->group) {
            deriving->wanted = *key_map_at(&deriving->group_wanted, game->group);
            deriving->total = *key_map_at(&deriving->group_total, game->group);
        }
    }
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (deriving->method == SAMPLE_FRACTION) {
            // A random number is drawn for every ply, even if it was not sampled before. The choice
            // for a ply then does not depend on which other plies were sampled.
            const bool chosen = random_real(&deriving->random) < spec->fraction;
            plies[i].sampled = plies[i].sampled && chosen;
        } else if (plies[i].sampled) {
            // Knuth's algorithm S (selection sampling). It chooses from the positions of the game
            // for SAMPLE_PER_GAME, and from those of all shards for SAMPLE_POSITIONS.
            plies[i].sampled = deriving->wanted > 0 &&
                               random_below(&deriving->random, deriving->total) < deriving->wanted;
            deriving->wanted -= plies[i].sampled;
            deriving->total--;
        }
    }
    if (deriving->method == SAMPLE_PER_GAME && game->group) {
        *key_map_at(&deriving->group_wanted, game->group) = deriving->wanted;
        *key_map_at(&deriving->group_total, game->group) = deriving->total;
    }
    return 0;
}

// Counts the sampled positions of each group.
static Status count_groups(void *context, const char *path, GameBatch *batch, Err *err) {
    Deriving *deriving = context;
    (void)path, (void)err;
    for (size_t i = 0; i < batch->count; i++) {
        const GameRecord *game = &batch->games[i];
        if (!game->group) continue;
        *key_map_at(&deriving->group_total, game->group) += game->position_count;
        *key_map_at(&deriving->group_wanted, game->group) = deriving->spec->per_game;
    }
    return STATUS_OK;
}

static int split(Deriving *deriving, const GameRecord *game, const TagRecord *tags,
                 PlyRecord *plies) {
    const DeriveSpec *spec = deriving->spec;
    if (!game_is_variation(game, tags)) {
        deriving->game = game->group ? game->group : game_content_key(game, plies, true);
    }
    random_init(&deriving->random, spec->seed, deriving->game);
    const double at = random_real(&deriving->random);
    return at < spec->valid ? 1 : at < spec->valid + spec->test ? 2 : 0;
}

static int dedup(Deriving *deriving, const GameRecord *game, const TagRecord *tags,
                 PlyRecord *plies) {
    const bool mirrored = deriving->spec->mirrored;
    (void)tags;
    if (deriving->spec->games &&
        !key_set_add(&deriving->seen_games, game_content_key(game, plies, true))) {
        return DERIVE_DROP;
    }
    GameWalk walk;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (plies[i].sampled) {
            plies[i].sampled =
                key_set_add(&deriving->seen, position_content_key(&walk.position, mirrored));
        }
        if (!game_walk_step(&walk, game, plies[i].move)) break;
    }
    return 0;
}

// ---- merging -----------------------------------------------------------------------------------

// Copies kind, command, seed, options and identity (the settings that determine the games) of the
// first shard to a merged run. For self-play, --games becomes the smallest range that contains the
// --games ranges of all shards. Returns an error that names two shards if their identities differ.
static Status inherit(const Store *sources, ProvenanceTexts *first, Provenance *made, Err *err) {
    OptionRange requested = {0, 0};
    for (size_t i = 0; i < store_shard_count(sources); i++) {
        const char *path = store_shard_path(sources, i);
        AUTO(ProvenanceTexts) next = {{NULL}};
        AUTO(Text) here = {0}, there = {0};
        TRY(shard_read_provenance(path, i ? &next : first, err));
        add_requested_games(i ? &next : first, &requested);
        if (i && run_identity_differs(first->identity, next.identity, &here, &there)) {
            const bool source =
                strncmp(text_get(here.length ? &here : &there), "source=", strlen("source=")) == 0;
            return err_set(err, STATUS_MISMATCH,
                           "%s and %s were made %s: '%s' and '%s'; use --any to merge them anyway",
                           store_shard_path(sources, 0), path,
                           source ? "from different sources" : "with different settings",
                           here.length ? here.data : "no such setting",
                           there.length ? there.data : "no such setting");
        }
    }
    made->kind = first->kind;
    made->command = first->command;
    made->seed = strtoull(first->seed, NULL, 10);
    text_reset(&made->options);
    add_requested_options(first->options, requested, &made->options);
    text_reset(&made->identity);
    text_add(&made->identity, "%s", first->identity);
    return STATUS_OK;
}

// ---- games -------------------------------------------------------------------------------------

static Status derive_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Deriving *deriving = context;
    const ShardHead *head = shard_reader_head(reader);
    (void)path;
    OptionRange range = head->range;
    if (deriving->spec->renumber) {
        range.first = deriving->report->games;
        range.end = range.first + head->counts[GROUP_GAMES];
    }
    deriving->report->shards++;
    for (int i = 0; i < deriving->writer_count && range.first < range.end; i++) {
        TRY(run_writer_cover(deriving->writers[i], range, err));
    }
    return STATUS_OK;
}

static Status derive_game(Deriving *deriving, const GameBatch *batch, const GameRecord *game,
                          Err *err) {
    static DeriveGame *const choosers[] = {[DERIVE_FILTER] = filter,
                                           [DERIVE_SAMPLE] = sample,
                                           [DERIVE_DEDUP] = dedup,
                                           [DERIVE_SPLIT] = split};
    DeriveGame *choose = choosers[deriving->spec->kind];
    PlyRecord *plies = batch->plies + game->first_ply;
    const TagRecord *tags = game_batch_tags(batch, game);
    const int to = choose ? choose(deriving, game, tags, plies) : 0;
    if (to == DERIVE_DROP) return STATUS_OK;
    bool any = !deriving->spec->drop_empty;
    for (uint32_t i = 0; i < game->ply_count && !any; i++) any = plies[i].sampled;
    return any ? run_writer_add(deriving->writers[to], game, plies, tags, err) : STATUS_OK;
}

static Status derive_block(void *context, const char *path, GameBatch *batch, Err *err) {
    Deriving *deriving = context;
    if (game_batch_check(batch, err) != STATUS_OK) return err_prefix(err, "%s", path);
    for (size_t i = 0; i < batch->count; i++) {
        GameRecord *game = &batch->games[i];
        if (deriving->spec->kind == DERIVE_MERGE) {
            uint8_t digest[SHA256_BYTES];
            content_digest(batch, game, digest);
            sha256_add(&deriving->hash, digest, sizeof digest);
        }
        if (deriving->spec->renumber) game->index = deriving->report->games + i;
        TRY(derive_game(deriving, batch, game, err));
    }
    deriving->report->games += batch->count;
    deriving->report->plies += batch->ply_count;
    deriving->report->positions += batch->position_count;
    return STATUS_OK;
}

// Refuses a minimum that is above its maximum, because no position or game could meet both.
static Status check_limits(const DeriveSpec *spec, Err *err) {
    const PositionRule *rule = &spec->rule;
    const TagRule *tags = &spec->tags;
    const struct {
        const char *name;
        int min, max;
    } limits[] = {
        {"ply", rule->min_ply, rule->max_ply},
        {"pieces", rule->min_pieces, rule->max_pieces},
        {"phase", rule->min_phase, rule->max_phase},
        // a max_year of 0 means that there is no upper limit
        {"year", tags->min_year, tags->max_year ? tags->max_year : INT_MAX},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i].min <= limits[i].max) continue;
        return err_set(err, STATUS_USAGE,
                       "--min-%s %d is above --max-%s %d, so nothing meets both: lower the minimum "
                       "or raise the maximum",
                       limits[i].name, limits[i].min, limits[i].name, limits[i].max);
    }
    return STATUS_OK;
}

// Sets ends[reason] for each reason that `word`, a part of --end, names. Returns false if it names
// none.
static bool choose_end(const char *word, bool keep, bool ends[END_REASON_COUNT]) {
    bool found = false;
    for (int i = END_NONE + 1; i < END_REASON_COUNT; i++) {
        const EndReason reason = (EndReason)i;
        const bool named = strcmp(word, "faults") == 0 ? end_reason_is_fault(reason)
                                                       : strcmp(word, end_reason_name(reason)) == 0;
        if (named) ends[i] = keep;
        found = found || named;
    }
    return found;
}

// Sets `ends` to the reasons that --end keeps: those that it names, or all except those that it
// names with '!'.
static Status choose_ends(const char *names, bool ends[END_REASON_COUNT], Err *err) {
    AUTO_FREE char *copy = memory_copy_text(names ? names : "");
    char *at = copy;
    for (int i = 0; i < END_REASON_COUNT; i++) ends[i] = !names || *names == '!';
    while (names && at) {
        char *word = text_trim(text_next_field(&at, ','));
        const bool keep = *word != '!';
        if (choose_end(word + !keep, keep, ends)) continue;
        AUTO(Text) known = {0};
        for (int i = END_NONE + 1; i < END_REASON_COUNT; i++) {
            text_add(&known, "%s, ", end_reason_name((EndReason)i));
        }
        return err_set(err, STATUS_USAGE,
                       "--end: '%s' is not a reason; give some of these, separated by commas: "
                       "%sfaults; '!' before a name drops such games",
                       word, known.data);
    }
    return STATUS_OK;
}

// Checks options before the source runs are opened. For 'data sample', also sets *method: which one
// of --positions, --fraction and --per-game the user gave.
static Status check_options(const CommandCall *call, const DeriveSpec *spec, SampleMethod *method,
                            Err *err) {
    static const char *const options[] = {"positions", "fraction", "per-game"};
    int given = 0;
    if (spec->valid + spec->test > 1) {
        return err_set(
            err, STATUS_USAGE,
            "--valid %g and --test %g together are more than 1: choose smaller fractions",
            spec->valid, spec->test);
    }
    if (spec->kind == DERIVE_FILTER) TRY(check_limits(spec, err));
    if (spec->kind != DERIVE_SAMPLE) return STATUS_OK;
    for (int i = 0; i < 3; i++) {
        if (!command_given(call, options[i])) continue;
        *method = (SampleMethod)i;
        given++;
    }
    if (given == 1) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "give exactly one of --positions, --fraction and --per-game");
}

// Checks the remaining options, and initialises the state.
static Status begin(const DeriveSpec *spec, const Store *sources, Deriving *deriving, Err *err) {
    sha256_init(&deriving->hash);
    random_init(&deriving->random, spec->seed, 0);
    deriving->wanted = spec->positions;
    deriving->total = store_position_count(sources);
    if (spec->kind == DERIVE_SAMPLE && deriving->wanted > deriving->total) {
        return err_set(
            err, STATUS_USAGE,
            "--positions %llu: the source has only %llu sampled positions; give a smaller number",
            (unsigned long long)deriving->wanted, (unsigned long long)deriving->total);
    }
    TRY(tag_rule_check(&spec->tags, err));
    TRY(choose_ends(spec->end, deriving->ends, err));
    return spec->kind == DERIVE_FILTER ? weights_load(spec->rule.weights, &deriving->weights, err)
                                       : STATUS_OK;
}

// Opens the writers, passes the games of all sources to them, in order, and writes the last shards.
static Status derive_games(Deriving *deriving, const Store *sources, const char *command,
                           const Provenance *made, Progress *progress, Err *err) {
    const DeriveSpec *spec = deriving->spec;
    const int outputs = spec->kind == DERIVE_SPLIT ? DERIVE_SPLITS : 1;
    const ScanHooks hooks = {.opened = derive_opened,
                             .block = derive_block,
                             .context = deriving,
                             .check_content = spec->kind == DERIVE_MERGE};
    AUTO(PathList) files = {0};
    for (size_t i = 0; i < store_shard_count(sources); i++) {
        path_list_add(&files, store_shard_path(sources, i));
    }
    for (int i = 0; i < outputs; i++) {
        AUTO(Text) out = {0};
        text_add(&out, "%s%s%s", spec->out, outputs > 1 ? "/" : "",
                 outputs > 1 ? derive_splits[i] : "");
        TRY(run_writer_open(out.data, command, made, (size_t)spec->shard_games,
                            &deriving->writers[i], err));
        deriving->writer_count++;
    }
    if (deriving->method == SAMPLE_PER_GAME && store_is_grouped(sources)) {
        const ScanHooks counting = {.block = count_groups, .context = deriving};
        TRY(store_scan_files(&files, &counting, NULL, err));
    }
    TRY(store_scan_files(&files, &hooks, progress, err));
    for (int i = 0; i < outputs; i++) {
        TRY(run_writer_finish(deriving->writers[i], err));
        deriving->report->out[i] = run_writer_counts(deriving->writers[i]);
    }
    return STATUS_OK;
}

Status store_derive(const CommandCall *call, const DeriveSpec *spec, Progress *progress,
                    DeriveReport *report, Err *err) {
    const bool merge = spec->kind == DERIVE_MERGE;
    Deriving deriving = {.spec = spec, .report = report};
    AUTO(Provenance) made = {.kind = NULL};
    AUTO(ProvenanceTexts) first = {{NULL}};
    AUTO_POINTER(Store) sources = NULL;
    AUTO(PathList) files = {0};
    *report = (DeriveReport){0};
    TRY(check_options(call, spec, &deriving.method, err));
    provenance_begin(call, "derived", &made);
    made.seed = spec->seed;
    TRY(store_list_all(call->args, (size_t)call->arg_count, false, &files, err));
    TRY(store_open_files(&files, spec->renumber,
                         merge ? "omit one of them, or use --renumber"
                               : "move one of them to another directory",
                         &sources, err));
    TRY(begin(spec, sources, &deriving, err));
    if (spec->kind == DERIVE_FILTER) {
        char hash[SHA256_HEX_SIZE];
        weights_hash(&deriving.weights, hash);
        text_add(&made.identity, "weights-hash=%s\n", hash);
    }
    TRY(provenance_add_sources(&made, call->args, call->arg_count, err));
    if (merge && !spec->any && !spec->renumber) TRY(inherit(sources, &first, &made, err));
    const Status status =
        derive_games(&deriving, sources, call->command->name, &made, progress, err);
    // The outputs are closed in reverse order. If the process is killed meanwhile, at least the
    // first output stays marked as unfinished.
    for (int i = deriving.writer_count; i-- > 0;) {
        run_writer_close(deriving.writers[i], status == STATUS_OK);
    }
    sha256_finish_hex(&deriving.hash, report->content_hash);
    key_set_clear(&deriving.seen);
    key_set_clear(&deriving.seen_games);
    key_map_clear(&deriving.group_wanted);
    key_map_clear(&deriving.group_total);
    return status;
}

void derive_print(const DeriveSpec *spec, const DeriveReport *report, bool json, FILE *out) {
    const int outputs = spec->kind == DERIVE_SPLIT ? DERIVE_SPLITS : 1;
    Record record;
    record_begin(&record, out, json);
    if (spec->kind == DERIVE_MERGE) {
        record_add(&record, "source_shards %lu games %lu plies %lu positions %lu", report->shards,
                   report->games, report->plies, report->positions);
        if (!spec->renumber) record_add(&record, "content_hash %s", report->content_hash);
    } else {
        record_add(&record, "source_games %lu source_positions %lu", report->games,
                   report->positions);
    }
    if (report->dates_unread) record_add(&record, "dates_unread %lu", report->dates_unread);
    for (int i = 0; i < outputs && spec->kind != DERIVE_MERGE; i++) {
        const RunWriterCounts *made = &report->out[i];
        char prefix[32] = "";
        if (outputs > 1) snprintf(prefix, sizeof prefix, "%s_", derive_splits[i]);
        record_add(&record, "%sgames %lu %splies %lu %spositions %lu", prefix, made->games, prefix,
                   made->plies, prefix, made->positions);
    }
    record_end(&record);
}
