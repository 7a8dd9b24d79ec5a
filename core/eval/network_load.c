// SPDX-License-Identifier: GPL-3.0-or-later
// Loads an evaluation by name: linear weights or a network, from a file or compiled in.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/eval/network.h"
#include "core/system/in_file.h"

#ifdef PAOTAI_NETWORK
EMBED_BYTES(compiled, compiled_end, PAOTAI_NETWORK);
#else
static const uint8_t compiled[1], *const compiled_end = compiled;
#endif

// Returns the size of the compiled network in bytes, or 0 if no network was compiled in.
static size_t compiled_size(void) {
    return (size_t)((uintptr_t)compiled_end - (uintptr_t)compiled);
}

// Returns true if weights_default.txt names the compiled network as one that keeps its own linear
// weights (`make adopt KEEP_NETWORK=1`), or if it was compiled in by `make EVALFILE=FILE.net`.
static bool is_kept(void) {
#ifdef PAOTAI_NETWORK_KEPT
    return true;
#endif
    AUTO(Text) line = {0};
    char hex[SHA256_HEX_SIZE];
    network_checksum(compiled, compiled_size(), hex);
    text_add(&line, "\n# " NETWORK_KEEP " %s\n", hex);
    return strstr(weights_default_text(), line.data) != NULL;
}

// Reads the compiled network without the terms that the program does not have. *notes receives the
// notes that name them; the caller frees it.
static Status parse_compiled(Network **network, Text *notes, Err *err) {
    KeptNotes kept = {.notes = {keep_note, .drop_unknown = true}};
    Err own = {.notes = &kept.notes};
    const Status status = network_parse(compiled, compiled_size(), "best", network, &own);
    if (status != STATUS_OK) err_set(err, status, "%s", own.text);
    *notes = MOVE(kept.lines);
    return status;
}

// Loads the evaluation `best` (see evaluation_load()).
static Status load_best(Weights *weights, Network **network, Err *err) {
    // Drop notes about the default weights here. They matter only if `best` equals `default`, and
    // then weights_default() at the end of this function reports them.
    Err quiet = {0};
    Weights linear;
    AUTO_POINTER(Network) made = NULL;
    AUTO(Text) notes = {0};
    if (compiled_size() && weights_default(&linear, &quiet) == STATUS_OK) {
        const Status status = parse_compiled(&made, &notes, err);
        if (status != STATUS_OK) {
            return err_remedy(
                err, "this network is compiled in from core/eval/network_default.net; to "
                     "build the program without it, leave NETWORK empty: make NETWORK= all");
        }
        if (is_kept() || (made->linear && memcmp(&made->weights, &linear, sizeof linear) == 0)) {
            char *cursor = notes.data, *note;
            while (notes.length && (note = text_next_field(&cursor, '\n')) != NULL) {
                if (*note) err_note(err, "%s", note);
            }
            *network = TAKE(made);
            return STATUS_OK;
        }
        err_note(err, "best is the same as default: the compiled network was not trained together "
                      "with the linear weights of default");
    }
    return weights_default(weights, err);
}

Status evaluation_load(const char *name_or_path, Weights *weights, Network **network,
                       char hash[SHA256_HEX_SIZE], Err *err) {
    AUTO_FREE char *data = NULL, *text = NULL;
    size_t size = 0;
    const bool linear =
        strcmp(name_or_path, "classic") == 0 || strcmp(name_or_path, "default") == 0;
    *network = NULL;
    if (strcmp(name_or_path, "best") == 0) {
        TRY(load_best(weights, network, err));
    } else if (linear) {
        TRY(weights_load(name_or_path, weights, err));
    } else if (text_read_file(name_or_path, &data, &size, err) != STATUS_OK) {
        return weights_no_file(name_or_path, "'classic', 'default', 'best' or a file", err);
    } else if (network_is_file(data, size)) {
        TRY(network_parse(data, size, name_or_path, network, err));
    } else {
        TRY(weights_text_of(data, size, name_or_path, &text, err));
        TRY(weights_parse(text, name_or_path, weights, err));
    }
    if (*network) {
        *weights = (*network)->weights;
        memcpy(hash, (*network)->hash, SHA256_HEX_SIZE);
    } else {
        weights_hash(weights, hash);
    }
    return STATUS_OK;
}

const char *evaluation_name(const char *name, const Network *network) {
    return strcmp(name, "best") == 0 && !network ? "default" : name;
}

void network_describe(const char *name, const Network *network, const char *hash, Text *text) {
    text_add(text, "evaluation %s %s %s", evaluation_name(name, network), hash,
             network ? "network" : "linear");
}

void network_version(FILE *out) {
    Weights weights;
    AUTO_POINTER(Network) network = NULL;
    AUTO(Text) text = {0};
    char hash[SHA256_HEX_SIZE];
    Err err = {0};
    fprintf(out, "network %s\n", compiled_size() > 0 ? "compiled in" : "none");
    if (evaluation_load("best", &weights, &network, hash, &err) != STATUS_OK) {
        fprintf(out, "evaluation none: %s\n", err.text);
        return;
    }
    network_describe("best", network, hash, &text);
    fprintf(out, "%s\n", text.data);
}
