// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/weight_convert.h"

#include <string.h>

#include "core/eval/network.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "core/system/version.h"
#include "datasets/sparse/weights_hdf5.h"
#include "tuner/fit/fit_record.h"

static Status convert_network(const WeightConversion *conversion, Err *err) {
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    TRY(evaluation_load(conversion->source, &weights, &network, hash, err));
    if (!network) {
        return err_set(err, STATUS_USAGE,
                       "--to network: %s has linear weights only; give a network",
                       conversion->source);
    }
    TRY(network_require_own(network, conversion->source, err));
    if (!conversion->out) return err_set(err, STATUS_USAGE, "--to network needs --out FILE.net");
    return network_save(network, conversion->out, err);
}

// Appends the comment line NETWORK_KEEP with the checksum of the network at `path` (network.h).
static Status format_keep(const char *path, Text *text, Err *err) {
    AUTO_FREE char *bytes = NULL;
    size_t size;
    char hex[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    TRY(text_read_file(path, &bytes, &size, err));
    TRY(network_parse(bytes, size, path, &network, err));
    TRY(network_require_own(network, path, err));
    network_checksum(bytes, size, hex);
    text_add(text, NETWORK_KEEP " %s\n", hex);
    return STATUS_OK;
}

// Loads a weight set and the record of its fit, or the linear weights of a network and an empty
// record.
static Status load_linear(const char *name, Weights *weights, FitRecord *record, Err *err) {
    char hash[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    TRY(evaluation_load(name, weights, &network, hash, err));
    TRY(network_require_own(network, name, err));
    if (!network) return fit_record_load(strcmp(name, "best") ? name : "default", record, err);
    fit_record_parse("", record);
    if (network->linear) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: this network has no linear weights to convert: it was trained with --alone",
                   name);
}

Status weights_convert(const WeightConversion *conversion, WeightFormat to, FILE *out, Err *err) {
    if (to == TO_NETWORK) return convert_network(conversion, err);
    const char *name = conversion->source, *errors = conversion->errors;
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    AUTO(FitRecord) own = {0}, other = {0};
    AUTO(Text) provenance = {0}, text = {0};
    TRY(load_linear(name, &weights, &own, err));
    if (errors) TRY(fit_record_load(errors, &other, err));
    const FitRecord *known = errors ? &other : &own;
    weights_hash(&weights, hash);
    text_add(&provenance, "from %s\nhash %s\nconverted by paotai %s %s\nstandard errors from %s\n",
             name, hash, PAOTAI_VERSION, version_revision(), errors ? errors : name);
    if (conversion->keep) TRY(format_keep(conversion->keep, &provenance, err));
    fit_record_format_pieces(&own.pieces, &provenance);
    fit_record_format_se(known->error, known->error_data, &provenance);
    fit_contain_format(known->contain, &provenance);
    if (to == TO_HDF5) {
        if (!conversion->out) return err_set(err, STATUS_USAGE, "--to hdf5 needs --out FILE");
        return weights_write_hdf5(&weights, known->error, conversion->out, provenance.data, err);
    }
    weights_format(&weights, text_get(&provenance), &text);
    if (conversion->out) return text_write_file(conversion->out, text.data, text.length, err);
    fputs(text.data, out);
    return STATUS_OK;
}
