// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/rules/rules_options.h"

// Value of a provenance text if the shards or sources of a run have different values.
static const char several[] = "(several)";

// The integer members of struct Rules, with their names in the text of rules_to_text().
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"no_capture_plies", offsetof(Rules, no_capture_plies)},
    {"check_cap", offsetof(Rules, check_cap)},
    {"max_checks", offsetof(Rules, max_checks)},
    {"check_run", offsetof(Rules, check_run)},
};
enum { NUMBER_COUNT = sizeof numbers / sizeof *numbers };

static int *number_of(Rules *rules, int i) {
    return (int *)(void *)((char *)rules + numbers[i].offset);
}

void rules_to_text(const Rules *rules, Text *text) {
    Rules defaults = rules_default(rules->set), given = *rules;
    text_add(text, "%s", rule_set_name(rules->set));
    if (rules->material == MATERIAL_PIKAFISH) text_add(text, " material=pikafish");
    for (int i = 0; i < NUMBER_COUNT; i++) {
        const int value = *number_of(&given, i);
        if (value != *number_of(&defaults, i)) text_add(text, " %s=%d", numbers[i].name, value);
    }
}

static Status read_setting(const char *word, Rules *rules, Err *err) {
    if (strcmp(word, "material=pikafish") == 0) {
        rules->material = MATERIAL_PIKAFISH;
        return STATUS_OK;
    }
    for (int i = 0; i < NUMBER_COUNT; i++) {
        const size_t length = strlen(numbers[i].name);
        if (strncmp(word, numbers[i].name, length) != 0 || word[length] != '=') continue;
        long long value = 0;
        TRY(parse_int(word + length + 1, -1, INT_MAX, &value, numbers[i].name, err));
        *number_of(rules, i) = (int)value;
        return STATUS_OK;
    }
    return err_set(err, STATUS_BAD_INPUT, "the rules have an unknown setting '%s'", word);
}

Status rules_from_text(const char *text, Rules *rules, Err *err) {
    const char *word;
    size_t length;
    bool named = false;
    while (text_next_word(&text, &word, &length)) {
        char copy[64];
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 63 ? length : 63), word);
        const int set = option_choice_index(&rule_set_choices[1], copy);
        if (named) {
            TRY(read_setting(copy, rules, err));
        } else if (set >= 0) {
            *rules = rules_default((RuleSet)set);
            named = true;
        } else {
            return err_set(err, STATUS_BAD_INPUT, "the rules have an unknown rule set '%s'", copy);
        }
    }
    return named ? STATUS_OK
                 : err_set(err, STATUS_BAD_INPUT,
                           "the recorded rules of the run do not name a rule set");
}

void source_stream_to_text(const char *name, Text *text) {
    text_add(text, "%s, not a regular file, read by process %ld at second %lld", name,
             (long)getpid(), (long long)time(NULL));
}

Status source_to_text(const char *path, Text *text, Err *err) {
    const char *slash = strrchr(path, '/');
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        source_stream_to_text(slash ? slash + 1 : path, text);
        return STATUS_OK;
    }
    char hex[SHA256_HEX_SIZE];
    TRY(file_sha256(path, hex, err));
    text_add(text, "%s sha256 %s", slash ? slash + 1 : path, hex);
    return STATUS_OK;
}

// ---- provenance of a new run --------------------------------------------------------------------

void provenance_begin(const CommandCall *call, const char *kind, Provenance *made) {
    *made = (Provenance){.kind = kind, .command = call->command->name};
    command_given_text(call, true, &made->options);
    command_options_text(call, true, &made->options);
    run_identity_begin(call, kind, &made->identity);
}

void provenance_clear(Provenance *provenance) {
    text_clear(&provenance->options);
    text_clear(&provenance->identity);
    text_clear(&provenance->rules);
    text_clear(&provenance->weights);
    text_clear(&provenance->source);
}

static const char *games_line(const char *options) {
    while (options && strncmp(options, "games=", strlen("games=")) != 0) {
        options = strchr(options, '\n');
        if (options) options++;
    }
    return options;
}

static void widen(OptionRange *range, OptionRange more) {
    if (more.end && (range->end == 0 || more.first < range->first)) range->first = more.first;
    if (more.end > range->end) range->end = more.end;
}

// Adds the rules and weights of a source to the provenance of a run that is made from other stores.
// Returns STATUS_MISMATCH if the rules differ from those of earlier sources. The weights may
// differ.
static Status join_rules(Provenance *origin, const char *path, const ProvenanceTexts *texts,
                         Err *err) {
    if (!origin->rules.data) text_add(&origin->rules, "%s", texts->rules);
    if (strcmp(texts->rules, several) == 0 || strcmp(origin->rules.data, texts->rules) != 0) {
        return err_set(err, STATUS_MISMATCH,
                       "%s has the rules '%s', but all shards of all sources must have the same "
                       "rules",
                       path, texts->rules);
    }
    const bool same = !origin->weights.data || strcmp(origin->weights.data, texts->weights) == 0;
    text_reset(&origin->weights);
    text_add(&origin->weights, "%s", same ? texts->weights : several);
    return STATUS_OK;
}

