// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes network files. A file has a header of 16 bytes, the lines of provenance, a line
// `NAME PAIRS` for each linear term, the weights of these terms, the arrays of network_numbers(),
// and the SHA-256 of all these bytes. Numbers are little-endian integers. Version 1, which can
// still be read, has no lines `NAME PAIRS`.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/network.h"
#include "core/system/out_file.h"

static const char magic[4] = {'P', 'T', 'N', 'N'};
enum { NETWORK_VERSION = 2, NETWORK_UNNAMED = 1, NETWORK_LINEAR = 1 };

typedef struct NetworkHead {
    char magic[4];
    uint16_t version, flags;
    uint16_t units, terms; // `terms`: number of linear terms, or in version NETWORK_UNNAMED, which
                           // has no names of terms, number of pairs of linear weights
    uint32_t provenance;   // size of the provenance in bytes
} NetworkHead;
_Static_assert(sizeof(NetworkHead) == 16, "the header of a network file has 16 bytes");

Network *network_new(int units, bool linear) {
    Network *network = memory_alloc(1, sizeof *network);
    const size_t size = sizeof(int16_t) * NETWORK_INPUTS * (size_t)units;
    network->units = units;
    network->linear = linear;
    network->input = memory_huge(size);
    memset(network->input, 0, size);
    network_places_init(&network->places);
    return network;
}

void network_free(Network *network) {
    if (!network) return;
    free(network->input);
    fairy_free(network->fairy);
    text_clear(&network->provenance);
    free(network);
}

// ---- numbers ------------------------------------------------------------------------------------

// One array of numbers of the network, as stored in the file.
typedef struct Numbers {
    void *at;
    size_t size; // size of the array in bytes
} Numbers;
enum { NUMBERS_MAX = 3 + NETWORK_OUTPUTS };

// Lists the arrays that follow the linear weights in the file. Returns their number.
static int network_numbers(const Network *constant, Numbers list[NUMBERS_MAX]) {
    Network *network = (Network *)(uintptr_t)constant;
    const size_t units = (size_t)network->units * sizeof(int16_t);
    int count = 0;
    list[count++] = (Numbers){network->input, NETWORK_INPUTS * units};
    list[count++] = (Numbers){network->bias, units};
    for (int i = 0; i < NETWORK_OUTPUTS; i++) {
        list[count++] = (Numbers){network->output[i], 2 * units};
    }
    list[count++] = (Numbers){network->output_bias, sizeof network->output_bias};
    return count;
}

static void set_hash(Network *network) {
    Numbers list[NUMBERS_MAX];
    const int count = network_numbers(network, list);
    Sha256 hash;
    sha256_init(&hash);
    sha256_add_u32(&hash, (uint32_t)network->units);
    if (network->linear) weights_hash_add(&network->weights, &hash);
    for (int i = 0; i < count; i++) sha256_add(&hash, list[i].at, list[i].size);
    sha256_finish_hex(&hash, network->hash);
}

Status network_check(const Network *network, Err *err) {
    const size_t inputs = (size_t)NETWORK_INPUTS * (size_t)network->units;
    for (size_t i = 0; i < inputs + (size_t)network->units; i++) {
        const int value = i < inputs ? network->input[i] : network->bias[i - inputs];
        if (abs(value) <= NETWORK_INPUT_MAX) continue;
        return err_set(err, STATUS_BAD_INPUT, "%s %zu is %d, but must be within +-%d",
                       i < inputs ? "input weight" : "bias", i < inputs ? i : i - inputs, value,
                       NETWORK_INPUT_MAX);
    }
    // Check the output weights of the side to move and of the other side separately, because each
    // has its own output sum.
    for (int i = 0; i < 2 * NETWORK_OUTPUTS; i++) {
        const int16_t *output = network->output[i / 2] + i % 2 * network->units;
        int64_t most = 0;
        for (int u = 0; u < network->units; u++) {
            most += (int64_t)NETWORK_ONE * NETWORK_ONE * abs(output[u]);
        }
        if (most <= INT32_MAX) continue;
        return err_set(err, STATUS_BAD_INPUT,
                       "output weights %d: the output may reach %" PRId64
                       ", which does not fit in 32 bits",
                       i / 2, most);
    }
    const WeightPair *weights = weights_flat_const(&network->weights);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        if (abs(weights[i].mg) <= WEIGHT_LIMIT && abs(weights[i].eg) <= WEIGHT_LIMIT) continue;
        return err_set(err, STATUS_BAD_INPUT,
                       "pair %d of linear weights is %d (middlegame) and %d (endgame), but both "
                       "must be within +-%d",
                       i, weights[i].mg, weights[i].eg, WEIGHT_LIMIT);
    }
    return STATUS_OK;
}

// ---- files --------------------------------------------------------------------------------------

