// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/packed.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "datasets/formats/formats.h"

enum {
    BLOCK_SIZE = 1 << 16,
    MARK_BYTES = 512, // smallest number of bytes that are read to detect how a file is packed; a
                      // shorter file is read as a whole
};

// A kind of compression or archive. Magic bytes identify it.
typedef struct Packing {
    size_t at, size;  // offset and number of the magic bytes
    const char *mark; // the magic bytes
    // Function that makes libarchive unpack this kind. NULL means gzip, which zlib unpacks, because
    // libarchive does not verify the checksums of gzip.
    int (*support)(struct archive *archive);
    bool many; // true for an archive of files, false for the compression of one file
} Packing;

static const Packing packings[] = {
    {0, 3, "\x1f\x8b\x08", NULL, false},
    {0, 3, "BZh", archive_read_support_filter_bzip2, false},
    {0, 6,
     "\xfd"
     "7zXZ\0",
     archive_read_support_filter_xz, false},
    {0, 4, "\x28\xb5\x2f\xfd", archive_read_support_filter_zstd, false},
    {0, 4, "PK\3\4", archive_read_support_format_zip, true},
    {0, 4, "PK\5\6", archive_read_support_format_zip, true}, // a ZIP archive that contains no file
    {0, 6, "7z\xbc\xaf\x27\x1c", archive_read_support_format_7zip, true},
    {0, 7, "Rar!\x1a\x07\0", archive_read_support_format_rar, true},
    {0, 8, "Rar!\x1a\x07\1\0", archive_read_support_format_rar5, true},
    {257, 5, "ustar", archive_read_support_format_tar, true},
};

// A layer is one compression or archive. It unpacks the bytes of the layer below, or passes on the
// bytes of an uncompressed file.
typedef struct Layer {
    PackedFile *packed;
    const Packing *packing;  // kind of packing of this layer; NULL: not packed
    struct archive *archive; // state of libarchive, which unpacks every kind of packing except gzip
    z_stream *gzip;
    bool gzip_ended;     // a member of the gzip stream has ended, and the next one has not begun
    struct Layer *below; // layer from which the packed bytes are read; NULL: the file on disk
    char *block;         // buffer for packed bytes from the layer `below`
    size_t ahead;        // number of bytes in `block` that were read to detect the kind of packing
    size_t ahead_at;     // number of the `ahead` bytes that were already consumed
    Text name;           // name of the file that this layer unpacks or passes on unchanged
} Layer;

struct PackedFile {
    LineReader base; // the file on disk
    PackedChoice choice;
    Layer layers[LAYERS_MOST];
    int depth;         // number of open layers (compressions and archives)
    int archives;      // number of archives among the open layers
    bool begun;        // packed_next() was called
    bool ended;        // the current file was read to its end
    uint64_t unpacked; // number of bytes unpacked so far
    // Error that occurred while the file was read or while a lower layer was unpacked. It is stored
    // here because libarchive cannot pass it on to the layers above.
    Err failure;
    Text name;
    locale_t
        utf8; // locale in which libarchive reads file names; 0 if the system has no such locale
};

static Layer *top(PackedFile *packed) {
    return &packed->layers[packed->depth - 1];
}

// ---- names -------------------------------------------------------------------------------------

bool packed_name(const char *name, size_t *inner) {
    static const struct {
        const char *ending;
        bool many;
    } endings[] = {{".gz", false}, {".bz2", false}, {".xz", false}, {".zst", false},
                   {".zip", true}, {".7z", true},   {".rar", true}, {".tar", true},
                   {".tgz", true}, {".tbz2", true}, {".txz", true}};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i].ending);
        if (length <= size || strcasecmp(name + length - size, endings[i].ending) != 0) continue;
        const size_t rest = length - size;
        const bool tar = rest > 4 && strncasecmp(name + rest - 4, ".tar", 4) == 0;
        *inner = endings[i].many || tar ? 0 : rest;
        return true;
    }
    return false;
}

const char *packed_file_name(const PackedFile *packed) {
    return text_get(&packed->name);
}

