// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the networks of Fairy-Stockfish: values of positions, accumulators, units, and files.
#include "core/eval/fairy.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "core/search/search.h"
#include "core/system/out_file.h"
#include "tests/core/fairy_known.h"
#include "tests/core/positions.h"
#include "tests/test.h"

static Network *network_of(TestContext *t, const Text *file) {
    Network *network = NULL;
    Err err = {0};
    CHECK_OK(network_parse(text_get(file), file->length, "FILE", &network, &err), err);
    return network;
}

static Network *known_network(TestContext *t) {
    AUTO(Text) file = {0};
    fairy_known_file(&file);
    return network_of(t, &file);
}

static NetworkCache *empty_cache(void) {
    NetworkCache *cache = memory_aligned(64, sizeof *cache);
    memset(cache, 0, sizeof *cache);
    return cache;
}

// ---- known answers ------------------------------------------------------------------------------

// Computes both parts of the value by one stack, from the numbers of the file and by the definition
// in fairy.h.
static void plain_parts(const Fairy *fairy, const Position *position, int s, int *psqt,
                        int *output) {
    const FairyStack *stack = &fairy->stack[s];
    int units[2 * FAIRY_UNITS], first[FAIRY_FIRST], second[FAIRY_SECOND], psqts[2] = {0};
    for (int view = 0; view < 2; view++) {
        const Side side = (Side)(position->stm ^ view);
        int rows[SQUARE_COUNT], count = 0;
        for (int square = 0; square < SQUARE_COUNT; square++) {
            const Piece piece = position->board[square];
            if (piece == PIECE_NONE) continue;
            rows[count] = fairy_input(side, position->general[side], piece, square);
            psqts[view] += fairy->psqt[rows[count++] * FAIRY_STACKS + s];
        }
        for (int u = 0; u < FAIRY_UNITS; u++) {
            int sum = fairy->bias[u];
            for (int i = 0; i < count; i++) sum += fairy->weight[rows[i] * FAIRY_UNITS + u];
            units[view * FAIRY_UNITS + u] = sum < 0 ? 0 : sum > 127 ? 127 : sum;
        }
    }
    for (int i = 0; i < FAIRY_FIRST; i++) {
        int sum = stack->first_bias[i];
        for (int u = 0; u < 2 * FAIRY_UNITS; u++) sum += units[u] * stack->first[i][u];
        first[i] = sum < 0 ? 0 : sum / 64 > 127 ? 127 : sum / 64;
    }
    *output = stack->output_bias;
    for (int i = 0; i < FAIRY_SECOND; i++) {
        int sum = stack->second_bias[i];
        for (int u = 0; u < FAIRY_FIRST; u++) sum += first[u] * stack->second[i][u];
        second[i] = sum < 0 ? 0 : sum / 64 > 127 ? 127 : sum / 64;
        *output += second[i] * stack->output[i];
    }
    *psqt = (psqts[0] - psqts[1]) / 2;
}

static const Fairy *known_fairy; // the network of the rows

static void known_row(TestContext *t, char *const *fields) {
    AUTO_FREE NetworkCache *cache = empty_cache();
    AUTO(Text) text = {0};
    Position position;
    FairyParts parts;
    Err err = {0};
    if (!CHECK_OK(position_from_fen(&position, fields[0], &err), err)) return;
    fairy_parts(known_fairy, cache->fairy, &position, &parts);
    for (int s = 0; s < FAIRY_STACKS; s++) {
        text_add(&text, "%s%d,%d", s ? " " : "", parts.psqt[s], parts.output[s]);
    }
    CHECK_INT(fairy_stack(bb_count(position_occupied(&position))), atoi(fields[1]));
    CHECK_TEXT(text.data, fields[2]);
}

// Makes the network of the known answers, and compares the hash of its file and all values.
void test_fairy_known(TestContext *t) {
    AUTO_POINTER(Network) network = known_network(t);
    if (!network) return;
    CHECK_TEXT(network->hash, FAIRY_KNOWN_HASH);
    CHECK_TEXT(text_get(&network->provenance), "known answers");
    known_fairy = network->fairy;
    CHECK_INT(test_rows(t, t->data, "nnue.tsv", 0, 3, known_row), 43);
}