// Writes a network of Fairy-Stockfish, with the provenance as description.
static Status save_fairy(Network *network, const char *path, Err *err) {
    Fairy *fairy = network->fairy;
    text_reset(&fairy->description);
    text_add_bytes(&fairy->description, text_get(&network->provenance), network->provenance.length);
    TRY(fairy_save(fairy, path, err));
    memcpy(network->hash, fairy->hash, sizeof fairy->hash);
    return STATUS_OK;
}

Status network_save(Network *network, const char *path, Err *err) {
    if (network->fairy) return save_fairy(network, path, err);
    AUTO(Text) file = {0};
    Numbers list[NUMBERS_MAX];
    const int count = network_numbers(network, list);
    NetworkHead head = {.version = NETWORK_VERSION,
                        .flags = network->linear ? NETWORK_LINEAR : 0,
                        .units = (uint16_t)network->units,
                        .terms = network->linear ? WEIGHT_TERM_COUNT : 0,
                        .provenance = (uint32_t)network->provenance.length};
    memcpy(head.magic, magic, sizeof magic);
    TRY(network_check(network, err));
    text_add_bytes(&file, &head, sizeof head);
    text_add_bytes(&file, text_get(&network->provenance), network->provenance.length);
    for (int i = 0; i < head.terms; i++) {
        text_add(&file, "%s %d\n", weight_terms[i].name, weight_terms[i].count);
    }
    if (network->linear) text_add_bytes(&file, &network->weights, sizeof network->weights);
    for (int i = 0; i < count; i++) text_add_bytes(&file, list[i].at, list[i].size);
    uint8_t digest[SHA256_BYTES];
    Sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, file.data, file.length);
    sha256_finish(&hash, digest);
    text_add_bytes(&file, digest, sizeof digest);
    set_hash(network);
    return text_write_file(path, file.data, file.length, err);
}

static bool is_own_file(const void *bytes, size_t size) {
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

bool network_is_file(const void *bytes, size_t size) {
    return is_own_file(bytes, size) || fairy_is_file(bytes, size);
}

Status network_require_own(const Network *network, const char *name, Err *err) {
    if (!network || !network->fairy) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "%s is a network of Fairy-Stockfish, which has another shape and no linear "
                   "weights; give a network that 'paotai train' wrote",
                   name);
}

// Refuses a header whose version, number of units or flags the program does not support. Also
// refuses version 1 if its number of linear weights differs from that of the program.
static Status check_head(const NetworkHead *head, Err *err) {
    if (head->version < NETWORK_UNNAMED || head->version > NETWORK_VERSION) {
        return err_set(
            err, STATUS_MISMATCH,
            "the network has version %d, but this program reads only the versions 1 to %d: use "
            "the program that wrote it",
            head->version, NETWORK_VERSION);
    }
    if (head->units == 0 || head->units > NETWORK_UNITS_MAX ||
        head->units % NETWORK_UNITS_STEP != 0 || head->flags > NETWORK_LINEAR) {
        return err_set(
            err, STATUS_MISMATCH,
            "the header of the network gives %d hidden units and flags %d, but this program "
            "reads only networks with at most %d units, in multiples of %d, and with flags 0 or "
            "1: use the program that wrote it",
            head->units, head->flags, NETWORK_UNITS_MAX, NETWORK_UNITS_STEP);
    }
    if (head->version == NETWORK_UNNAMED && head->flags && head->terms != WEIGHT_COUNT) {
        return err_set(
            err, STATUS_MISMATCH,
            "the network has version 1 and %d pairs of linear weights without names, but "
            "this program has %d: rewrite it with a program that has %d ('paotai weights "
            "convert FILE.net --to network --out NEW.net'), or train it again",
            head->terms, WEIGHT_COUNT, head->terms);
    }
    return STATUS_OK;
}

// The bytes of a network file that were not yet read.
typedef struct Rest {
    const uint8_t *at;
    size_t size;
} Rest;

// Copies the next bytes of the file to *to, or skips them if `to` is NULL. Returns false and reads
// nothing if fewer than `size` bytes remain.
static bool take(Rest *rest, void *to, size_t size) {
    if (rest->size < size) return false;
    if (to) memcpy(to, rest->at, size);
    rest->at += size;
    rest->size -= size;
    return true;
}

static Status too_short(Err *err) {
    return err_set(err, STATUS_CORRUPT, "the network file is shorter than its header says");
}

// Reads a line `NAME PAIRS`: a linear term and the number of its pairs of weights.
static Status read_term(Rest *rest, char name[WEIGHT_NAME_MAX], int *pairs, Err *err) {
    char line[WEIGHT_NAME_MAX + 8];
    const uint8_t *end = memchr(rest->at, '\n', rest->size);
    const size_t length = end ? (size_t)(end - rest->at) : 0;
    const char *cursor = line, *word;
    size_t word_length = 0;
    long long count = 0;
    if (!end) return too_short(err);
    if (length < sizeof line) {
        memcpy(line, rest->at, length);
        line[length] = '\0';
        take(rest, NULL, length + 1);
        if (text_next_word(&cursor, &word, &word_length) && word_length < WEIGHT_NAME_MAX &&
            parse_int(cursor + (*cursor == ' '), 1, UINT16_MAX, &count, "pairs", NULL) ==
                STATUS_OK) {
            memcpy(name, word, word_length);
            name[word_length] = '\0';
            *pairs = (int)count;
            return STATUS_OK;
        }
    }
    return err_set(err, STATUS_CORRUPT, "the list of linear terms in the network file is damaged");
}

