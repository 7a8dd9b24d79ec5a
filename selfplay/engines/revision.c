// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/revision.h"

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "selfplay/engines/player_spec.h"

EMBED_TEXT(revision_sh, "selfplay/engines/revision.sh");

// Reads the next line that the script prints; "" at the end of its output.
static void read_line(FILE *pipe, Text *line) {
    text_reset(line);
    for (int c; (c = getc(pipe)) != EOF && c != '\n';) text_add(line, "%c", c);
}

Status revision_players(const RevisionBuild *how, const char *const names[2], bool same,
                        Revision *newer, Revision *older, Text *changed, Err *err) {
    const char *const words[] = {revision_sh,
                                 "sh",
                                 how->repo,
                                 how->build,
                                 how->binary,
                                 how->cache,
                                 how->silent  ? "--"
                                 : how->quiet ? "-"
                                              : "",
                                 same ? "-" : "",
                                 how->no_bench ? "-" : "",
                                 names[0],
                                 names[1],
                                 NULL};
    AUTO(Text) command = {0};
    AUTO(Text) line = {0};
    AUTO(Text) program = {0};
    AUTO(Text) quoted = {0};
    text_add(&command, "sh -c");
    for (int i = 0; words[i]; i++) {
        text_add(&command, " ");
        text_add_quoted(&command, words[i]);
    }
    FILE *pipe = popen(command.data, "r");
    if (!pipe) return err_set(err, STATUS_IO, "cannot run sh: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        Revision *revision = i == 0 ? newer : older;
        AUTO(Text) hash = {0};
        read_line(pipe, &line);
        if (text_get(&line)[0] != '=') { // the build script has failed, and this line says why
            pclose(pipe);
            return err_set(err, STATUS_ENGINE, "%s", text_get(&line));
        }
        read_line(pipe, &hash);
        text_add(&revision->label, "%s (%s)", line.data + 1, text_get(&hash));
        read_line(pipe, &program);
        text_reset(&quoted);
        text_add_quoted(&quoted, text_get(&program));
        text_add(&revision->player, "cmd=");
        player_spec_add_value(&revision->player, quoted.data);
        text_add(&revision->player, ",name=");
        player_spec_add_value(&revision->player, line.data + 1);
        text_add(&revision->player, "(%s)", text_get(&hash));
        read_line(pipe, &revision->bench);
        read_line(pipe, &revision->log);
    }
    if (changed) read_line(pipe, changed);
    pclose(pipe);
    return STATUS_OK;
}

void revision_clear(Revision *revision) {
    text_clear(&revision->label);
    text_clear(&revision->player);
    text_clear(&revision->bench);
    text_clear(&revision->log);
}
