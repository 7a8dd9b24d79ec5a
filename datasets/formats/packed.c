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
    // Function that makes libarchive unpack this kind. NULL means gzip, which zlib's reader of
    // files unpacks, because libarchive does not verify the checksums of gzip.
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

// A source of bytes. Its first bytes are read ahead to detect how they are packed.
typedef struct Source {
    PackedFile *packed;
    gzFile gz;              // file on disk, which zlib unpacks if it is gzip
    struct archive *unpack; // if `gz` is NULL: state of libarchive, which unpacks one file
    char *head;             // bytes that were read ahead
    size_t have, at;        // number of bytes in `head`, and of those that were already consumed
} Source;

struct PackedFile {
    LineReader base; // the file on disk
    PackedChoice choice;
    Source disk;             // bytes of the file on disk, without gzip
    Source plain;            // if `filter` is set: the bytes without this compression
    Source member;           // if `archive` is set: the bytes of its current file
    struct archive *filter;  // unpacks a compression other than gzip; NULL: there is none
    struct archive *archive; // archive whose files are read; NULL: the content is one file
    Source *content;         // source of the current file
    PackedFile *inner;       // copy of the current file, if it is packed itself; else NULL
    int depth, archives;     // number of files and of archives in which this file is packed
    bool begun;              // packed_next() was called
    bool ended;              // the current file was read to its end
    uint64_t own_unpacked, *unpacked; // number of bytes unpacked so far, also of all inner files
    // Error that occurred while the file was read or unpacked for libarchive. It is stored here
    // because libarchive cannot pass it on.
    Err failure;
    Text own_name; // name of the file or archive
    Text name;     // name of the current file
    locale_t
        utf8; // locale in which libarchive reads file names; 0 if the system has no such locale
};

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
    while (packed->inner) packed = packed->inner;
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

// Reports an error of libarchive: the file is encrypted, cannot be read, or is damaged. If the
// source of its bytes has failed, reports that failure instead. `opened` is false if libarchive
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

static Status refuse_nested(Err *err) {
    return err_set(
        err, STATUS_BAD_INPUT,
        "the file is nested in too many archives or compressions: unpack it and import the "
        "unpacked files");
}

// ---- sources -----------------------------------------------------------------------------------

// Reads bytes of the file on disk. zlib ignores other bytes after the last member of a gzip file,
// like gzip(1).
static ssize_t read_disk(gzFile gz, char *bytes, size_t size, Err *err) {
    int got, code;
    const char *why;
    do {
        gzclearerr(gz);
        errno = 0;
        got = gzread(gz, bytes, (unsigned)size);
        why = gzerror(gz, &code);
    } while (got < 0 && code == Z_ERRNO && errno == EINTR && !interrupt_requested());
    if (got > 0 || (got == 0 && code != Z_BUF_ERROR)) return got;
    if (code == Z_ERRNO) {
        err_set(err, STATUS_IO, "the file cannot be read: %s", strerror(errno));
    } else if (code == Z_BUF_ERROR) {
        refuse_broken("the packed data end too early", err);
    } else {
        const char *text = strstr(why, ": "); // the message of zlib begins with a file name
        refuse_broken(text ? text + 2 : why, err);
    }
    return -1;
}

static ssize_t read_more(Source *source, char *bytes, size_t size, Err *err) {
    if (source->gz) return read_disk(source->gz, bytes, size, err);
    const ssize_t got = archive_read_data(source->unpack, bytes, size);
    if (got < 0) fail(source->packed, source->unpack, true, err);
    return got < 0 ? -1 : got;
}

static ssize_t read_source(Source *source, char *bytes, size_t size, Err *err) {
    const size_t left = source->have - source->at;
    if (left == 0) return read_more(source, bytes, size, err);
    if (size > left) size = left;
    memcpy(bytes, source->head + source->at, size);
    source->at += size;
    return (ssize_t)size;
}

