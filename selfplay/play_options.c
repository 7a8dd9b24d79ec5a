// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/play_options.h"

Status play_options_resolve(const CommandCall *call, const PlayOptions *options, PlaySpec *play,
                            OpeningSource *openings, Book *book, Err *err) {
    *book = (Book){0};
    play->rules = rules_default((RuleSet)options->rules);
    play->adjudication = (Adjudication){
        .resign_score = options->resign_score,
        .resign_plies = options->resign_score ? options->resign_plies : 0,
        .draw_score = options->draw_score,
        .draw_plies = options->draw_plies,
        .draw_after = options->draw_after,
        .max_plies = options->max_plies,
    };
    *openings = (OpeningSource){
        .shuffled = options->order == 0,
        .random = {.plies = options->opening_plies,
                   .window = options->opening_window,
                   .nodes = options->opening_nodes,
                   .softmax = options->opening_softmax},
    };
    if (!options->openings) return STATUS_OK;
    if (!command_given(call, "opening-plies")) openings->random.plies = 0;
    openings->book = book;
    return book_load(options->openings, book, err);
}
