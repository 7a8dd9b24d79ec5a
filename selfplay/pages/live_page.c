// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/pages/live_page.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "core/base/memory.h"
#include "core/command/page.h"
#include "core/command/progress.h"
#include "core/system/clock.h"
#include "core/system/interrupt.h"
#include "core/system/out_file.h"
#include "core/system/ranks.h"

EMBED_TEXT(live_page_js, "selfplay/pages/live_page.js");
static const PagePart script = {"selfplay/pages/live_page.js", live_page_js};

enum { PERIOD_S = 3 }; // longest wait between two writes of the file, in seconds

struct LivePage {
    char *path;
    Text command; // command line that is shown on the page
    time_t begun;
    double begun_s, begun_cpu_s;
    double updated_s; // time of the last live_page_update() in seconds; 0: there was none
    pthread_t thread;
    bool has_thread;
    // The following members are shared with the thread that writes the page. `lock` protects them.
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool closing;
    LiveFacts facts;
    // Status and error of the last write. While the writing thread exists, no other thread uses
    // them.
    Status status;
    Err err;
};

static void live_facts_clear(LiveFacts *facts) {
    text_clear(&facts->title);
    text_clear(&facts->verdict);
    html_clear(&facts->cards);
    html_clear(&facts->details);
    html_clear(&facts->body);
    *facts = (LiveFacts){.unit = NULL};
}

// ---- pieces of the page -------------------------------------------------------------------------

// Appends a card. `id` is its name for live_page.js; NULL: it has none.
static void add_number(Html *html, const char *id, const char *name, const char *note,
                       const char *value) {
    page_add(html, "<div");
    if (id) page_add(html, " id='%s'", id);
    page_add(html, "><dt>%s</dt><dd>", name);
    page_add_prose(html, value);
    if (note) {
        page_add(html, " <small>");
        page_add_prose(html, note);
        page_add(html, "</small>");
    }
    page_add(html, "</dd></div>\n");
}

static void add_format(Html *html, const char *name, const char *note, const char *format,
                       va_list args) {
    AUTO(Text) value = {0};
    text_add_args(&value, format, args);
    add_number(html, NULL, name, note, text_get(&value));
}

void live_add_card(LiveFacts *facts, const char *name, const char *note, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_format(&facts->cards, name, note, format, args);
    va_end(args);
}

void live_add_detail(LiveFacts *facts, const char *name, const char *note, const char *format,
                     ...) {
    va_list args;
    va_start(args, format);
    add_format(&facts->details, name, note, format, args);
    va_end(args);
}

void live_begin_row(Html *html) {
    page_add(html, "<div class='row'>\n");
}

void live_end_row(Html *html) {
    page_add(html, "</div>\n");
}

void live_add_bars(Html *html, const char *heading, const char *caption, const LiveBar *bars,
                   int count) {
    double sum = 0, most = 0;
    AUTO(Html) meanings = {0};
    for (int i = 0; i < count; i++) {
        sum += bars[i].count;
        most = bars[i].count > most ? bars[i].count : most;
    }
    page_add(html, "<figure><h2>%s</h2><table class='bars'>\n", heading);
    for (int i = 0; i < count; i++) {
        AUTO(Text) name = {0};
        text_add(&name, "%s", bars[i].name);
        for (size_t at = 0; at < name.length; at++) {
            if (name.data[at] == '_') name.data[at] = ' ';
        }
        if (bars[i].meaning) {
            if (meanings.markup.length) page_add(&meanings, "<br/>");
            page_add(&meanings, "<b>%s</b>: %s", name.data, bars[i].meaning);
        }
        page_add(html, "<tr><th>%s</th><td>", text_get(&name));
        page_add_meter(html, 0, most > 0 ? 100 * bars[i].count / most : 0);
        page_add(html, "</td><td>%.0f</td><td>%.1f %%</td></tr>\n", bars[i].count,
                 sum > 0 ? 100 * bars[i].count / sum : 0);
    }
    page_add(html, "</table><figcaption>%s</figcaption>\n", caption);
    if (meanings.markup.length) {
        page_add(html, "<details><summary>What these mean</summary>");
        page_add_html(html, &meanings);
        page_add(html, "</details>\n");
    }
    page_add(html, "</figure>\n");
}

void live_add_games(Html *html, const char *dir) {
    if (!dir) return;
    AUTO(Text) word = {0};
    text_add_word(&word, dir);
    page_add(html,
             "<p>This command shows the games on a board: <code>paotai view %s "
             "<span class='word'>--out</span> games.html</code></p>\n",
             word.data);
}