static void source_clear(Source *source) {
    free(source->head);
    *source = (Source){0};
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

// Makes *source the source of the current file, reads ahead, and finds how its bytes are packed.
static Status look(Source *source, const Packing **packing, Err *err) {
    ssize_t got = 1;
    source->head = memory_alloc(BLOCK_SIZE, 1);
    source->packed->content = source;
    while (got > 0 && source->have < MARK_BYTES) {
        got = read_more(source, source->head + source->have, BLOCK_SIZE - source->have, err);
        if (got < 0) return err->status;
        source->have += (size_t)got;
    }
    *packing = find_packing(source->head, source->have);
    return STATUS_OK;
}

// Adds `got` bytes, if positive, to the count of unpacked bytes. Returns false if the limit is
// reached.
static bool count_unpacked(PackedFile *packed, ssize_t got, Err *err) {
    *packed->unpacked += got > 0 ? (uint64_t)got : 0;
    if (*packed->unpacked >> 30 < UNPACKED_MAX_GB) return true;
    err_set(
        err, STATUS_BAD_INPUT,
        "the unpacked content is larger than %d GB: unpack the file and import the unpacked files",
        UNPACKED_MAX_GB);
    return false;
}

// ---- opening -----------------------------------------------------------------------------------

// Callback by which libarchive reads bytes of a source. If the source fails, stores the error,
// because libarchive may take it for the end of the file.
static la_ssize_t give_block(struct archive *archive, void *context, const void **bytes) {
    Source *source = context;
    const size_t left = source->have - source->at;
    Err *failure = &source->packed->failure;
    *bytes = source->head + source->at;
    source->have = source->at = 0;
    if (left) return (la_ssize_t)left;
    const ssize_t got = read_more(source, source->head, BLOCK_SIZE, failure);
    if (got < 0) archive_set_error(archive, EIO, "%s", failure->text);
    *bytes = source->head;
    return got;
}

// Opens a compression or an archive whose bytes come from a source. libarchive reads a file on disk
// itself, because it must move in an archive of 7-Zip.
static Status open_packing(Source *source, const Packing *packing, struct archive **out, Err *err) {
    PackedFile *packed = source->packed;
    const int file = fileno(packed->base.file);
    const bool seekable =
        source->gz && gzdirect(source->gz) && packed->base.owned && lseek(file, 0, SEEK_SET) == 0;
    struct archive *archive = *out = archive_read_new();
    struct archive_entry *entry;
    packing->support(archive);
    if (!packing->many) archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    const int opened = seekable ? archive_read_open_fd(archive, file, BLOCK_SIZE)
                                : archive_read_open(archive, source, NULL, give_block, NULL);
    if (opened < ARCHIVE_WARN ||
        (!packing->many && archive_read_next_header(archive, &entry) < ARCHIVE_WARN)) {
        return fail(packed, archive, opened >= ARCHIVE_WARN, err);
    }
    return STATUS_OK;
}

// Copies the current file into the temporary file of an inner file.
static Status copy_content(PackedFile *packed, FILE *out, Err *err) {
    char bytes[4096];
    ssize_t got = out ? 1 : 0;
    while (got > 0 && (got = read_source(packed->content, bytes, sizeof bytes, err)) > 0) {
        if (!count_unpacked(packed, got, err)) return err->status;
        if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
        if (fwrite(bytes, 1, (size_t)got, out) != (size_t)got) break;
    }
    if (got < 0) return err->status;
    if (out && got == 0 && fseek(out, 0, SEEK_SET) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot write a temporary file: %s", strerror(errno));
}

// Opens the current file, which is packed itself, as an inner file: a copy in a temporary file.
static Status open_inner(PackedFile *packed, Err *err) {
    if (packed->depth + 1 >= LAYERS_MOST) return refuse_nested(err);
    PackedFile *inner = packed->inner = memory_alloc(1, sizeof *inner);
    *inner = (PackedFile){.base = {.file = tmpfile(), .owned = true},
                          .choice = {packed->choice.wanted, packed->choice.context, NULL},
                          .depth = packed->depth + 1,
                          .archives = packed->archives + (packed->archive != NULL),
                          .unpacked = packed->unpacked,
                          .utf8 = packed->utf8};
    text_add(&inner->own_name, "%s", text_get(&packed->name));
    text_add(&inner->name, "%s", text_get(&packed->name));
    const Status status = copy_content(packed, inner->base.file, err);
    if (status == STATUS_OK) return packed_next(inner, err);
    packed_close(TAKE(packed->inner));
    return status;
}

// Opens the file on disk, then its compression, then the archive.
static Status open_content(PackedFile *packed, Err *err) {
    const Packing *packing;
    const int file = dup(fileno(packed->base.file));
    packed->disk = (Source){.packed = packed, .gz = file < 0 ? NULL : gzdopen(file, "rb")};
    if (!packed->disk.gz) return err_set(err, STATUS_IO, "the file cannot be read");
    gzbuffer(packed->disk.gz, BLOCK_SIZE);
    TRY(look(&packed->disk, &packing, err));
    if (packing && packing->support && !packing->many) {
        TRY(open_packing(&packed->disk, packing, &packed->filter, err));
        packed->plain = (Source){.packed = packed, .unpack = packed->filter};
        TRY(look(&packed->plain, &packing, err));
    }
    if (!packing) return STATUS_OK;
    if (!packing->many) return open_inner(packed, err);
    if (packed->archives + 1 > ARCHIVES_MOST) return refuse_nested(err);
    return open_packing(packed->content, packing, &packed->archive, err);
}

static void close_member(PackedFile *packed) {
    source_clear(&packed->member);
    packed->content = NULL;
}

static void close_archive(PackedFile *packed) {
    close_member(packed);
    if (packed->archive) archive_read_free(TAKE(packed->archive));
}

static void close_content(PackedFile *packed) {
    close_archive(packed);
    if (packed->filter) archive_read_free(TAKE(packed->filter));
    if (packed->disk.gz) gzclose(packed->disk.gz);
    source_clear(&packed->plain);
    source_clear(&packed->disk);
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
    packed->unpacked = &packed->own_unpacked;
    text_add(&packed->own_name, "%s", packed->base.name);
    text_add(&packed->name, "%s", packed->base.name);
    *out = TAKE(packed);
    return STATUS_OK;
}

void packed_close(PackedFile *packed) {
    if (!packed) return;
    packed_close(packed->inner);
    close_content(packed);
    if (packed->base.file) line_reader_close(&packed->base, NULL);
    if (packed->utf8 && packed->depth == 0) freelocale(packed->utf8);
    text_clear(&packed->own_name);
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
    text_add(&packed->name, "%s:", text_get(&packed->own_name));
    if (name) {
        text_add(&packed->name, "%s", name);
    } else {
        text_add(&packed->name, "file %d", archive_file_count(packed->archive));
    }
    text_make_printable(packed->name.data + packed->own_name.length);
}

// Reads the next entry of the archive. Returns STATUS_NOT_FOUND at the end of the archive. Closes
// the archive at its end and after an error.
static Status next_entry(PackedFile *packed, struct archive_entry **entry, Err *err) {
    int result;
    close_member(packed);
    do {
        const locale_t before = uselocale(packed->utf8);
        result = archive_read_next_header(packed->archive, entry);
        if (result == ARCHIVE_OK || result == ARCHIVE_WARN) set_member_name(packed, *entry);
        uselocale(before);
    } while (result == ARCHIVE_RETRY && !interrupt_requested());
    if (result == ARCHIVE_OK || result == ARCHIVE_WARN) return STATUS_OK;
    const Status status = result == ARCHIVE_EOF && packed->failure.status == STATUS_OK
                              ? STATUS_NOT_FOUND
                              : fail(packed, packed->archive, true, err);
    // The archive has ended, or libarchive finds no further entry after an error. The current name
    // becomes that of the archive, because an error message about it must not name a file inside.
    text_reset(&packed->name);
    text_add(&packed->name, "%s", text_get(&packed->own_name));
    close_archive(packed);
    return status;
}

// Skips a file of an archive. To skip a file whose size the archive does not state, libarchive
// would unpack the file without any limit. Therefore such a file is read here, and its bytes count
// towards the limit of unpacked bytes.
static Status pass_over(PackedFile *packed, struct archive_entry *entry, Err *err) {
    char bytes[4096];
    la_ssize_t got = archive_entry_size_is_set(entry) ? 0 : 1;
    while (got > 0) {
        got = archive_read_data(packed->archive, bytes, sizeof bytes);
        if (!count_unpacked(packed, got, err)) return err->status;
        if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    return got < 0 ? fail(packed, packed->archive, true, err) : STATUS_OK;
}

// Opens an entry of the archive and sets *open if it is a file that shall be read. Skips other
// entries. Returns STATUS_NOT_FOUND if the entry is an archive without files.
static Status take_entry(PackedFile *packed, struct archive_entry *entry, bool *open, Err *err) {
    const char *name = text_get(&packed->name) + packed->own_name.length + 1;
    const Packing *packing;
    *open = false;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) {
        return STATUS_OK;
    }
    if (packed->choice.wanted && !packed->choice.wanted(packed->choice.context, name)) {
        return pass_over(packed, entry, err);
    }
    if (archive_entry_is_encrypted(entry)) return refuse_encrypted(err);
    *open = true;
    packed->member = (Source){.packed = packed, .unpack = packed->archive};
    TRY(look(&packed->member, &packing, err));
    return packing ? open_inner(packed, err) : STATUS_OK;
}

// After the end of an archive, reads the compressed file around it to its end, so that its checksum
// is verified. Stops after Ctrl-C or at the limit of unpacked bytes.
static Status finish_filter(PackedFile *packed, Err *err) {
    Source *source = packed->filter ? &packed->plain : &packed->disk;
    char bytes[4096];
    ssize_t got = source->unpack || !gzdirect(source->gz);
    while (got > 0 && !interrupt_requested()) {
        got = read_source(source, bytes, sizeof bytes, err);
        if (!count_unpacked(packed, got, err)) break;
    }
    return got < 0 ? err->status : STATUS_NOT_FOUND;
}

// Opens the next file of the archive. Returns STATUS_NOT_FOUND at its end.
static Status next_member(PackedFile *packed, Err *err) {
    struct archive_entry *entry = NULL;
    Status status = STATUS_OK;
    for (bool open = false; status == STATUS_OK && !open;) {
        status = next_entry(packed, &entry, err);
        if (status == STATUS_NOT_FOUND) return finish_filter(packed, err);
        if (status == STATUS_OK) status = take_entry(packed, entry, &open, err);
        if (status != STATUS_NOT_FOUND) continue;
        // the entry is an archive without files
        packed_close(TAKE(packed->inner));
        status = STATUS_OK;
        open = false;
    }
    return status;
}

Status packed_next(PackedFile *packed, Err *err) {
    Status status = STATUS_NOT_FOUND;
    packed->ended = false;
    if (packed->inner) {
        status = packed_next(packed->inner, err);
        if (status != STATUS_NOT_FOUND) return status;
        packed_close(TAKE(packed->inner));
    } else if (!packed->begun) {
        packed->begun = true;
        status = open_content(packed, err);
        if (status != STATUS_OK) close_archive(packed);
        if (status != STATUS_OK || !packed->archive) return status;
    }
    if (packed->archive) return next_member(packed, err);
    close_content(packed);
    return STATUS_NOT_FOUND;
}

// ---- the bytes of a file -----------------------------------------------------------------------

ssize_t packed_read(PackedFile *packed, char *bytes, size_t size, Err *err) {
    if (packed->inner) return packed_read(packed->inner, bytes, size, err);
    if (packed->ended || !packed->content) return 0;
    const bool counts =
        packed->depth > 0 || packed->content != &packed->disk || !gzdirect(packed->disk.gz);
    const ssize_t got = read_source(packed->content, bytes, size, err);
    packed->ended = got <= 0;
    if (interrupt_requested()) {
        err_set(err, STATUS_INTERRUPTED, "interrupted");
        return -1;
    }
    return counts && !count_unpacked(packed, got, err) ? -1 : got;
}