// ---- failures ----------------------------------------------------------------------------------

static Status refuse_encrypted(Err *err) {
    return err_set(
        err, STATUS_BAD_INPUT,
        "the file is encrypted: unpack it with its password and import the unpacked files");
}

static Status refuse_broken(const char *why, Err *err) {
    return err_set(
        err, STATUS_BAD_INPUT,
        "the file is damaged (%s): get another copy, or unpack it and import the readable files",
        why);
}

// Reports an error of libarchive: the file is encrypted, cannot be read, or is damaged. If a lower
// layer has failed, reports the failure of that layer instead. `opened` is false if libarchive
// could not open the archive. Its pointer to the format is then invalid, and a question about
// encrypted entries would follow this pointer (seen in libarchive 3.6.2).
static Status fail(PackedFile *packed, struct archive *archive, bool opened, Err *err) {
    const char *why = archive_error_string(archive);
    const int code = archive_errno(archive);
    if (packed->failure.status != STATUS_OK) {
        *err = packed->failure;
        packed->failure = (Err){0};
        return err->status;
    }
    if (!why) why = "libarchive reports no reason";
    if (strcasestr(why, "encrypt") || strcasestr(why, "passphrase") || strcasestr(why, "crypto") ||
        (opened && archive_read_has_encrypted_entries(archive) > 0)) {
        return refuse_encrypted(err);
    }
    // A positive code is an errno. EILSEQ and EINVAL are no failures of the system: libarchive sets
    // them if it cannot interpret the content.
    if (code > 0 && code != EILSEQ && code != EINVAL) {
        return err_set(err, STATUS_IO, "the file cannot be read: %s", why);
    }
    return refuse_broken(why, err);
}

// ---- layers ------------------------------------------------------------------------------------

static ssize_t read_content(Layer *layer, char *bytes, size_t size, Err *err);

// Reads packed bytes for a layer from the layer below (the compression or archive that contains
// this one), or from the file on disk if there is no layer below.
static ssize_t read_below(Layer *layer, char *bytes, size_t size, Err *err) {
    PackedFile *packed = layer->packed;
    ssize_t got = 0;
    if (layer->below) return read_content(layer->below, bytes, size, err);
    do {
        got = read(fileno(packed->base.file), bytes, size);
    } while (got < 0 && errno == EINTR && !interrupt_requested());
    if (got < 0) err_set(err, STATUS_IO, "the file cannot be read: %s", strerror(errno));
    return got;
}

// Unpacks gzip, which is a sequence of members with a checksum each. Like gzip(1), ignores other
// bytes after the last member.
static ssize_t gunzip(Layer *layer, char *bytes, size_t size, Err *err) {
    z_stream *z = layer->gzip;
    z->next_out = (Bytef *)bytes;
    z->avail_out = (uInt)size;
    while (z->avail_out == size) {
        if (z->avail_in == 0) {
            ssize_t got = (ssize_t)layer->ahead;
            layer->ahead = 0;
            if (got == 0) got = read_below(layer, layer->block, BLOCK_SIZE, err);
            if (got == 0 && !layer->gzip_ended) refuse_broken("the packed data end too early", err);
            if (got <= 0) return layer->gzip_ended && got == 0 ? 0 : -1;
            z->next_in = (Bytef *)layer->block;
            z->avail_in = (uInt)got;
        }
        if (layer->gzip_ended && *z->next_in != 0x1f) return 0;
        const int result = inflate(z, Z_NO_FLUSH);
        layer->gzip_ended = result == Z_STREAM_END;
        if (layer->gzip_ended) {
            inflateReset(z);
        } else if (result != Z_OK) {
            refuse_broken(z->msg ? z->msg : "the compressed data are damaged", err);
            return -1;
        }
    }
    return (ssize_t)(size - z->avail_out);
}

