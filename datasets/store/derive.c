// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/derive.h"

#include <stdlib.h>
#include <string.h>

#include "core/eval/eval.h"
#include "datasets/store/summary.h"

// ---- merging -----------------------------------------------------------------------------------

// Merged runs must have been made alike: the error names two shards that were not.
static Status check_alike(const DeriveSpec *spec, const Store *sources, const StoreProvenance *made,
                          Err *err) {
    const char *first = store_shard_path(sources, 0);
    AUTO(Text) here = {0}, there = {0};
    if (made->where[PROVENANCE_rules]) {
        return err_set(err, STATUS_MISMATCH,
                       "%s and %s were not made alike: rules '%.60s' and '%.60s'", first,
                       made->where[PROVENANCE_rules], made->texts.rules, made->other.rules);
    }
    if (spec->any || spec->renumber || !made->where[PROVENANCE_identity] ||
        !run_identity_differs(made->texts.identity, made->other.identity, &here, &there)) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_MISMATCH,
                   "%s and %s were not made alike: '%s' and '%s' (--any merges them all the same)",
                   first, made->where[PROVENANCE_identity], text_get(&here), text_get(&there));
}

// Merged runs made alike keep what made them; others are a run of the command's own.
static Provenance make_provenance(const DeriveSpec *spec, const StoreProvenance *inherited,
                                  Text *options) {
    Provenance made = run_origin_provenance(spec->origin, spec->seed);
    const ProvenanceTexts *texts = &inherited->texts;
    if (spec->game || spec->any || spec->renumber) return made;
    made.kind = texts->kind;
    made.command = texts->command;
    store_provenance_options(inherited, options);
    made.options = text_get(options);
    made.identity = texts->identity;
    made.seed = strtoull(texts->seed, NULL, 10);
    return made;
}

// ---- games -------------------------------------------------------------------------------------

typedef struct Deriving {
    const DeriveSpec *spec;
    DeriveReport *report;
    Sha256 hash; // of what is merged
    RunWriter *writers[DERIVE_MAX_OUTPUTS];
    int writer_count;
} Deriving;

static Status derive_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    (void)path;
    Deriving *deriving = context;
    const ShardHead *head = shard_reader_head(reader);
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

static Status derive_game(Deriving *deriving, const GameRecord *game, PlyRecord *plies,
                          const TagRecord *tags, Err *err) {
    const DeriveSpec *spec = deriving->spec;
    if (spec->tags && !tag_rule_holds(spec->tags, tags, game->tag_count)) return STATUS_OK;
    const int to = spec->game ? spec->game(spec->context, game, tags, plies) : 0;
    if (to == DERIVE_DROP) return STATUS_OK;
    bool any = !spec->drop_empty;
    for (uint32_t i = 0; i < game->ply_count && !any; i++) any = plies[i].sampled;
    return any ? run_writer_add(deriving->writers[to], game, plies, tags, err) : STATUS_OK;
}

static Status derive_block(void *context, const ScanBlock *block, Err *err) {
    Deriving *deriving = context;
    GameBatch *batch = block->games;
    if (game_batch_check(batch, err) != STATUS_OK) return err_prefix(err, "%s", block->path);
    for (size_t i = 0; i < batch->count; i++) {
        GameRecord *game = &batch->games[i];
        if (!deriving->spec->game) {
            uint8_t digest[SHA256_BYTES];
            content_digest(batch, game, digest);
            sha256_add(&deriving->hash, digest, sizeof digest);
        }
        if (deriving->spec->renumber) game->index = deriving->report->games + i;
        TRY(derive_game(deriving, game, batch->plies + game->first_ply,
                        game_batch_tags(batch, game), err));
    }
    deriving->report->games += batch->count;
    deriving->report->plies += batch->ply_count;
    deriving->report->positions += batch->position_count;
    return STATUS_OK;
}