// Appends the texts of a source's provenance, so that two sources can be compared. Omits the time
// of writing and the list of all options. The options that determine the games are still compared,
// because they are in the text `identity`.
static void describe_made(const ProvenanceTexts *texts, Text *made) {
    for (int i = 0; texts->rules && i < PROVENANCE_COUNT; i++) {
        const char *value = texts->list[i];
        if (value != texts->created && value != texts->options) text_add(made, "%s\n", value);
    }
}

static void write_made(const ProvenanceTexts *texts, OptionRange requested, Text *text) {
    AUTO(Text) options = {0};
    add_requested_options(texts->options, requested, &options);
    for (int i = 0; i < PROVENANCE_COUNT; i++) {
        const char *value = texts->list[i];
        if (value == texts->options) value = text_get(&options);
        size_t length = strlen(value);
        while (length > 0 && value[length - 1] == '\n') length--;
        text_add(text, "%s=%.*s\n", provenance_names[i], (int)length, value);
    }
}

// Adds the store `path` to the provenance of a run that is made from this and other stores.
// `before` is the text of describe_made() for the previous source; the function replaces it by the
// text for this source.
static Status add_source(Provenance *origin, const char *path, Text *before, Err *err) {
    AUTO_POINTER(Store) store = NULL;
    AUTO(ProvenanceTexts) texts = {{NULL}};
    AUTO(PathList) files = {0};
    AUTO(Text) made = {0};
    OptionRange requested;
    ProvenanceFaults faults;
    char digest[SHA256_HEX_SIZE];
    const char *slash = strrchr(path, '/');
    TRY(store_open(path, &store, err));
    TRY(store_list_files(path, &files, err));
    TRY(provenance_of_files(&files, &texts, &requested, &faults, err));
    if (texts.rules) TRY(join_rules(origin, path, &texts, err));
    describe_made(&texts, &made);
    const bool alike = made.length > 0 && strcmp(made.data, text_get(before)) == 0;
    store_digest(store, digest);
    text_add(
        &origin->source,
        "from %s: games %llu, positions %llu, shards %llu, sha256 of their content hashes %s%s\n",
        slash && slash[1] ? slash + 1 : path, (unsigned long long)store_game_count(store),
        (unsigned long long)store_position_count(store),
        (unsigned long long)store_shard_count(store), digest,
        alike ? ", made with the same settings as the source before it" : "");
    text_add(&origin->identity, "source=%s\n", digest);
    if (texts.rules && !alike) write_made(&texts, requested, &origin->source);
    text_reset(before);
    text_add(before, "%s", text_get(&made));
    return STATUS_OK;
}

Status provenance_add_sources(Provenance *origin, const char *const *paths, int count, Err *err) {
    AUTO(Text) before = {0};
    for (int i = 0; i < count; i++) TRY(add_source(origin, paths[i], &before, err));
    return STATUS_OK;
}

// ---- faults of earlier versions -----------------------------------------------------------------

// Returns true if the first line of `value` is one of `words`, which is a list such as "a|b|c".
static bool is_one_of(const char *value, const char *words) {
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(value, "\n"), value);
    return option_choice_index(words, word) >= 0;
}

static bool made_by_old_search(const char *kind, const char *version) {
    return is_one_of(kind, "selfplay|match|tournament|rescored") && is_one_of(version, "0.1.0");
}

static bool has_old_scores(const ProvenanceTexts *made) {
    enum { DEPTH = 16 };
    if (!made->kind) return false;
    // A derived store keeps the scores of its sources, unless it was rescored. Its text `source`
    // has the provenance of its sources. If a source is itself derived, the lines of its own
    // sources stand between its lines kind= and version=.
    const char *kinds[DEPTH];
    int depth = 0;
    bool derived = false;
    for (const char *line = made->source; line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, "kind=", 5) == 0 && depth < DEPTH) {
            kinds[depth++] = line + 5;
            derived = true;
        } else if (strncmp(line, "version=", 8) == 0 && depth > 0) {
            depth--;
            bool replaced = is_one_of(made->kind, "rescored");
            for (int i = 0; i < depth; i++) replaced = replaced || is_one_of(kinds[i], "rescored");
            if (!replaced && made_by_old_search(kinds[depth], line + 8)) return true;
        }
    }
    return (!derived || is_one_of(made->kind, "rescored")) &&
           made_by_old_search(made->kind, made->version);
}