static ssize_t read_content(Layer *layer, char *bytes, size_t size, Err *err) {
    if (layer->gzip) return gunzip(layer, bytes, size, err);
    const ssize_t got = archive_read_data(layer->archive, bytes, size);
    if (got < 0) fail(layer->packed, layer->archive, true, err);
    return got < 0 ? -1 : got;
}

// Callback by which libarchive reads bytes of the layer below. If that layer fails, stores the
// error, because libarchive may take it for the end of the file.
static la_ssize_t give_block(struct archive *archive, void *context, const void **bytes) {
    Layer *layer = context;
    ssize_t got = (ssize_t)layer->ahead;
    layer->ahead = 0;
    if (got == 0) got = read_below(layer, layer->block, BLOCK_SIZE, &layer->packed->failure);
    if (got < 0) archive_set_error(archive, EIO, "%s", layer->packed->failure.text);
    *bytes = layer->block;
    return got;
}

static la_int64_t seek_file(struct archive *archive, void *context, la_int64_t offset, int whence) {
    Layer *layer = context;
    const off_t at = lseek(fileno(layer->packed->base.file), offset, whence);
    layer->ahead = 0;
    if (at < 0) archive_set_error(archive, errno, "%s", strerror(errno));
    return at < 0 ? ARCHIVE_FATAL : at;
}

static void close_layer(PackedFile *packed) {
    Layer *layer = top(packed);
    packed->archives -= layer->packing && layer->packing->many;
    if (layer->archive) archive_read_free(layer->archive);
    if (layer->gzip) inflateEnd(layer->gzip);
    free(layer->gzip);
    free(layer->block);
    text_clear(&layer->name);
    *layer = (Layer){0};
    packed->depth--;
}

// Detects the kind of packing by magic bytes. Returns NULL if the bytes are not packed, or if they
// begin like a game format (game_format_of_mark()). libarchive's own detection is not used, because
// it can take a file of games for an archive.
static const Packing *find_packing(const char *head, size_t length) {
    if (game_format_of_mark(head, length)) return NULL;
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
        const Packing *packing = &packings[i];
        if (length >= packing->at + packing->size &&
            memcmp(head + packing->at, packing->mark, packing->size) == 0) {
            return packing;
        }
    }
    return NULL;
}

static Status unpack_layer(Layer *layer, Err *err) {
    const PackedFile *packed = layer->packed;
    if (!layer->packing->support) {
        layer->gzip = memory_alloc(1, sizeof *layer->gzip);
        return inflateInit2(layer->gzip, 16 + MAX_WBITS) == Z_OK
                   ? STATUS_OK
                   : err_set(err, STATUS_IO, "zlib cannot be initialised");
    }
    struct archive *archive = layer->archive = archive_read_new();
    struct archive_entry *entry;
    layer->packing->support(archive);
    if (!layer->packing->many) archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    archive_read_set_read_callback(archive, give_block);
    archive_read_set_callback_data(archive, layer);
    if (!layer->below && packed->base.owned && lseek(fileno(packed->base.file), 0, SEEK_CUR) >= 0) {
        archive_read_set_seek_callback(archive, seek_file);
    }
    const bool opened = archive_read_open1(archive) >= ARCHIVE_WARN;
    if (!opened ||
        (!layer->packing->many && archive_read_next_header(archive, &entry) < ARCHIVE_WARN)) {
        return fail(layer->packed, archive, opened, err);
    }
    return STATUS_OK;
}

// Opens a layer: detects how the bytes below it are packed, and begins to unpack them. The bytes
// come from the previous layer; those of the first layer come from the file on disk.
static Status open_layer(PackedFile *packed, Err *err) {
    Layer *layer = &packed->layers[packed->depth];
    *layer = (Layer){.packed = packed,
                     .below = packed->depth ? top(packed) : NULL,
                     .block = memory_alloc(BLOCK_SIZE, 1)};
    packed->depth++;
    text_add(&layer->name, "%s", text_get(&packed->name));
    ssize_t got = 1;
    while (got > 0 && layer->ahead < MARK_BYTES) {
        got = read_below(layer, layer->block + layer->ahead, BLOCK_SIZE - layer->ahead, err);
        if (got < 0) return err->status;
        layer->ahead += (size_t)got;
    }
    layer->packing = find_packing(layer->block, layer->ahead);
    if (!layer->packing) return STATUS_OK;
    packed->archives += layer->packing->many;
    if (packed->archives > ARCHIVES_MOST || packed->depth == LAYERS_MOST) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "the file is nested in too many archives or compressions: unpack it and import the "
            "unpacked files");
    }
    return unpack_layer(layer, err);
}