// Goes through all sources in their order.
static Status derive_games(Deriving *deriving, const PathList *files, const Provenance *made,
                           Progress *progress, Err *err) {
    const DeriveSpec *spec = deriving->spec;
    const ScanHooks hooks = {.opened = derive_opened, .block = derive_block, .context = deriving};
    for (int i = 0; i < DERIVE_MAX_OUTPUTS && spec->outs[i]; i++) {
        TRY(run_writer_open(spec->outs[i], spec->origin->command, made, spec->shard_games,
                            &deriving->writers[i], err));
        deriving->writer_count++;
    }
    TRY(store_scan_files(files, &hooks, progress, err));
    for (int i = 0; i < deriving->writer_count; i++) {
        TRY(run_writer_finish(deriving->writers[i], err));
        deriving->report->out[i] = run_writer_counts(deriving->writers[i]);
    }
    return STATUS_OK;
}

Status store_derive(const DeriveSpec *spec, Progress *progress, DeriveReport *report, Err *err) {
    Deriving deriving = {.spec = spec, .report = report};
    AUTO(StoreProvenance) inherited = {.where = {NULL}};
    AUTO_POINTER(Store) sources = NULL;
    AUTO(PathList) files = {0}, ordered = {0};
    AUTO(Text) options = {0};
    *report = (DeriveReport){0};
    sha256_init(&deriving.hash);
    TRY(store_list_all(spec->paths, (size_t)spec->path_count, false, &files, err));
    TRY(store_open_files(&files, spec->renumber,
                         spec->game ? "move one of them away" : "leave one out, or --renumber",
                         &sources, err));
    if (!spec->game) {
        TRY(store_provenance(sources, &inherited, err));
        TRY(check_alike(spec, sources, &inherited, err));
    }
    for (int i = 0; i < spec->path_count; i++) {
        TRY(run_origin_add(spec->origin, spec->paths[i], err));
    }
    for (size_t i = 0; i < store_shard_count(sources); i++) {
        path_list_add(&ordered, store_shard_path(sources, i));
    }
    const Provenance made = make_provenance(spec, &inherited, &options);
    const Status status = derive_games(&deriving, &ordered, &made, progress, err);
    // Whoever is killed here leaves the first part marked as unfinished: no part is taken for whole
    // before all are.
    for (int i = deriving.writer_count; i-- > 0;) {
        run_writer_close(deriving.writers[i], status == STATUS_OK);
    }
    sha256_finish_hex(&deriving.hash, report->content_hash);
    return status;
}

// ---- by rule -----------------------------------------------------------------------------------

// Does the score go with the result? A mate is any score; a draw goes with everything.
static bool agrees(const PlyRecord *ply, int result, int threshold) {
    int leader = 0;
    if (ply->mate_red != 0) {
        leader = ply->mate_red > 0 ? 1 : -1;
    } else if (ply->score_red != SCORE_UNKNOWN && abs(ply->score_red) >= threshold) {
        leader = ply->score_red > 0 ? 1 : -1;
    }
    return leader * result >= 0;
}

static bool within(int value, int min, int max) {
    return value >= min && value <= max;
}

// Are the search's score and the evaluation too far apart? A mate is as far as can be.
static bool is_noisy(const PositionRule *rule, const Position *position, const PlyRecord *ply) {
    if (rule->max_gap < 0) return false;
    if (ply->mate_red != 0) return true;
    if (ply->score_red == SCORE_UNKNOWN) return false;
    const int score = evaluate(position, &rule->weights);
    return abs(ply->score_red - (position->stm == RED ? score : -score)) > rule->max_gap;
}

// `before`: plies of the game before its record begins.
static bool rule_holds(const PositionRule *rule, const GameRecord *game, const GameWalk *walk,
                       int before, const PlyRecord *ply) {
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
    if (rule->agree >= 0 && !agrees(ply, game->result, rule->agree)) return false;
    if (is_noisy(rule, position, ply)) return false;
    if ((rule->quiet || rule->no_check) && position_in_check(position)) return false;
    if (rule->quiet && position_is_capture(position, ply->move)) return false;
    return within(bb_count(position_occupied(position)), rule->min_pieces, rule->max_pieces) &&
           within(eval_phase(position), rule->min_phase, rule->max_phase);
}

