// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/loop/words.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "selfplay/engines/player_spec.h"

void words_clear(Words *words) {
    for (int i = 0; i < words->count; i++) free(words->words[i]);
    free(words->words);
    *words = (Words){0};
}

void words_add(Words *words, const char *format, ...) {
    AUTO(Text) text = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&text, format, args);
    va_end(args);
    for (char *cursor = text.data, *word; (word = text_next_field(&cursor, '\n'));) {
        words->words = memory_resize(words->words, (size_t)words->count + 1, sizeof(char *));
        words->words[words->count++] = memory_copy_text(word);
    }
}

void words_add_text(Words *words, const char *text) {
    const char *word;
    size_t length;
    while (text && text_next_word(&text, &word, &length)) {
        words_add(words, "%.*s", (int)length, word);
    }
}

void words_add_text_without(Words *words, const char *text, const char *const *options) {
    const char *word;
    size_t length;
    while (text && text_next_word(&text, &word, &length)) {
        const char *equals = memchr(word, '=', length);
        const size_t name = equals ? (size_t)(equals - word) : length;
        const char *const *option = options;
        while (*option && !text_word_is(word, name, *option)) option++;
        if (!*option) words_add(words, "%.*s", (int)length, word);
        if (*option && !equals) text_next_word(&text, &word, &length); // skip the value
    }
}

void words_add_player(Words *words, const char *option, const char *weights, const char *name) {
    AUTO(Text) escaped = {0};
    player_spec_add_value(&escaped, weights);
    words_add(words, "%s\nweights=%s,name=%s", option, escaped.data, name);
}

void words_line(const Words *words, const Command *command, Text *line) {
    text_add(line, "paotai %s", command->name);
    for (int i = 0; i < words->count; i++) {
        text_add(line, " ");
        text_add_word(line, words->words[i]);
    }
}

Status words_run(const Words *words, const Command *command, void *result, FILE *err_file,
                 Text *output, Err *err) {
    char *memory = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&memory, &size);
    if (!out)
        return err_set(err, STATUS_IO, "cannot open a memory stream for the output of 'paotai %s'",
                       command->name);
    // The command keeps pointers to its words but may reorder the array, so it gets a copy of the
    // array.
    char **arguments = memory_alloc((size_t)words->count + 1, sizeof *arguments);
    memcpy(arguments, words->words, (size_t)words->count * sizeof *arguments);
    const int status = command_main(command, words->count, arguments, out, err_file, result);
    free(arguments);
    fclose(out);
    text_add_bytes(output, memory, size);
    free(memory);
    if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    if (status == 0) return STATUS_OK;
    AUTO(Text) line = {0};
    words_line(words, command, &line);
    return err_set(err, STATUS_BAD_INPUT, "'%s' failed with exit status %d", line.data, status);
}
