// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the neural network: its score, its inputs, and its file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "tests/core/positions.h"
#include "tests/test.h"

// Makes a network with random weights that are so large that hidden units reach both clipping
// limits. If `extreme` is set, all input weights and the bias of a hidden unit are the largest or
// the smallest allowed number.
static Network *random_network(int units, bool linear, bool extreme) {
    Network *network = network_new(units, linear);
    Random random;
    random_init(&random, 31, (uint64_t)units);
    for (int i = 0; i < NETWORK_INPUTS * units; i++) {
        const int limit = i % 2 ? -NETWORK_INPUT_MAX : NETWORK_INPUT_MAX;
        network->input[i] = (int16_t)(extreme ? limit : (int)random_below(&random, 401) - 200);
    }
    for (int i = 0; i < units; i++) {
        network->bias[i] = (int16_t)(extreme ? network->input[i] : (int)random_below(&random, 400));
    }
    for (int o = 0; o < NETWORK_OUTPUTS; o++) {
        for (int i = 0; i < 2 * units; i++) {
            network->output[o][i] = (int16_t)((int)random_below(&random, 401) - 200);
        }
        network->output_bias[o] = (int32_t)random_below(&random, 1000000);
    }
    weights_classic(&network->weights);
    return network;
}

// Computes the network's score by the definition in network.h, piece by piece without incremental
// updates.
static int64_t plain_score(const Network *network, const Position *position) {
    const int output = network_output(bb_count(position_occupied(position)));
    int64_t total = network->output_bias[output];
    for (int view = 0; view < 2; view++) {
        const Side side = (Side)(position->stm ^ view);
        int mirrored;
        const int bucket = network_bucket(side, position->general[side], &mirrored);
        for (int u = 0; u < network->units; u++) {
            int sum = network->bias[u];
            for (int square = 0; square < SQUARE_COUNT; square++) {
                const Piece piece = position->board[square];
                if (piece == PIECE_NONE || square == position->general[side]) continue;
                const int place = network->places.of[side][mirrored][piece][square];
                sum += network->input[(bucket * NETWORK_PLACES + place) * network->units + u];
            }
            int unit = sum < 0 ? 0 : sum / NETWORK_FINE;
            if (unit > NETWORK_ONE) unit = NETWORK_ONE;
            total += (int64_t)unit * unit * network->output[output][view * network->units + u];
        }
    }
    return total / NETWORK_DIVISOR;
}

static bool middle(const Position *position, Side side) {
    return square_file(position->general[side]) == FILE_COUNT / 2;
}

// An evaluator that has seen other positions must give the same score as an empty cache, and as the
// definition in network.h. Exchanging the colours must not change the score. Mirroring the position
// must not change it unless a general stands on the middle file. In one network the input
// weights are so large that a sum leaves the range of 16 bits while many pieces change.
void test_network_score(TestContext *t) {
    static const int shapes[] = {32, 32, 64, 96, 256, NETWORK_UNITS_MAX};
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        const int units = shapes[shape];
        AUTO_POINTER(Network)
        network = random_network(units, units == 2 * NETWORK_UNITS_STEP, shape == 0);
        AUTO_FREE Evaluator *evaluator = memory_aligned(64, sizeof *evaluator);
        AUTO_FREE NetworkCache *fresh = memory_aligned(64, sizeof *fresh);
        Random random;
        Position walk, image;
        int mirrors = 0;
        Err err = {0};
        CHECK_OK(network_check(network, &err), err);
        random_init(&random, 5, 0);
        position_init_start(&walk);
        evaluator_init(evaluator, &network->weights);
        evaluator_set_network(evaluator, network);
        for (int i = 0; i < 4000 && !t->failures; i++) {
            if (i % 16 == 15) {
                positions_random_crowd(&random, &walk);
            } else if (i % 64 == 9) {
                while (!positions_random_siege(&random, &walk)) {
                }
            } else {
                positions_random_step(&random, &walk);
            }
            const int linear = network->linear ? evaluate(&walk, &network->weights) : 0;
            const int score = evaluator_score(evaluator, &walk);
            memset(fresh, 0, sizeof *fresh);
            CHECK_INT(score, linear + network_score(network, fresh, &walk, NULL, NULL));
            CHECK_INT(score, linear + plain_score(network, &walk));
            positions_swap_colours(&walk, &image);
            CHECK_INT(evaluator_score(evaluator, &image), score);
            if (middle(&walk, RED) || middle(&walk, BLACK)) continue;
            mirrors++;
            position_mirror(&walk, &image);
            CHECK_INT(evaluator_score(evaluator, &image), score);
        }
        CHECK(mirrors > 100);
    }
}