int derive_by_rule(void *context, const GameRecord *game, const TagRecord *tags, PlyRecord *plies) {
    PositionRule *rule = context;
    const bool variation = game_is_variation(game, tags);
    const long before = tag_number(tags, game->tag_count, TAG_VARIATION, 0);
    const bool anew = rule->from == RULE_FROM_PLIES;
    GameWalk walk;
    if (!variation) key_set_clear(&rule->seen);
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const bool candidate = anew ? i < game->end_ply : plies[i].sampled;
        plies[i].sampled = candidate && rule_holds(rule, game, &walk, (int)before, &plies[i]);
        if (plies[i].sampled && anew) {
            plies[i].sampled = key_set_add(&rule->seen, walk.position.key) || !variation;
        }
        // A move that cannot be played ends the walk; the writer names it.
        if (!game_walk_step(&walk, game, plies[i].move)) break;
    }
    return 0;
}

// ---- samples -----------------------------------------------------------------------------------

int derive_sample_exactly(void *context, const GameRecord *game, const TagRecord *tags,
                          PlyRecord *plies) {
    (void)tags;
    SampleExactly *sample = context;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (!plies[i].sampled) continue;
        plies[i].sampled =
            sample->wanted > 0 && random_below(&sample->random, sample->total) < sample->wanted;
        sample->wanted -= plies[i].sampled;
        sample->total--;
    }
    return 0;
}

int derive_sample_fraction(void *context, const GameRecord *game, const TagRecord *tags,
                           PlyRecord *plies) {
    (void)tags;
    const SampleFraction *sample = context;
    Random random;
    random_init(&random, sample->seed, game->index);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        // A number is drawn for every ply, so that it does not depend on what else is sampled.
        const bool chosen = random_real(&random) < sample->fraction;
        plies[i].sampled = plies[i].sampled && chosen;
    }
    return 0;
}

int derive_sample_per_game(void *context, const GameRecord *game, const TagRecord *tags,
                           PlyRecord *plies) {
    const SamplePerGame *sample = context;
    SampleExactly exactly = {.wanted = sample->most};
    random_init(&exactly.random, sample->seed, game->index);
    for (uint32_t i = 0; i < game->ply_count; i++) exactly.total += plies[i].sampled;
    return derive_sample_exactly(&exactly, game, tags, plies);
}

int derive_split(void *context, const GameRecord *game, const TagRecord *tags, PlyRecord *plies) {
    SplitParts *parts = context;
    Random random;
    if (!game_is_variation(game, tags)) parts->game = game_content_key(game, plies, true);
    random_init(&random, parts->seed, parts->game);
    const double at = random_real(&random);
    return at < parts->valid ? 1 : at < parts->valid + parts->test ? 2 : 0;
}

// ---- duplicates --------------------------------------------------------------------------------

int derive_dedup(void *context, const GameRecord *game, const TagRecord *tags, PlyRecord *plies) {
    (void)tags;
    Dedup *dedup = context;
    if (dedup->games &&
        !key_set_add(&dedup->seen_games, game_content_key(game, plies, dedup->mirrored))) {
        return DERIVE_DROP;
    }
    GameWalk walk;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (plies[i].sampled) {
            plies[i].sampled =
                key_set_add(&dedup->seen, position_content_key(&walk.position, dedup->mirrored));
        }
        if (!game_walk_step(&walk, game, plies[i].move)) break;
    }
    return 0;
}

void dedup_clear(Dedup *dedup) {
    key_set_clear(&dedup->seen);
    key_set_clear(&dedup->seen_games);
}
