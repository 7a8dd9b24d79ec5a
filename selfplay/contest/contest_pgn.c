// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest_pgn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/out_file.h"
#include "datasets/exchange/export.h"

enum { DATE_SIZE = 16 };

struct ContestPgn {
    const ContestSpec *spec; // specification of the contest, borrowed
    char date[DATE_SIZE];
    Text players; // names of the players for the PGN tags, in the format of contest_players_text()
    FILE *file;
    Text text;
    uint64_t next;   // 1 + index of the game that contest_pgn_add() wrote last; 0 if it wrote none
    bool disordered; // true: the games in the file are not in the order of their indices
};

static Status cannot_write(const ContestSpec *spec, Err *err) {
    return err_set(err, STATUS_IO, "cannot write %s: %s", spec->pgn_path, strerror(errno));
}

Status contest_pgn_add(ContestPgn *pgn, const PlayedGame *played, Err *err) {
    if (!pgn) return STATUS_OK;
    const GameRecord *game = &played->record;
    char red[CONTEST_NAME_SIZE], black[CONTEST_NAME_SIZE];
    export_player_name(text_get(&pgn->players), game->red_player, red, sizeof red);
    export_player_name(text_get(&pgn->players), game->black_player, black, sizeof black);
    const ExportGame given = {
        .game = game,
        .plies = played->plies,
        .tags = played->tags,
        .event = pgn->spec->event,
        .date = pgn->date,
        .red = red,
        .black = black,
        .system = pgn->spec->pgn_system,
    };
    Text *text = &pgn->text;
    text_reset(text);
    if (game_format(FORMAT_PGN)->write(&given, text, err) != STATUS_OK) {
        return err_prefix(err, "game %llu", (unsigned long long)game->index);
    }
    pgn->disordered = pgn->disordered || game->index < pgn->next;
    pgn->next = game->index + 1;
    const bool written = fwrite(text->data, text->length, 1, pgn->file) == 1;
    return written && fflush(pgn->file) == 0 ? STATUS_OK : cannot_write(pgn->spec, err);
}

// Writes all games of the run directory to a new file and replaces the PGN file by it. On failure
// the old file remains.
static Status export_run(const ContestSpec *spec, Err *err) {
    const ExportSpec wanted = {
        .format = game_format(FORMAT_PGN), .system = spec->pgn_system, .out_name = spec->pgn_path};
    ExportReport report;
    OutFile file;
    TRY(out_file_open(&file, spec->pgn_path, err));
    return out_file_close(
        &file, export_games(&wanted, &spec->schedule.run.dir, 1, file.stream, NULL, &report, err),
        err);
}

Status contest_pgn_open(const ContestSpec *spec, const Run *run, ContestPgn **opened, Err *err) {
    const RunSpec *into = &spec->schedule.run;
    const bool again = into->resume && into->dir, present = run->present_games > 0;
    if (!again && access(spec->pgn_path, F_OK) == 0) {
        return err_set(err, STATUS_USAGE,
                       "--pgn: %s already exists: move it, give another name, or use --resume to "
                       "continue the run that wrote it",
                       spec->pgn_path);
    }
    if (present) TRY(export_run(spec, err));
    FILE *file;
    TRY(out_file_append(spec->pgn_path, &file, err));
    // A pipe cannot be cut, and need not be.
    if (!present && ftruncate(fileno(file), 0) != 0) errno = 0;
    ContestPgn *pgn = *opened = memory_alloc(1, sizeof *pgn);
    const time_t now = time(NULL);
    struct tm utc;
    pgn->spec = spec;
    pgn->file = file;
    contest_players_text(spec, &pgn->players);
    if (gmtime_r(&now, &utc)) strftime(pgn->date, DATE_SIZE, "%Y.%m.%d", &utc);
    pgn->disordered = present && run->missing_count && run->present_games > run->missing->first;
    return STATUS_OK;
}

Status contest_pgn_close(ContestPgn *pgn, Err *err) {
    if (!pgn) return STATUS_OK;
    const ContestSpec *spec = pgn->spec;
    const bool again = pgn->disordered && spec->schedule.run.dir;
    const bool synced = fsync(fileno(pgn->file)) == 0 || errno == EINVAL;
    const bool closed = fclose(pgn->file) == 0;
    text_clear(&pgn->players);
    text_clear(&pgn->text);
    free(pgn);
    if (!synced || !closed) return cannot_write(spec, err);
    return again ? export_run(spec, err) : STATUS_OK;
}