// Checks that the pieces on all points use all NETWORK_PLACES indices of inputs, and no others. The
// general of the side from whose view the inputs are seen has no input.
void test_network_places(TestContext *t) {
    NetworkPlaces places;
    network_places_init(&places);
    bool seen[NETWORK_PLACES] = {false};
    int count = 0;
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        if (piece_type((Piece)piece) == NO_PIECE_TYPE || piece == piece_make(RED, GENERAL))
            continue;
        for (int square = 0; square < SQUARE_COUNT; square++) {
            const int place = places.of[RED][0][piece][square];
            CHECK(place < NETWORK_PLACES);
            count += !seen[place];
            seen[place] = true;
        }
    }
    CHECK_INT(count, NETWORK_PLACES);
}

static void check_refused(TestContext *t, const char *bytes, size_t size, const char *why) {
    Network *network = NULL;
    Err err = {0};
    const bool refused = network_parse(bytes, size, "FILE", &network, &err) != STATUS_OK;
    CHECK_MSG(refused && strstr(err.text, why), "the message is '%s', expected '%s'", err.text,
              why);
    network_free(network);
}

// Writes a network to a file and reads it back. A file must be refused if it is damaged, cut off,
// of another program or of another version. A network whose weights are too large must not be
// written.
void test_network_file(TestContext *t) {
    AUTO_POINTER(Network) network = random_network(64, true, false);
    AUTO_POINTER(Network) read = NULL;
    AUTO_FREE char *bytes = NULL;
    Weights weights;
    char path[600], hash[SHA256_HEX_SIZE];
    size_t size = 0;
    Err err = {0};
    snprintf(path, sizeof path, "%s/a.net", t->scratch);
    text_add(&network->provenance, "games of a test\n");
    CHECK_OK(network_save(network, path, &err), err);
    if (!CHECK_OK(evaluation_load(path, &weights, &read, hash, &err), err)) return;
    CHECK_TEXT(hash, network->hash);
    CHECK_TEXT(evaluation_name("best", read), "best");
    CHECK_TEXT(evaluation_name("best", NULL), "default");
    CHECK_TEXT(text_get(&read->provenance), "games of a test\n");
    CHECK(memcmp(&weights, &network->weights, sizeof weights) == 0);
    CHECK(memcmp(read->output, network->output, sizeof read->output) == 0);
    CHECK(memcmp(read->input, network->input, sizeof(int16_t) * NETWORK_INPUTS * 64) == 0);
    CHECK(weights_load(path, &weights, &err) != STATUS_OK && strstr(err.text, "is a network"));
    if (!CHECK_OK(text_read_file(path, &bytes, &size, &err), err)) return;
    check_refused(t, bytes, size - 1, "cut off");
    check_refused(t, bytes, 10, "cut off");
    check_refused(t, "table 1 2", 9, "not a network");
    for (size_t at = 16; at < size; at += size / 7) {
        bytes[at] ^= 4;
        check_refused(t, bytes, size, "damaged");
        bytes[at] ^= 4;
    }
    bytes[4] ^= 4;
    check_refused(t, bytes, size, "version");
    bytes[4] ^= 4;
    bytes[8] ^= 1;
    check_refused(t, bytes, size, "65 hidden units");
    bytes[8] ^= 1;
    // A file of version 1 stores the number of weight pairs in the place where this file stores the
    // number of terms, so the file is refused.
    bytes[4] = 1;
    check_refused(t, bytes, size, "linear weights without names");
    network->input[7] = NETWORK_INPUT_MAX + 1;
    CHECK(network_save(network, path, &err) != STATUS_OK && strstr(err.text, "input weight 7"));
    network->input[7] = 0;
    for (int i = 64; i < 128; i++) network->output[3][i] = 1200;
    CHECK(network_save(network, path, &err) != STATUS_OK && strstr(err.text, "output weights 3"));
}

