// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/packed.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

enum {
    BLOCK_SIZE = 1 << 16,
    MEMBERS_MAX = 1000000, // files of one archive
    UNPACKED_MAX_GB = 16,  // bytes that come out of one file
};

// An archive, or one file behind a filter, which libarchive calls a raw archive.
typedef struct Layer {
    struct archive *archive; // NULL: none is open
    PackedFile *packed;
    char *block; // what is read below goes through here
    Text name;
} Layer;

struct PackedFile {
    LineReader base; // opens and closes the file
    const char *bytes;
    size_t length; // of the bytes in memory that are left, where there are any
    PackedChoice choice;
    Layer layers[2]; // the file, and an archive in it
    int depth;       // layers that are open
    bool begun;
    bool ended; // the present file has been read
    size_t members;
    uint64_t unpacked;
    Text name;
    locale_t utf8; // in which libarchive gives names; 0 where the system lacks it
};

static Layer *top(PackedFile *packed) {
    return &packed->layers[packed->depth - 1];
}

// ---- names -------------------------------------------------------------------------------------

bool packed_name(const char *name, size_t *inner) {
    static const char *const one[] = {".gz", ".bz2", ".xz", ".zst"};
    static const char *const many[] = {".zip", ".7z", ".rar", ".tar", ".tgz", ".tbz2", ".txz"};
    const size_t length = strlen(name);
    size_t rest = 0;
    bool packed = false;
    for (size_t i = 0; i < sizeof one / sizeof *one && !packed; i++) {
        const size_t size = strlen(one[i]);
        packed = length > size && strcasecmp(name + length - size, one[i]) == 0;
        if (packed) rest = length - size;
    }
    if (rest > 4 && strncasecmp(name + rest - 4, ".tar", 4) == 0) rest = 0;
    for (size_t i = 0; i < sizeof many / sizeof *many && !packed; i++) {
        const size_t size = strlen(many[i]);
        packed = length > size && strcasecmp(name + length - size, many[i]) == 0;
    }
    if (inner) *inner = rest;
    return packed;
}

static void set_member_name(PackedFile *packed, struct archive_entry *entry) {
    const char *name = archive_entry_pathname_utf8(entry);
    if (!name) name = archive_entry_pathname(entry);
    text_reset(&packed->name);
    text_add(&packed->name, "%s:", text_get(&top(packed)->name));
    if (name) {
        text_add(&packed->name, "%s", name);
    } else {
        text_add(&packed->name, "file %zu", packed->members);
    }
    // Names in archives are anyone's.
    text_make_printable(packed->name.data + top(packed)->name.length);
}

const char *packed_file_name(const PackedFile *packed) {
    return text_get(&packed->name);
}

// ---- layers ------------------------------------------------------------------------------------

static la_ssize_t read_file(struct archive *archive, void *context, const void **bytes) {
    Layer *layer = context;
    ssize_t got;
    do {
        got = read(fileno(layer->packed->base.file), layer->block, BLOCK_SIZE);
    } while (got < 0 && errno == EINTR && !interrupt_requested());
    if (got < 0 && !interrupt_requested()) layer->packed->base.error_number = errno;
    if (got < 0) archive_set_error(archive, errno, "%s", strerror(errno));
    *bytes = layer->block;
    return got;
}

static la_int64_t seek_file(struct archive *archive, void *context, la_int64_t offset, int whence) {
    const Layer *layer = context;
    const off_t at = lseek(fileno(layer->packed->base.file), offset, whence);
    if (at < 0) archive_set_error(archive, errno, "%s", strerror(errno));
    return at < 0 ? ARCHIVE_FATAL : at;
}

static la_ssize_t read_member(struct archive *archive, void *context, const void **bytes) {
    const Layer *layer = context;
    struct archive *below = layer->packed->layers[0].archive;
    const la_ssize_t got = archive_read_data(below, layer->block, BLOCK_SIZE);
    if (got < 0) archive_set_error(archive, EIO, "%s", archive_error_string(below));
    *bytes = layer->block;
    return got;
}

static Status refuse_encrypted(Err *err) {
    return err_set(err, STATUS_BAD_INPUT,
                   "it is encrypted: unpack it with its password and import what comes out");
}

static Status fail(struct archive *archive, Err *err) {
    const char *why = archive_error_string(archive);
    const int code = archive_errno(archive);
    if (!why) why = "libarchive does not say why";
    if (strcasestr(why, "encrypt") || strcasestr(why, "passphrase") || strcasestr(why, "crypto") ||
        archive_read_has_encrypted_entries(archive) > 0) {
        return refuse_encrypted(err);
    }
    // These two are how libarchive says that the content is at fault.
    if (code > 0 && code != EILSEQ && code != EINVAL) {
        return err_set(err, STATUS_IO, "it cannot be read: %s", why);
    }
    return err_set(err, STATUS_BAD_INPUT,
                   "it is broken (%s): what came before is kept; fetch it again, or unpack what "
                   "can be saved and import that",
                   why);
}

