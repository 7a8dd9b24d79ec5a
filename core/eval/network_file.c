// SPDX-License-Identifier: GPL-3.0-or-later
// The file of a network: the head of 16 bytes, the lines of its provenance, the numbers in the
// order of network_numbers(), little-endian as the machine is, and SHA-256 of all of it.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/eval/network.h"

static const char magic[4] = {'P', 'T', 'N', 'N'};
enum { NETWORK_VERSION = 1, NETWORK_LINEAR = 1 };

typedef struct NetworkHead {
    char magic[4];
    uint16_t version, flags;
    uint16_t units, terms; // weights of the linear evaluation: pairs of this program
    uint32_t provenance;   // bytes
} NetworkHead;
_Static_assert(sizeof(NetworkHead) == 16, "the head of the file");

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
    text_clear(&network->provenance);
    free(network);
}

// ---- numbers ------------------------------------------------------------------------------------

// One run of numbers of the file.
typedef struct Numbers {
    void *at;
    size_t size; // bytes
} Numbers;
enum { NUMBERS_MAX = 4 + NETWORK_OUTPUTS };

static int network_numbers(const Network *constant, Numbers list[NUMBERS_MAX]) {
    Network *network = (Network *)(uintptr_t)constant;
    const size_t units = (size_t)network->units * sizeof(int16_t);
    int count = 0;
    if (network->linear) list[count++] = (Numbers){&network->weights, sizeof network->weights};
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
    for (int i = 0; i < count; i++) sha256_add(&hash, list[i].at, list[i].size);
    sha256_finish_hex(&hash, network->hash);
}

Status network_check(const Network *network, Err *err) {
    const size_t inputs = (size_t)NETWORK_INPUTS * (size_t)network->units;
    for (size_t i = 0; i < inputs + (size_t)network->units; i++) {
        const int value = i < inputs ? network->input[i] : network->bias[i - inputs];
        if (abs(value) <= NETWORK_INPUT_MAX) continue;
        return err_set(err, STATUS_BAD_INPUT, "input weight %zu is %d, beyond +-%d", i, value,
                       NETWORK_INPUT_MAX);
    }
    for (int i = 0; i < NETWORK_OUTPUTS; i++) {
        int64_t most = llabs(network->output_bias[i]);
        for (int u = 0; u < 2 * network->units; u++) {
            most += (int64_t)NETWORK_ONE * NETWORK_ONE * abs(network->output[i][u]);
        }
        if (most <= INT32_MAX) continue;
        return err_set(err, STATUS_BAD_INPUT, "output %d: its sum may reach %" PRId64, i, most);
    }
    const Score *weights = weights_flat_const(&network->weights);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        if (abs(weights[i].mg) <= WEIGHT_LIMIT && abs(weights[i].eg) <= WEIGHT_LIMIT) continue;
        return err_set(err, STATUS_BAD_INPUT, "linear weight %d is beyond +-%d", i, WEIGHT_LIMIT);
    }
    return STATUS_OK;
}

// ---- files --------------------------------------------------------------------------------------