// Reads the linear terms and their weights, and matches them by name with the program's terms.
static Status read_linear(Rest *rest, const NetworkHead *head, const char *origin, Network *network,
                          Err *err) {
    AUTO(TermsMatch) match = weights_match_begin(err_drops_unknown(err));
    Rest names = *rest;
    char name[WEIGHT_NAME_MAX];
    int pairs;
    for (int i = 0; i < head->terms; i++) TRY(read_term(rest, name, &pairs, err));
    for (int i = 0; i < head->terms; i++) {
        const WeightTerm *term;
        TRY(read_term(&names, name, &pairs, err));
        TRY(weights_match(&match, name, strlen(name), pairs, &term, err));
        WeightPair *values = term ? weights_flat(&network->weights) + term->first : NULL;
        if (!take(rest, values, (size_t)pairs * sizeof(WeightPair))) return too_short(err);
    }
    return terms_match_end(&match, origin, err);
}

static Status check_digest(const uint8_t *bytes, size_t size, Err *err) {
    uint8_t digest[SHA256_BYTES];
    Sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, bytes, size - SHA256_BYTES);
    sha256_finish(&hash, digest);
    if (memcmp(digest, bytes + size - SHA256_BYTES, SHA256_BYTES) == 0) return STATUS_OK;
    return err_set(err, STATUS_CORRUPT,
                   "the checksum is wrong: the network is damaged, or was cut off after %zu bytes",
                   size);
}

// Reads a network file.
static Status parse(const uint8_t *bytes, size_t size, const char *origin, Network **network,
                    Err *err) {
    NetworkHead head;
    if (!is_own_file(bytes, size))
        return err_set(err, STATUS_BAD_INPUT, "this is not a network file");
    if (size < sizeof head + SHA256_BYTES) {
        return err_set(err, STATUS_CORRUPT, "the network was cut off after %zu bytes", size);
    }
    Rest rest = {bytes, size - SHA256_BYTES};
    take(&rest, &head, sizeof head);
    TRY(check_head(&head, err));
    TRY(check_digest(bytes, size, err));
    AUTO_POINTER(Network) made = network_new(head.units, head.flags & NETWORK_LINEAR);
    if (head.provenance > rest.size) return too_short(err);
    text_add_bytes(&made->provenance, rest.at, head.provenance);
    take(&rest, NULL, head.provenance);
    if (head.flags && head.version == NETWORK_UNNAMED) {
        if (!take(&rest, &made->weights, sizeof made->weights)) return too_short(err);
    } else if (head.flags) {
        TRY(read_linear(&rest, &head, origin, made, err));
    }
    Numbers list[NUMBERS_MAX];
    const int count = network_numbers(made, list);
    for (int i = 0; i < count; i++) {
        if (!take(&rest, list[i].at, list[i].size)) return too_short(err);
    }
    if (rest.size) {
        return err_set(err, STATUS_CORRUPT,
                       "the network file has %zu bytes, %zu more than its header says", size,
                       rest.size);
    }
    TRY(network_check(made, err));
    set_hash(made);
    *network = TAKE(made);
    return STATUS_OK;
}

// Makes a network from a file of Fairy-Stockfish.
static Status parse_fairy(const void *bytes, size_t size, const char *origin, Network **network,
                          Err *err) {
    AUTO_POINTER(Fairy) fairy = NULL;
    TRY(fairy_parse(bytes, size, origin, &fairy, err));
    *network = memory_alloc(1, sizeof **network);
    text_add_bytes(&(*network)->provenance, text_get(&fairy->description),
                   fairy->description.length);
    memcpy((*network)->hash, fairy->hash, sizeof fairy->hash);
    (*network)->fairy = TAKE(fairy);
    return STATUS_OK;
}

void network_checksum(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE]) {
    hex[0] = '\0';
    if (!is_own_file(bytes, size) || size < SHA256_BYTES) return;
    const uint8_t *digest = (const uint8_t *)bytes + size - SHA256_BYTES;
    for (int i = 0; i < SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

Status network_parse(const void *bytes, size_t size, const char *origin, Network **network,
                     Err *err) {
    if (fairy_is_file(bytes, size)) return parse_fairy(bytes, size, origin, network, err);
    const Status status = parse(bytes, size, origin, network, err);
    return status == STATUS_OK ? status : err_prefix(err, "%s", origin);
}
