// SPDX-License-Identifier: GPL-3.0-or-later
// The files of the protocol server share this; nobody else includes it.
//
// Two threads: the reader takes lines from the input, obeys at once what cannot wait (stop,
// ponderhit, quit, isready during a search) and queues the rest; the worker, the thread that called
// uci_main(), carries the queue out in order and searches. Everything but the inbox belongs to the
// worker.
#pragma once

#include <pthread.h>

#include "core/base/text.h"
#include "core/eval/network.h"
#include "core/search/smp.h"
#include "core/uci/strength.h"
#include "core/uci/uci.h"

typedef enum Dialect { DIALECT_UCI = 1, DIALECT_UCCI = 2, DIALECT_BOTH = 3 } Dialect;

typedef struct Server Server;

// ---- the table of commands ------------------------------------------------------------------

typedef enum ProtocolUrgency {
    QUEUED,        // waits for an idle engine
    QUEUED_SEARCH, // the same, and starts a search
    URGENT_STOP,   // the rest is obeyed while a search runs
    URGENT_QUIT,
    URGENT_PONDERHIT,
    URGENT_ISREADY,
} ProtocolUrgency;

// `rest` is what follows the command's name.
typedef void CommandHandler(Server *server, const char *rest);
#define PROTOCOL_COMMAND(name, dialects, urgency, handler, help) CommandHandler handler;
#include "core/uci/uci_commands.def"

typedef struct ProtocolCommand {
    const char *name;
    Dialect dialects;
    ProtocolUrgency urgency;
    CommandHandler *handler;
    const char *help;
} ProtocolCommand;

// The command that a line begins with, and what follows its name; NULL when there is none.
const ProtocolCommand *protocol_find(const char *line, Dialect dialect, const char **rest);

// ---- lines between the two threads ----------------------------------------------------------

typedef struct InboxLine {
    struct InboxLine *next;
    uint64_t number; // of the line in the input, from 1
    char text[];
} InboxLine;

// What happens to a search if a script wrote `quit` together with it.
typedef enum QuitRule {
    QUIT_WAITS_BRIEFLY, // ten seconds
    QUIT_WAITS,         // until it ends: a perft that takes at most about an hour
    QUIT_STOPS,         // ends it at once: a perft that takes longer
} QuitRule;

// Protected by `lock`, except the atomics, which the search reads.
typedef struct Inbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    InboxLine *first, *last;          // lines that wait
    uint64_t count;                   // lines read
    uint64_t stop_number, hit_number; // the last stop (or quit) and ponderhit, by line number
    bool draw_offered;                // with that ponderhit
    uint64_t queue_number;            // the last line that waited for an idle engine
    uint64_t running;                 // line number of the running search, 0: idle
    int goes_pending;                 // searches that have not answered yet
    bool infinite, pondering;         // the running search may not answer, or not yet
    bool endless;                     // nothing but a stop is sure to end it
    QuitRule quit_rule;               // for the running search
    bool batch;                       // UCCI: a search with an end of its own is not stopped
    bool ended;                       // no line will come
    bool quit;                        // the last line was quit
    int64_t begun_ns;                 // when the last search began
    atomic_bool stop;                 // the running search shall stop
    _Atomic int64_t clock_start_ns;   // when its clock began to run, 0: not yet (pondering)
} Inbox;

void inbox_init(Inbox *inbox);
void inbox_clear(Inbox *inbox);
// The reader's thread; its argument is the Server.
void *inbox_read(void *server);
// The next line, which the caller frees; NULL at the end.
InboxLine *inbox_next(Inbox *inbox);
void inbox_set_batch(Inbox *inbox, bool batch);
// Sets the rule for the running search, which is QUIT_WAITS_BRIEFLY at its beginning.
void inbox_set_quit_rule(Inbox *inbox, QuitRule rule);
// Around the search that line `number` asked for. An infinite search is endless, and does not
// answer before it is stopped; one for a mate alone is endless, but answers when it has found it.
// The end says the answer; what a `go` asks for has an end even when it never began.
void inbox_search_begin(Inbox *inbox, uint64_t number, bool infinite, bool endless, bool pondering);
// Waits until the search may answer: an infinite one must be stopped, a pondering one stopped or
// hit. Returns whether a draw was offered with the ponderhit.
bool inbox_search_wait(Inbox *inbox);
void inbox_search_end(Server *server, const char *answer);