// ---- accumulators -------------------------------------------------------------------------------

// Compares the score by an evaluator that has seen other positions with the score by an empty
// cache, and with the definition if `plain` is set. Exchanging the colours must not change it.
static int check_score(TestContext *t, Evaluator *evaluator, NetworkCache *fresh,
                       const Position *position, bool plain) {
    const Fairy *fairy = evaluator->network->fairy;
    const int score = evaluator_score(evaluator, position);
    memset(fresh, 0, sizeof *fresh);
    CHECK_INT(network_score(evaluator->network, fresh, position, NULL, NULL), score);
    if (!plain) return score;
    const int stack = fairy_stack(bb_count(position_occupied(position)));
    int psqt, output;
    Position image;
    plain_parts(fairy, position, stack, &psqt, &output);
    CHECK_INT((psqt + output) / 16 * fairy->ratio / fairy->ratio_of, score);
    positions_swap_colours(position, &image);
    CHECK_INT(evaluator_score(evaluator, &image), score);
    return score;
}

// Plays 1,000 random games, takes back some moves of each, and compares the scores of all
// positions. The sum of all scores and the node count of a search are the same for every build.
void test_fairy_sums(TestContext *t) {
    enum { GAMES = 1000, PLIES = 24 };
    AUTO_POINTER(Network) network = known_network(t);
    AUTO_FREE Evaluator *evaluator = memory_aligned(64, sizeof *evaluator);
    AUTO_FREE NetworkCache *fresh = empty_cache();
    Random random;
    Position line[PLIES + 1];
    int64_t total = 0, generals = 0, taken_back = 0;
    if (!network) return;
    evaluator_init(evaluator, &network->weights);
    evaluator_set_network(evaluator, network);
    random_init(&random, 68, 0);
    for (int game = 0; game < GAMES && !t->failures; game++) {
        int ply = 0;
        if (game % 4) {
            while (!positions_random_crowd(&random, &line[0])) {
            }
        } else {
            position_init_start(&line[0]);
        }
        for (int step = 0; step < PLIES; step++) {
            if (ply > 2 && random_below(&random, 4) == 0) {
                ply -= 1 + (int)random_below(&random, 2);
                taken_back++;
            } else {
                line[ply + 1] = line[ply];
                positions_random_step(&random, &line[++ply]);
                generals +=
                    memcmp(line[ply].general, line[ply - 1].general, sizeof line[ply].general) != 0;
            }
            total += check_score(t, evaluator, fresh, &line[ply], step % 12 == 11);
        }
    }
    CHECK_MSG(generals > 1000 && taken_back > 1000, "%lld moves of generals, %lld taken back",
              (long long)generals, (long long)taken_back);
    CHECK_INT(total, -5997003);
    Position start;
    SearchResult result;
    AUTO(Game) moves = {0};
    AUTO_POINTER(Search) search = search_new(&network->weights, 1, NULL);
    search_set_network(search, network);
    position_init_start(&start);
    game_init(&moves, &start);
    search_run(search, &moves, &(SearchLimits){.depth = 8}, &result);
    CHECK_INT(search_nodes(search), 12476);
}

// ---- units --------------------------------------------------------------------------------------

// A network in which the value of a chariot is plausible gets a ratio in 1/1024 that makes a
// chariot worth 900. Otherwise the ratio is 100/208.
void test_fairy_units(TestContext *t) {
    static const int worths[] = {2000, 9000, 30000, 60000, 70000};
    for (size_t i = 0; i < sizeof worths / sizeof *worths; i++) {
        AUTO(Text) file = {0};
        fairy_chariot_file(worths[i], &file);
        AUTO_POINTER(Network) network = network_of(t, &file);
        if (!network) return;
        const Fairy *fairy = network->fairy;
        const bool usual = fairy->chariot >= 200 && fairy->chariot <= 4000;
        CHECK(fairy->calibrated == usual);
        CHECK_INT(fairy->ratio_of, usual ? 1024 : 208);
        if (usual) {
            CHECK_NEAR(fairy->ratio / 1024.0 * fairy->chariot, 900, 0.5 / 1024 * 4);
        } else {
            CHECK_INT(fairy->ratio, 100);
        }
        CHECK(usual == (i == 1 || i == 2 || i == 3));
    }
}