// libarchive takes a file whose beginning cannot be read for an empty one.
static Status check_read(const PackedFile *packed, Status status, Err *err) {
    const int why = packed->base.error_number;
    return why ? err_set(err, STATUS_IO, "it cannot be read: %s", strerror(why)) : status;
}

static void close_layer(PackedFile *packed) {
    Layer *layer = top(packed);
    archive_read_free(layer->archive);
    free(layer->block);
    text_clear(&layer->name);
    *layer = (Layer){0};
    packed->depth--;
}

// Opens the file, or the archive that the present file of an archive is.
static Status open_layer(PackedFile *packed, Err *err) {
    struct archive *archive = archive_read_new();
    Layer *layer = &packed->layers[packed->depth++];
    *layer = (Layer){archive, packed, memory_alloc(BLOCK_SIZE, 1), {0}};
    text_add(&layer->name, "%s", text_get(&packed->name));
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_zip(archive);
    archive_read_support_format_7zip(archive);
    archive_read_support_format_rar(archive);
    archive_read_support_format_rar5(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_empty(archive);
    archive_read_support_format_raw(archive);
    const bool file = packed->depth == 1;
    archive_read_set_read_callback(archive, file ? read_file : read_member);
    archive_read_set_callback_data(archive, layer);
    if (file && packed->base.owned && lseek(fileno(packed->base.file), 0, SEEK_CUR) >= 0) {
        archive_read_set_seek_callback(archive, seek_file);
    }
    Status status = archive_read_open1(archive) >= ARCHIVE_WARN ? STATUS_OK : fail(archive, err);
    status = check_read(packed, status, err);
    if (status != STATUS_OK) close_layer(packed);
    return status;
}

Status packed_open(const char *path, const PackedChoice *choice, PackedFile **out, Err *err) {
    PackedFile *packed = memory_alloc(1, sizeof *packed);
    const Status status = line_reader_open(&packed->base, path, err);
    if (choice) packed->choice = *choice;
    packed->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    text_add(&packed->name, "%s", status == STATUS_OK ? packed->base.name : "");
    *out = packed;
    if (status == STATUS_OK) return STATUS_OK;
    packed_close(packed);
    *out = NULL;
    return status;
}

PackedFile *packed_open_bytes(const char *bytes, size_t length) {
    PackedFile *packed = memory_alloc(1, sizeof *packed);
    packed->bytes = bytes;
    packed->length = length;
    text_add(&packed->name, "memory");
    return packed;
}

void packed_close(PackedFile *packed) {
    if (!packed) return;
    while (packed->depth > 0) close_layer(packed);
    line_reader_close(&packed->base, NULL);
    if (packed->utf8) freelocale(packed->utf8);
    text_clear(&packed->name);
    free(packed);
}

// ---- from file to file -------------------------------------------------------------------------

// A file that is not packed, or the one file behind a filter, has no name of its own.
static bool is_one_file(struct archive *archive) {
    const int format = archive_format(archive);
    return format == ARCHIVE_FORMAT_RAW || format == ARCHIVE_FORMAT_EMPTY;
}

static Status check_limits(PackedFile *packed, struct archive_entry *entry, Err *err) {
    if (packed->members++ == MEMBERS_MAX) {
        return err_set(err, STATUS_BAD_INPUT,
                       "it holds more than %d files: unpack it and import the folder", MEMBERS_MAX);
    }
    const int64_t most = (int64_t)UNPACKED_MAX_GB << 30;
    if (archive_entry_size_is_set(entry) && archive_entry_size(entry) > most) {
        return err_set(err, STATUS_BAD_INPUT,
                       "it holds a file of more than %d GB: unpack it and import the folder",
                       UNPACKED_MAX_GB);
    }
    return STATUS_OK;
}

static bool is_entry(int result) {
    return result == ARCHIVE_OK || result == ARCHIVE_WARN;
}

// The next entry of the archive on top; STATUS_NOT_FOUND when it is at its end and closed.
static Status next_entry(PackedFile *packed, struct archive_entry **entry, Err *err) {
    struct archive *archive = top(packed)->archive;
    int result;
    do {
        const locale_t before = uselocale(packed->utf8);
        result = archive_read_next_header(archive, entry);
        if (is_entry(result) && !is_one_file(archive)) set_member_name(packed, *entry);
        uselocale(before);
    } while (result == ARCHIVE_RETRY && !interrupt_requested());
    Status status = STATUS_NOT_FOUND;
    if (is_entry(result)) {
        status = check_limits(packed, *entry, err);
    } else if (result != ARCHIVE_EOF) {
        status = fail(archive, err);
    }
    status = check_read(packed, status, err);
    if (status == STATUS_OK) return status;
    // Nothing is found behind such an error; it is the archive that is named.
    text_reset(&packed->name);
    text_add(&packed->name, "%s", text_get(&top(packed)->name));
    close_layer(packed);
    return status;
}

// Passes a file over. libarchive would unpack it without an end where its size is not told.
static Status pass_over(PackedFile *packed, struct archive_entry *entry, Err *err) {
    char bytes[4096];
    ssize_t got = archive_entry_size_is_set(entry) ? 0 : 1;
    while (got > 0) got = packed_read(packed, bytes, sizeof bytes, err);
    return got < 0 ? err->status : STATUS_OK;
}

// Goes to a file of the archive on top, or into the archive that it is. *found: it is to be read.
static Status take_entry(PackedFile *packed, struct archive_entry *entry, bool *found, Err *err) {
    *found = is_one_file(top(packed)->archive);
    if (*found) return STATUS_OK;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) {
        return STATUS_OK;
    }
    char *name = memory_copy_text(text_get(&packed->name) + top(packed)->name.length + 1);
    const bool layered = packed_name(name, NULL);
    const bool wanted =
        !packed->choice.wanted || packed->choice.wanted(packed->choice.context, name);
    free(name);
    if (!wanted) return pass_over(packed, entry, err);
    if (archive_entry_is_encrypted(entry)) return refuse_encrypted(err);
    if (layered && packed->depth == 2) {
        return err_set(err, STATUS_BAD_INPUT,
                       "it lies in an archive in an archive: unpack it and import what comes out");
    }
    *found = !layered;
    return layered ? open_layer(packed, err) : STATUS_OK;
}