// Returns true if the line `name`=... of the options in `text` begins with one of `values`.
static bool option_is(const char *text, const char *name, const char *const *values) {
    const char *line = strstr(text, name);
    for (int i = 0; line && values[i]; i++) {
        if (strncmp(line + strlen(name), values[i], strlen(values[i])) == 0) return true;
    }
    return false;
}

// Returns true if an import without the option --result-scale, which stored losses written 0 as
// draws, may have read csv, texel or bullet. `options` and `source` are its texts. Positions
// without moves need --fill-moves, as those of texel and bullet always do.
static bool misread_results(const char *options, const char *source) {
    static const char *const formats[] = {"csv\n", "texel\n", "bullet\n", NULL},
                             *const open[] = {"auto\n", "epd\n", NULL},
                             *const yes[] = {"1\n", NULL};
    if (strstr(options, "result-scale=")) return false;
    if (option_is(options, "\nformat=", formats)) return true;
    return option_is(options, "\nformat=", open) &&
           (option_is(options, "\nfill-moves=", yes) || strstr(source, ".csv") ||
            strstr(source, ".fen") || strstr(source, ".bar"));
}

static bool has_old_results(const ProvenanceTexts *made) {
    static const char begin[] = "kind=import\n";
    if (!made->kind) return false;
    if (is_one_of(made->kind, "import")) return misread_results(made->options, made->source);
    // The text `source` of a derived store has the provenance of its sources. That of an import
    // ends with its options, and the next provenance begins with the line kind=.
    for (const char *at = made->source; (at = strstr(at, begin));) {
        const char *end = strstr(at + sizeof begin - 1, "\nkind=");
        AUTO_FREE char *block = memory_copy_text(at);
        if (end) block[end - at] = '\0';
        if (misread_results(block, block)) return true;
        at += sizeof begin - 1;
    }
    return false;
}

// ---- provenance of a store ----------------------------------------------------------------------

void add_requested_games(const ProvenanceTexts *made, OptionRange *requested) {
    unsigned long long first = 0, end = 0;
    const char *line = strcmp(made->kind, "selfplay") == 0 ? games_line(made->options) : NULL;
    if (!line || sscanf(line, "games=%llu:%llu", &first, &end) != 2 || first >= end) return;
    widen(requested, (OptionRange){first, end});
}

void add_requested_options(const char *options, OptionRange requested, Text *text) {
    const char *line = requested.end ? games_line(options) : NULL;
    if (!line) line = options + strlen(options);
    text_add_bytes(text, options, (size_t)(line - options));
    if (*line) {
        text_add(text, "games=%llu:%llu%s", (unsigned long long)requested.first,
                 (unsigned long long)requested.end, line + strcspn(line, "\n"));
    }
}

Status provenance_of_files(const PathList *files, ProvenanceTexts *texts, OptionRange *requested,
                           ProvenanceFaults *faults, Err *err) {
    *texts = (ProvenanceTexts){{NULL}};
    *faults = (ProvenanceFaults){false, false};
    *requested = (OptionRange){0, 0};
    for (size_t i = 0; i < files->count; i++) {
        AUTO(ProvenanceTexts) next = {{NULL}};
        TRY(shard_read_provenance(files->paths[i], &next, err));
        add_requested_games(&next, requested);
        faults->old_scores = faults->old_scores || has_old_scores(&next);
        faults->old_results = faults->old_results || has_old_results(&next);
        for (int k = 0; k < PROVENANCE_COUNT; k++) {
            char **kept = &texts->list[k];
            if (*kept && strcmp(*kept, next.list[k]) == 0) continue;
            const char *value = *kept ? several : next.list[k];
            free(*kept);
            *kept = memory_copy_text(value);
        }
    }
    return STATUS_OK;
}

void provenance_tell_faults(const char *path, const ProvenanceFaults *faults, FILE *tell) {
    if (faults->old_scores) {
        fprintf(tell,
                "note: %s has scores of version 0.1, whose search scored some draws by repetition "
                "as won or lost; 'paotai rescore %s --out DIR' makes new scores\n",
                path, path);
    }
    if (faults->old_results) {
        fprintf(tell,
                "note: %s has results that an earlier version imported from csv, texel or bullet: "
                "losses written 0 may have been stored as draws; import the files again\n",
                path);
    }
}

Status provenance_note_faults(const char *path, FILE *tell, Err *err) {
    AUTO(PathList) files = {0};
    AUTO(ProvenanceTexts) made = {{NULL}};
    OptionRange requested;
    ProvenanceFaults faults;
    TRY(store_list_files(path, &files, err));
    TRY(provenance_of_files(&files, &made, &requested, &faults, err));
    provenance_tell_faults(path, &faults, tell);
    return STATUS_OK;
}