// ---- files --------------------------------------------------------------------------------------

static void check_refused(TestContext *t, const Text *file, size_t size, const char *why) {
    Network *network = NULL;
    Err err = {0};
    const bool refused = network_parse(file->data, size, "FILE", &network, &err) != STATUS_OK;
    CHECK_MSG(refused && !network && strncmp(err.text, "FILE: ", 6) == 0 && strstr(err.text, why),
              "the message is '%s', expected '%s'", err.text, why);
    network_free(network);
}

// Changes one 32-bit number of the file, checks the message, and restores the number.
static void check_changed(TestContext *t, Text *file, size_t at, uint32_t word, const char *why) {
    uint32_t old;
    memcpy(&old, file->data + at, sizeof old);
    memcpy(file->data + at, &word, sizeof word);
    check_refused(t, file, file->length, why);
    memcpy(file->data + at, &old, sizeof old);
}

// A file that is cut off, damaged, of another version or for another game must be refused with the
// reason. Where linear weights are needed, a network must be refused.
void test_fairy_file(TestContext *t) {
    enum { DESCRIPTION = 13, INPUT = 12 + DESCRIPTION, BIAS = INPUT + 4, WEIGHT = BIAS + 1024 };
    enum { PSQT = WEIGHT + FAIRY_INPUTS * FAIRY_UNITS * 2, STACK = PSQT + FAIRY_INPUTS * 32 };
    AUTO(Text) file = {0}, chess = {0};
    char path[600], hash[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    Weights weights;
    Err err = {0};
    fairy_known_file(&file);
    const size_t cuts[] = {4, 8, 11, 12, 20, INPUT, BIAS, WEIGHT, PSQT, STACK, file.length - 1};
    FOR_EACH (size, cuts) check_refused(t, &file, *size, "incomplete");
    check_changed(t, &file, 0, 0x7AF32F16, "has version 0x7AF32F16");
    check_changed(t, &file, 4, 0x3E5AA6EE, "another shape");
    check_changed(t, &file, 8, DESCRIPTION + 1, "the hash of input layer");
    check_changed(t, &file, 8, UINT32_MAX, "incomplete");
    check_changed(t, &file, INPUT, 0, "the hash of input layer");
    check_changed(t, &file, STACK, 7, "the hash of stack 0 is 0x00000007");
    check_changed(t, &file, STACK + 7 * 17640, 7, "the hash of stack 7 is 0x00000007");
    check_changed(t, &file, PSQT + 40, INT32_MAX, "psqt number 10 is 2147483647");
    check_changed(t, &file, STACK + 4, UINT32_C(0x80000000),
                  "a bias of the first layer, 0 is -2147");
    text_add_bytes(&chess, file.data, STACK);
    for (int i = 0; i < 2; i++) text_add_bytes(&chess, file.data + WEIGHT, FAIRY_UNITS * 2 + 32);
    text_add_bytes(&chess, file.data + STACK, file.length - STACK);
    check_refused(t, &chess, chess.length, "for another game: it has 10532 inputs");
    text_reset(&chess);
    text_add_bytes(&chess, file.data, file.length);
    text_add(&chess, "more");
    check_refused(t, &chess, chess.length, "damaged: it has 11261857 bytes, 4 more than expected");
    snprintf(path, sizeof path, "%s/any name.txt", t->scratch);
    CHECK_OK(text_write_file(path, file.data, file.length, &err), err);
    if (!CHECK_OK(evaluation_load(path, &weights, &network, hash, &err), err)) return;
    CHECK_TEXT(hash, FAIRY_KNOWN_HASH);
    CHECK(network_require_own(network, path, &err) != STATUS_OK && strstr(err.text, path));
    CHECK(weights_load(path, &weights, &err) != STATUS_OK &&
          strstr(err.text, "this is a network of Fairy-Stockfish, which has no linear weights"));
}