// Appends a time of day, with the date if `day` is set.
static void add_time(Text *text, time_t at, bool day) {
    struct tm local;
    char word[64] = "?";
    if (localtime_r(&at, &local)) {
        strftime(word, sizeof word, day ? "%Y-%m-%d %H:%M:%S %Z" : "%H:%M %Z", &local);
    }
    text_add(text, "%s", word);
}

// Appends the cards that the page of every command has: the amount of work, and when the command
// will end or has ended.
static void add_pace_cards(const LivePage *page, bool running, double rate, Html *html) {
    const LiveFacts *facts = &page->facts;
    // Assume that the work has continued at this rate since the last update. Then the expected time
    // of the end does not change between updates.
    const double left = facts->end - facts->done - rate * (clock_now_s() - page->updated_s);
    AUTO(Text) note = {0}, value = {0};
    if (facts->unit) {
        if (facts->end > 0) {
            text_add(&note, facts->estimated ? "of about " : "of ");
            text_add_count(&note, facts->end);
        }
        text_add_count(&value, facts->done);
        add_number(html, NULL, facts->unit, text_get(&note), value.data);
        text_reset(&note);
        text_reset(&value);
    }
    if (running && left > 0 && rate > 0) {
        text_add(&note, "in ");
        progress_add_duration(&note, left / rate);
        text_add(&note, " at this pace");
        add_time(&value, time(NULL) + (time_t)(left / rate), left / rate > 43200);
        add_number(html, "end", "expected end", note.data, value.data);
    } else if (!running) {
        text_add(&note, "after ");
        progress_add_duration(&note, clock_now_s() - page->begun_s);
        add_time(&value, time(NULL), false);
        add_number(html, "end", "ended", note.data, value.data);
    }
}

// Appends the details that the page of every command has: amount of work per unit of time (if
// known) and processor time.
static void add_pace_details(const LivePage *page, double rate, Html *html) {
    const LiveFacts *facts = &page->facts;
    const double elapsed_s = clock_now_s() - page->begun_s;
    const double cpu_s = clock_process_cpu_s() - page->begun_cpu_s;
    AUTO(Text) name = {0}, note = {0}, value = {0};
    if (facts->unit && rate > 0) {
        text_add(&name, "%s per %s", facts->unit,
                 facts->rate_s == 1    ? "second"
                 : facts->rate_s == 60 ? "minute"
                                       : "hour");
        if (rate * facts->rate_s < 1000) {
            text_add(&value, "%.1f", rate * facts->rate_s);
        } else {
            text_add_count(&value, rate * facts->rate_s);
        }
        add_number(html, NULL, name.data, facts->before > 0 ? "mean since --resume" : "mean",
                   value.data);
        text_reset(&value);
    }
    text_add(&note, "%.1f processors", cpu_s / (elapsed_s > 1e-9 ? elapsed_s : 1e-9));
    progress_add_duration(&value, cpu_s);
    add_number(html, NULL, "processor time", note.data, value.data);
}

static void add_state(const LivePage *page, const char *state, const char *words, Html *html) {
    const LiveFacts *facts = &page->facts;
    const double share = facts->end > 0 ? 100 * facts->done / facts->end : 0;
    AUTO(Text) begun = {0}, written = {0};
    add_time(&begun, page->begun, true);
    add_time(&written, time(NULL), true);
    page_add(html, "<div id='live' data-state='%s' data-written='%lld' data-share='", state,
             (long long)time(NULL));
    if (facts->end > 0) page_add(html, "%.0f", share);
    page_add(html,
             "'><p><b class='state %s'>%s</b> <span class='lead'>begun %s, written "
             "<span id='written'>%s</span>",
             state, words, begun.data, written.data);
    if (strcmp(state, "running") == 0) {
        page_add(html, "<span id='renews'>; the page renews itself every %d seconds</span>",
                 PERIOD_S);
    }
    page_add(html, "</span></p>\n<p id='stale' class='verdict' hidden='hidden'></p></div>\n");
    if (facts->verdict.length) {
        page_add(html, "<p class='verdict'>");
        page_add_prose(html, facts->verdict.data);
        page_add(html, "</p>\n");
    }
    if (facts->end > 0) {
        page_add_meter(html, 0, share);
        page_add(html, "\n");
    }
}