// Opens a layer for each compression of the current file, and a last layer, which is an archive or
// content that is not packed. On failure, closes the new layers again.
static Status open_content(PackedFile *packed, Err *err) {
    const int before = packed->depth;
    Status status = STATUS_OK;
    do {
        status = open_layer(packed, err);
    } while (status == STATUS_OK && top(packed)->packing && !top(packed)->packing->many);
    while (status != STATUS_OK && packed->depth > before) close_layer(packed);
    return status;
}

Status packed_open(const char *path, const PackedChoice *choice, PackedFile **out, Err *err) {
    AUTO_POINTER(PackedFile) packed = memory_alloc(1, sizeof *packed);
    *out = NULL;
    if (choice) packed->choice = *choice;
    if (choice && choice->copy) {
        if (lseek(fileno(choice->copy), 0, SEEK_SET) != 0) {
            return err_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
        }
        packed->base = (LineReader){.file = choice->copy,
                                    .name = strcmp(path, "-") == 0 ? "standard input" : path};
    } else {
        TRY(line_reader_open(&packed->base, path, err));
    }
    packed->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    text_add(&packed->name, "%s", packed->base.name);
    *out = TAKE(packed);
    return STATUS_OK;
}

void packed_close(PackedFile *packed) {
    if (!packed) return;
    while (packed->depth > 0) close_layer(packed);
    line_reader_close(&packed->base, NULL);
    if (packed->utf8) freelocale(packed->utf8);
    text_clear(&packed->name);
    free(packed);
}

// ---- finding the next file ---------------------------------------------------------------------

// Sets the printable name of the current file, such as "games.zip:sub/a.pgn". Names in archives may
// contain any bytes.
static void set_member_name(PackedFile *packed, struct archive_entry *entry) {
    const char *name = archive_entry_pathname_utf8(entry);
    if (!name) name = archive_entry_pathname(entry);
    text_reset(&packed->name);
    text_add(&packed->name, "%s:", text_get(&top(packed)->name));
    if (name) {
        text_add(&packed->name, "%s", name);
    } else {
        text_add(&packed->name, "file %d", archive_file_count(top(packed)->archive));
    }
    text_make_printable(packed->name.data + top(packed)->name.length);
}

// Reads the next entry of the innermost archive. Returns STATUS_NOT_FOUND at the end of the
// archive. Closes the archive at its end and after an error.
static Status next_entry(PackedFile *packed, struct archive_entry **entry, Err *err) {
    struct archive *archive = top(packed)->archive;
    int result;
    do {
        const locale_t before = uselocale(packed->utf8);
        result = archive_read_next_header(archive, entry);
        if (result == ARCHIVE_OK || result == ARCHIVE_WARN) set_member_name(packed, *entry);
        uselocale(before);
    } while (result == ARCHIVE_RETRY && !interrupt_requested());
    if (result == ARCHIVE_OK || result == ARCHIVE_WARN) return STATUS_OK;
    const Status status = result == ARCHIVE_EOF && packed->failure.status == STATUS_OK
                              ? STATUS_NOT_FOUND
                              : fail(packed, archive, true, err);
    // The archive has ended, or libarchive finds no further entry after an error. The current name
    // becomes that of the archive, because an error message about it must not name a file inside.
    text_reset(&packed->name);
    text_add(&packed->name, "%s", text_get(&top(packed)->name));
    close_layer(packed);
    return status;
}