Status network_save(Network *network, const char *path, Err *err) {
    AUTO(Text) file = {0};
    Numbers list[NUMBERS_MAX];
    const int count = network_numbers(network, list);
    NetworkHead head = {.version = NETWORK_VERSION,
                        .flags = network->linear ? NETWORK_LINEAR : 0,
                        .units = (uint16_t)network->units,
                        .terms = network->linear ? WEIGHT_COUNT : 0,
                        .provenance = (uint32_t)network->provenance.length};
    memcpy(head.magic, magic, sizeof magic);
    TRY(network_check(network, err));
    text_add_bytes(&file, &head, sizeof head);
    text_add_bytes(&file, text_get(&network->provenance), network->provenance.length);
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

bool network_is_file(const void *bytes, size_t size) {
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

// Refuses a head of another program or shape.
static Status check_head(const NetworkHead *head, Err *err) {
    if (head->version != NETWORK_VERSION) {
        return err_set(err, STATUS_MISMATCH, "a network of version %d, this program reads %d",
                       head->version, NETWORK_VERSION);
    }
    if (head->units == 0 || head->units > NETWORK_UNITS_MAX ||
        head->units % NETWORK_UNITS_STEP != 0 || head->flags > NETWORK_LINEAR) {
        return err_set(err, STATUS_MISMATCH, "a network of %d units and kind %d, unknown here",
                       head->units, head->flags);
    }
    if (head->flags && head->terms != WEIGHT_COUNT) {
        return err_set(err, STATUS_MISMATCH,
                       "a network beside %d linear weights, this program has %d: fit again",
                       head->terms, WEIGHT_COUNT);
    }
    return STATUS_OK;
}

static Status parse(const uint8_t *bytes, size_t size, Network **network, Err *err) {
    NetworkHead head;
    uint8_t digest[SHA256_BYTES];
    Sha256 hash;
    if (!network_is_file(bytes, size)) return err_set(err, STATUS_BAD_INPUT, "not a network");
    if (size < sizeof head + SHA256_BYTES) {
        return err_set(err, STATUS_CORRUPT, "a network, cut off after %zu bytes", size);
    }
    const uint8_t *at = bytes_take(bytes, &head, sizeof head);
    TRY(check_head(&head, err));
    AUTO_POINTER(Network) made = network_new(head.units, head.flags & NETWORK_LINEAR);
    Numbers list[NUMBERS_MAX];
    const int count = network_numbers(made, list);
    size_t wanted = sizeof head + head.provenance + SHA256_BYTES;
    for (int i = 0; i < count; i++) wanted += list[i].size;
    if (size != wanted) {
        return err_set(err, STATUS_CORRUPT, "a network of %zu bytes, its head says %zu", size,
                       wanted);
    }
    sha256_init(&hash);
    sha256_add(&hash, bytes, size - SHA256_BYTES);
    sha256_finish(&hash, digest);
    if (memcmp(digest, bytes + size - SHA256_BYTES, SHA256_BYTES) != 0) {
        return err_set(err, STATUS_CORRUPT, "a network whose checksum is wrong: it is damaged");
    }
    text_add_bytes(&made->provenance, at, head.provenance);
    at += head.provenance;
    for (int i = 0; i < count; i++) at = bytes_take(at, list[i].at, list[i].size);
    TRY(network_check(made, err));
    set_hash(made);
    *network = TAKE(made);
    return STATUS_OK;
}

Status network_parse(const void *bytes, size_t size, const char *origin, Network **network,
                     Err *err) {
    const Status status = parse(bytes, size, network, err);
    return status == STATUS_OK ? status : err_prefix(err, "%s", origin);
}

#ifdef PAOTAI_NETWORK
EMBED_BYTES(compiled, compiled_end, "core/eval/network_default.net");
#else
static const uint8_t compiled[1], *const compiled_end = compiled;
#endif

// 0: none was.
static size_t compiled_size(void) {
    return (size_t)((uintptr_t)compiled_end - (uintptr_t)compiled);
}

void network_version(FILE *out) {
    fprintf(out, "network %s\n", compiled_size() > 0 ? "compiled in" : "none");
}

Status network_load(const char *name_or_path, Weights *weights, Network **network,
                    char hash[SHA256_HEX_SIZE], Err *err) {
    AUTO_FREE char *data = NULL;
    size_t size = 0;
    const size_t own = compiled_size();
    const bool best = strcmp(name_or_path, "best") == 0;
    const bool linear =
        strcmp(name_or_path, "classic") == 0 || strcmp(name_or_path, "default") == 0;
    *network = NULL;
    if (best && own) {
        TRY(network_parse(compiled, own, name_or_path, network, err));
    } else if (best) {
        weights_default(weights);
    } else if (linear || text_read_file(name_or_path, &data, &size, NULL) != STATUS_OK) {
        TRY(weights_load(name_or_path, weights, err)); // which says what cannot be read
    } else if (network_is_file(data, size)) {
        TRY(network_parse(data, size, name_or_path, network, err));
    } else {
        TRY(weights_of_file(data, size, name_or_path, weights, err));
    }
    if (*network) {
        *weights = (*network)->weights;
        memcpy(hash, (*network)->hash, SHA256_HEX_SIZE);
    } else {
        weights_hash(weights, hash);
    }
    return STATUS_OK;
}
