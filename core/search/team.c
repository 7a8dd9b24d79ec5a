// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/team.h"

void team_begin(Team *team) {
    atomic_store(&team->depth, 0);
}

void team_finish(Team *team, const SearchLine *line) {
    pthread_mutex_lock(&team->lock);
    if (line->depth > team->depth) {
        team->line = *line;
        atomic_store(&team->depth, line->depth);
    }
    pthread_mutex_unlock(&team->lock);
}

void team_line(Team *team, SearchLine *line) {
    pthread_mutex_lock(&team->lock);
    *line = team->line;
    pthread_mutex_unlock(&team->lock);
}