// ---- the server -----------------------------------------------------------------------------

// The values of the options; their rows are in uci_options.c.
typedef struct ServerSettings {
    int variant;    // there is one
    int first_rank; // moves are h2e2 (0), or h3e3 (1) as Fairy-Stockfish's relatives have it
    int hash_mb, threads, multi_pv, move_overhead_ms;
    int rule_set, material, max_checks; // as in Rules
    bool ponder;                        // nothing depends on it: the GUI decides
    bool show_wdl;                      // chances beside each score
    bool limit_strength;                // by elo
    int elo, seed;     // of a weaker player's slips; 0: another one each time the program starts
    bool milliseconds; // UCCI: times are not seconds
    bool batch;        // UCCI: as in Inbox
    bool clear;        // stays false: a button has no value
    const char *text;  // the value of an option of text while it is put into effect
    SearchParams params;
} ServerSettings;

struct Server {
    const UciSetup *setup;
    FILE *in, *out, *err;
    Dialect dialect;
    uint64_t line_number;
    bool quit;
    Inbox inbox;
    Game game;
    bool refused;    // the last position was not taken: there is none to search
    MoveList banned; // UCCI: not to be played in this position
    ServerSettings settings;
    Weights weights;
    Network *network;        // NULL: none
    Text evaluation;         // network_describe() of these
    Text notes;              // lines about them
    bool evaluation_told;    // the interface knows both
    Smp *smp;                // server_engine() makes it when it is needed
    uint64_t reported_nodes; // of the running search, in its last report
    uint64_t games;          // begun by a `newgame`: other games, other draws of a weaker player
    uint64_t chance;         // what seed 0 stands for
    pthread_mutex_t log_lock;
    FILE *log; // of all lines, both ways; NULL: none
};

// The searching threads and their table, as the options want them.
Smp *server_engine(Server *server);
Rules server_rules(const Server *server);

// One line to the GUI, flushed; any thread.
void server_say(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);
// Writes lines that came ('>') or went ('<') into the log; any thread.
void server_log(Server *server, char arrow, const char *lines);
// Writes the log to this file, "" or "<empty>": no more.
Status server_log_to(Server *server, const char *path, Err *err);
// A message for people: `info string ...`, `info message ...` in UCCI.
void server_tell(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);

// Sets all options to their defaults. Fails if the compiled weights cannot be loaded.
Status server_options_init(Server *server, Err *err);
// Says which evaluation plays, unless it was said since it was loaded. Comes before anything that
// depends on it.
void server_tell_evaluation(Server *server);
// The option lines of the handshake.
void server_options_list(Server *server);
// Says what each option is for.
void server_options_explain(Server *server);

// Is the next word of *cursor this one? Then steps behind it.
bool take_word(const char **cursor, const char *wanted);
// Joins the words from *cursor up to the word `until`, which is passed over (NULL: all), and no
// more than `most`, by single blanks; the caller frees.
char *join_words(const char **cursor, const char *until, int most);
// Reads "FEN [moves M...]" or, after the word startpos, "[moves M...]" into *game, which the caller
// clears; on a failure there is nothing to clear.
Status read_position(const Server *server, const char *text, bool startpos, Game *game, Err *err);

// The move that a word writes, whether or not it is one of a position; MOVE_NONE for other words.
Move server_scan_move(const Server *server, const char *word, size_t length);
// As move_parse_legal() and game_push_text(), with the ranks as the option has them.
Status server_read_move(const Server *server, const Position *position, const char *word,
                        size_t length, Move *move, Err *err);
Status server_read_moves(const Server *server, const char *moves, Game *game, Err *err);
void server_add_move(const Server *server, Text *text, const char *before, Move move);

// UCCI has one number for all: mates are close to +-10000.
int ucci_score(int score);
// "bestmove h2e2 ponder h9g7", or that there is none.
void add_best_move(Text *text, const Server *server, const SearchResult *result);
// Adds the words behind "pophash".
void add_hash_entry(Text *text, const Server *server, const Position *position,
                    const TtData *entry);
// "info depth 12 ... pv ...": the SearchReport of the server.
void server_report(void *server, const Search *search, const SearchLine *line, int index,
                   uint64_t nodes, int64_t time_ns);