// Replaces the text `find` in the file of a network and writes a correct checksum.
static void change_file(Text *file, const char *find, const char *replace) {
    char *at = memmem(file->data, file->length, find, strlen(find));
    AUTO(Text) changed = {0};
    uint8_t digest[SHA256_BYTES];
    Sha256 hash;
    text_add_bytes(&changed, file->data, (size_t)(at - file->data));
    text_add(&changed, "%s", replace);
    at += strlen(find);
    text_add_bytes(&changed, at, file->length - SHA256_BYTES - (size_t)(at - file->data));
    sha256_init(&hash);
    sha256_add(&hash, changed.data, changed.length);
    sha256_finish(&hash, digest);
    text_add_bytes(&changed, digest, sizeof digest);
    text_reset(file);
    text_add_bytes(file, changed.data, changed.length);
}

// Checks that the linear weights in a network's file are assigned to terms by name.
void test_network_terms(TestContext *t) {
    AUTO_POINTER(Network) network = random_network(32, true, false);
    AUTO_FREE char *bytes = NULL;
    AUTO(Text) file = {0};
    char path[600], hash[SHA256_HEX_SIZE];
    size_t size = 0;
    Err err = {0};
    snprintf(path, sizeof path, "%s/a.net", t->scratch);
    CHECK_OK(network_save(network, path, &err), err);
    if (!CHECK_OK(text_read_file(path, &bytes, &size, &err), err)) return;
    text_add_bytes(&file, bytes, size);
    change_file(&file, "\npinned 6\n", "\npinnes 6\n");
    check_refused(t, file.data, file.length, "unknown term 'pinnes'");
    AUTO_POINTER(Network) read = NULL;
    KeptNotes kept = {.notes = {keep_note, .drop_unknown = true}};
    Err dropping = {.notes = &kept.notes};
    CHECK_OK(network_parse(file.data, file.length, "FILE", &read, &dropping), dropping);
    CHECK(strstr(text_get(&kept.lines), "pinnes") != NULL);
    text_clear(&kept.lines);
    if (!read) return;
    CHECK_TEXT(read->hash,
               network->hash); // the removed term had the weight 0, so the hash does not change
    CHECK(memcmp(&read->weights, &network->weights, sizeof read->weights) == 0);
    change_file(&file, "\npinnes 6\n", "\npinned 7\n");
    check_refused(t, file.data, file.length, "has 7 pairs of");
    change_file(&file, "\npinned 7\n", "\npinned 6 6\n");
    check_refused(t, file.data, file.length, "list of linear terms in the network file is damaged");
    // If the file exchanges the names of two terms, their weights are exchanged.
    change_file(&file, "\npinned 6 6\n", "\npinned 6\n");
    change_file(&file, "material_cannon 1\nmaterial_horse 1\n",
                "material_horse 1\nmaterial_cannon 1\n");
    AUTO_POINTER(Network) other = NULL;
    CHECK_OK(network_parse(file.data, file.length, "FILE", &other, &err), err);
    if (!other) return;
    CHECK_INT(other->weights.material_cannon[0].mg, network->weights.material_horse[0].mg);
    network_checksum(file.data, file.length, hash);
    CHECK(strlen(hash) == 64 && strcmp(hash, network->hash) != 0);
}