// Adds `got` bytes, if positive, to the count of unpacked bytes. Returns false if the limit is
// reached.
static bool count_unpacked(PackedFile *packed, ssize_t got, Err *err) {
    packed->unpacked += got > 0 ? (uint64_t)got : 0;
    if (packed->unpacked >> 30 < UNPACKED_MAX_GB) return true;
    err_set(
        err, STATUS_BAD_INPUT,
        "the unpacked content is larger than %d GB: unpack the file and import the unpacked files",
        UNPACKED_MAX_GB);
    return false;
}

// Skips a file of an archive. To skip a file whose size the archive does not state, libarchive
// would unpack the file without any limit. Therefore such a file is read here, and its bytes count
// towards the limit of unpacked bytes.
static Status pass_over(PackedFile *packed, struct archive_entry *entry, Err *err) {
    struct archive *archive = top(packed)->archive;
    char bytes[4096];
    la_ssize_t got = archive_entry_size_is_set(entry) ? 0 : 1;
    while (got > 0) {
        got = archive_read_data(archive, bytes, sizeof bytes);
        if (!count_unpacked(packed, got, err)) return err->status;
        if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    return got < 0 ? fail(packed, archive, true, err) : STATUS_OK;
}

// Opens an entry of the innermost archive if it is a file that shall be read. Skips other entries.
static Status take_entry(PackedFile *packed, struct archive_entry *entry, Err *err) {
    const char *name = text_get(&packed->name) + top(packed)->name.length + 1;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) {
        return STATUS_OK;
    }
    if (packed->choice.wanted && !packed->choice.wanted(packed->choice.context, name)) {
        return pass_over(packed, entry, err);
    }
    return archive_entry_is_encrypted(entry) ? refuse_encrypted(err) : open_content(packed, err);
}

// Reads a compressed file to its end, so that its checksum is verified, and closes its layer. Stops
// reading after Ctrl-C or at the limit of unpacked bytes.
static Status finish_filter(PackedFile *packed, Err *err) {
    char bytes[4096];
    ssize_t got;
    do {
        got = read_content(top(packed), bytes, sizeof bytes, err);
    } while (got > 0 && count_unpacked(packed, got, err) && !interrupt_requested());
    close_layer(packed);
    return got < 0 ? err->status : STATUS_OK;
}

Status packed_next(PackedFile *packed, Err *err) {
    // Closes the current file and the layers of compression around it.
    while (packed->depth > 0 && !(top(packed)->packing && top(packed)->packing->many)) {
        close_layer(packed);
    }
    if (!packed->begun) {
        packed->begun = true;
        TRY(open_content(packed, err));
    }
    packed->ended = false;
    while (packed->depth > 0 && top(packed)->packing) {
        struct archive_entry *entry = NULL;
        // An archive inside a compressed file has ended: finish the compressed file too.
        if (!top(packed)->packing->many) {
            TRY(finish_filter(packed, err));
            continue;
        }
        const Status status = next_entry(packed, &entry, err);
        if (status == STATUS_OK) {
            TRY(take_entry(packed, entry, err));
        } else if (status != STATUS_NOT_FOUND) {
            return status;
        }
    }
    return packed->depth > 0 ? STATUS_OK : STATUS_NOT_FOUND;
}

// ---- the bytes of a file -----------------------------------------------------------------------

ssize_t packed_read(PackedFile *packed, char *bytes, size_t size, Err *err) {
    if (packed->ended || packed->depth == 0) return 0;
    Layer *layer = top(packed);
    ssize_t got = 0;
    if (layer->ahead > layer->ahead_at) {
        const size_t left = layer->ahead - layer->ahead_at;
        got = (ssize_t)(left < size ? left : size);
        memcpy(bytes, layer->block + layer->ahead_at, (size_t)got);
        layer->ahead_at += (size_t)got;
    } else {
        got = read_below(layer, bytes, size, err);
    }
    packed->ended = got <= 0;
    if (interrupt_requested()) {
        err_set(err, STATUS_INTERRUPTED, "interrupted");
        return -1;
    }
    return layer->below && !count_unpacked(packed, got, err) ? -1 : got;
}