// Appends the page. `state` is "running", "finished" or "stopped", and `words` is the text that the
// page shows for it.
static void add_page(const LivePage *page, const char *state, const char *words, Html *html) {
    const LiveFacts *facts = &page->facts;
    const double rate = (facts->done - facts->before) / fmax(facts->seconds, 1e-9);
    page_begin(html, text_get(&facts->title), &script);
    add_state(page, state, words, html);
    page_add(html, "<dl class='cards live'>\n");
    page_add_html(html, &facts->cards);
    add_pace_cards(page, strcmp(state, "running") == 0, rate, html);
    page_add(html, "</dl>\n<dl class='cards details'>\n");
    page_add_html(html, &facts->details);
    add_pace_details(page, rate, html);
    page_add(html, "</dl>\n");
    page_add_html(html, &facts->body);
    page_add(html, "<p class='lead'>Command: <code>");
    page_add_command(html, text_get(&page->command));
    page_add(html, "</code></p>\n");
    page_end(html, &script);
}

static void write_page(LivePage *page, const Html *html) {
    page->status = page_write(html, page->path, &page->err);
}

// Returns the time between two writes of the file, in seconds: at first 0.2, later PERIOD_S.
static double period_s(const LivePage *page) {
    return fmin(PERIOD_S, 0.2 + (clock_now_s() - page->begun_s) / 8);
}

// ---- the thread ---------------------------------------------------------------------------------

static void *keep_writing(void *context) {
    LivePage *page = context;
    AUTO(Html) html = {0};
    pthread_mutex_lock(&page->lock);
    while (!page->closing) {
        struct timespec until;
        html_clear(&html);
        add_page(page, "running", "running", &html);
        // Release the lock while writing: threads that play must not wait for a slow disk.
        pthread_mutex_unlock(&page->lock);
        write_page(page, &html);
        pthread_mutex_lock(&page->lock);
        clock_gettime(CLOCK_REALTIME, &until);
        const long wait_ns = until.tv_nsec + (long)(1e9 * period_s(page));
        until.tv_sec += wait_ns / 1000000000;
        until.tv_nsec = wait_ns % 1000000000;
        while (!page->closing && pthread_cond_timedwait(&page->wake, &page->lock, &until) == 0) {
        }
    }
    pthread_mutex_unlock(&page->lock);
    return NULL;
}

// Starts the thread that writes the page. This thread blocks all signals, because signals must
// interrupt system calls of the other threads.
static void start_thread(LivePage *page) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    page->has_thread = pthread_create(&page->thread, NULL, keep_writing, page) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!page->has_thread) {
        page->status = err_set(&page->err, STATUS_IO, "cannot start a thread for %s", page->path);
    }
}

Status live_page_open(const CommandCall *call, const char *path, LivePage **page, Err *err) {
    *page = NULL;
    if (!path || mpi_rank() > 0) return STATUS_OK;
    if (text_check_writable(path, err) != STATUS_OK) return err_prefix(err, "--page");
    LivePage *made = *page = memory_alloc(1, sizeof *made);
    made->path = memory_copy_text(path);
    command_line(call, &made->command);
    made->begun = time(NULL);
    made->begun_s = clock_now_s();
    made->begun_cpu_s = clock_process_cpu_s();
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->wake, NULL);
    return STATUS_OK;
}

bool live_page_is_due(const LivePage *page) {
    return page && clock_now_s() - page->updated_s >= period_s(page);
}

void live_page_update(LivePage *page, LiveFacts *facts) {
    if (page) {
        const bool first = page->updated_s == 0;
        pthread_mutex_lock(&page->lock);
        page->updated_s = clock_now_s();
        live_facts_clear(&page->facts);
        page->facts = MOVE(*facts);
        pthread_mutex_unlock(&page->lock);
        if (first) start_thread(page);
    }
    live_facts_clear(facts);
}

Status live_page_close(LivePage *page, Status status, Err *err) {
    if (!page) return status;
    pthread_mutex_lock(&page->lock);
    page->closing = true;
    pthread_cond_signal(&page->wake);
    pthread_mutex_unlock(&page->lock);
    if (page->has_thread) pthread_join(page->thread, NULL);
    if (page->updated_s > 0) {
        AUTO(Html) html = {0};
        AUTO(Text) words = {0};
        const bool stopped = status != STATUS_OK || interrupt_requested();
        if (status != STATUS_OK) text_add(&words, "stopped: %s", err ? err->text : "");
        add_page(page, stopped ? "stopped" : "finished",
                 words.length ? words.data
                 : stopped    ? "interrupted"
                              : "finished",
                 &html);
        write_page(page, &html);
    }
    if (status == STATUS_OK && page->status != STATUS_OK) {
        status = page->status;
        if (err) *err = page->err;
        err_prefix(err, "--page");
    }
    pthread_mutex_destroy(&page->lock);
    pthread_cond_destroy(&page->wake);
    live_facts_clear(&page->facts);
    text_clear(&page->command);
    free(page->path);
    free(page);
    return status;
}