Status packed_next(PackedFile *packed, Err *err) {
    Status status = STATUS_OK;
    bool found = false;
    if (!packed->begun && packed->base.file) {
        status = open_layer(packed, err);
    } else {
        found = !packed->begun;
    }
    packed->begun = true;
    packed->ended = false;
    while (status == STATUS_OK && !found) {
        if (packed->depth == 0) return STATUS_NOT_FOUND;
        struct archive_entry *entry = NULL;
        status = next_entry(packed, &entry, err);
        if (status == STATUS_OK) status = take_entry(packed, entry, &found, err);
        if (status == STATUS_NOT_FOUND) status = STATUS_OK;
    }
    return status;
}

// ---- the bytes of a file -----------------------------------------------------------------------

static ssize_t read_memory(PackedFile *packed, char *bytes, size_t size) {
    if (size > packed->length) size = packed->length;
    if (size) memcpy(bytes, packed->bytes, size);
    packed->bytes += size;
    packed->length -= size;
    return (ssize_t)size;
}

ssize_t packed_read(PackedFile *packed, char *bytes, size_t size, Err *err) {
    if (packed->ended) return 0;
    if (packed->depth == 0) return packed->base.file ? 0 : read_memory(packed, bytes, size);
    struct archive *archive = top(packed)->archive;
    la_ssize_t got;
    do {
        got = archive_read_data(archive, bytes, size);
    } while (got == ARCHIVE_RETRY && !interrupt_requested());
    if (interrupt_requested()) {
        err_set(err, STATUS_INTERRUPTED, "interrupted");
        return -1;
    }
    packed->ended = got <= 0;
    const Status status = check_read(packed, got < 0 ? fail(archive, err) : STATUS_OK, err);
    if (status != STATUS_OK) return -1;
    const bool plain =
        is_one_file(archive) && packed->depth == 1 && archive_filter_count(archive) == 1;
    packed->unpacked += plain ? 0 : (uint64_t)got;
    if (packed->unpacked >> 30 < UNPACKED_MAX_GB) return got;
    err_set(err, STATUS_BAD_INPUT,
            "it unpacks to more than %d GB: unpack it and import what comes out", UNPACKED_MAX_GB);
    return -1;
}

// ---- lines --------------------------------------------------------------------------------------

static ssize_t read_lines(void *context, char *to, size_t size) {
    PackedFile *packed = context;
    Err err = {0};
    Status status = packed->begun ? STATUS_OK : packed_next(packed, &err);
    while (status == STATUS_OK) {
        const ssize_t got = packed_read(packed, to, size, &err);
        if (got > 0) return got;
        status = got < 0 ? err.status : packed_next(packed, &err);
    }
    errno = EIO;
    return status == STATUS_NOT_FOUND ? 0 : -1;
}

static int close_lines(void *context) {
    packed_close(context);
    return 0;
}

Status packed_open_lines(const char *path, LineReader *lines, Err *err) {
    static const cookie_io_functions_t functions = {.read = read_lines, .close = close_lines};
    struct stat info;
    if (!path || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return line_reader_open(lines, path, err);
    }
    PackedFile *packed;
    const Status status = packed_open(path, NULL, &packed, err);
    if (status != STATUS_OK) return status;
    FILE *file = fopencookie(packed, "rb", functions);
    *lines = (LineReader){.file = file, .name = path, .owned = true};
    if (file) return STATUS_OK;
    packed_close(packed);
    return err_set(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
}
