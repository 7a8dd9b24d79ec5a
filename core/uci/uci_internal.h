// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations shared by the files of the protocol server. No other file includes this header.
//
// The server has two threads. The reader reads the lines of the input. It obeys urgent commands at
// once (stop, ponderhit, quit, and isready during a search) and queues the others. The worker,
// which called uci_main(), executes the queue in order and searches. All data except the inbox
// belong to the worker.
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
    QUEUED,        // executed when the engine is idle
    QUEUED_SEARCH, // executed when the engine is idle; starts a search
    URGENT_STOP,   // obeyed even while a search runs, like all other urgent kinds
    URGENT_QUIT,
    URGENT_PONDERHIT,
    URGENT_ISREADY,
} ProtocolUrgency;

// Executes a command. `rest` is the part of the line after the command's name.
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

// Returns the command whose name a line begins with, or NULL. *rest is the part of the line after
// the name.
const ProtocolCommand *protocol_find(const char *line, Dialect dialect, const char **rest);

// ---- lines between the two threads ----------------------------------------------------------

typedef struct InboxLine {
    struct InboxLine *next;
    uint64_t number; // line number in the input, from 1
    char text[];
} InboxLine;

// Effect of a `quit` that arrives at most 50 ms after the start of a search, as in a script. A
// later `quit` stops the search at once.
typedef enum QuitRule {
    QUIT_WAITS_BRIEFLY, // wait at most ten seconds for the end of the search, then stop it
    QUIT_WAITS,         // wait for the end of a perft, which takes at most about an hour
    QUIT_STOPS,         // stop at once a perft that would take more than about an hour
} QuitRule;

// Data of the reader thread and the worker. `lock` protects all members except the atomics, which
// the search reads.
typedef struct Inbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    InboxLine *first, *last;          // queue of lines that the worker has not yet read
    uint64_t count;                   // number of lines read from the input
    uint64_t stop_number, hit_number; // line numbers of the last `stop` (or `quit`) and the last
                                      // `ponderhit`
    bool draw_offered;                // true if the last `ponderhit` offered a draw
    uint64_t queue_number;            // line number of the last queued command
    uint64_t running;                 // line number of the `go` of the running search; 0: the
                                      // engine is idle
    int goes_pending;                 // number of `go` commands without an answer yet
    bool infinite;                    // true if the running search must not answer before a `stop`
    bool pondering;                   // true if the running search must not answer before a `stop`
                                      // or `ponderhit`
    bool endless;                     // true if the running search may never end without a `stop`
    QuitRule quit_rule;               // effect of `quit` on the running search
    bool batch;       // true if `stop` does not end a search that has a limit (UCCI option batch)
    bool ended;       // true after the end of the input
    bool quit;        // true if the last line was `quit`
    int64_t begun_ns; // start time of the last search
    atomic_bool stop; // flag that stops the running search
    _Atomic int64_t clock_start_ns; // start time of the running search's clock; 0 while pondering
} Inbox;

void inbox_init(Inbox *inbox);
void inbox_clear(Inbox *inbox);
// Runs the reader thread. The argument is the Server.
void *inbox_read(void *server);
// Returns the next queued line, which the caller frees, or NULL at the end of the input. Waits for
// a line if necessary.
InboxLine *inbox_next(Inbox *inbox);
void inbox_set_batch(Inbox *inbox, bool batch);
// Sets the quit rule of the running search. When a search starts, its rule is QUIT_WAITS_BRIEFLY.
void inbox_set_quit_rule(Inbox *inbox, QuitRule rule);
// Begins the search for the `go` in line `number` of the input. `infinite`: the search answers only
// after a stop. `endless`: the search is infinite, or has no limit except a mate that it may never
// find. Such a search is also stopped by the next queued command and by the end of the input.
// `pondering`: the search answers only after a stop or ponderhit, and its clock starts with
// ponderhit.
void inbox_search_begin(Inbox *inbox, uint64_t number, bool infinite, bool endless, bool pondering);
// Waits until the search may answer: an infinite search until `stop`, a pondering search until
// `stop` or `ponderhit`. Returns true if the `ponderhit` offered a draw.
bool inbox_search_wait(Inbox *inbox);
// Ends the search and sends the answer. Every `go` must call this function, even if its search
// never began.
void inbox_search_end(Server *server, const char *answer);

// ---- the server -----------------------------------------------------------------------------

// The values of the options; their rows are in uci_options.c.
typedef struct ServerSettings {
    int variant;    // always 0, because there is one variant only
    int first_rank; // first rank number in moves: 0 (h2e2), or 1 (h3e3) as in Fairy-Stockfish
    int hash_mb, threads, multi_pv, move_overhead_ms;
    int rule_set, material,
        max_checks;      // values of the members `set`, `material` and `max_checks` of Rules
    bool ponder;         // option Ponder; without effect, because the GUI decides when to ponder
    bool show_wdl;       // true if the chances of win, draw and loss are sent with each score
    bool limit_strength; // true if the engine plays at the strength `elo`
    int elo;
    int seed;          // seed for the random moves of a weaker player; 0: a new seed at each start
    bool milliseconds; // UCCI: true if times are in milliseconds, otherwise they are in seconds
    bool batch;        // UCCI: `stop` does not end a search that has a limit
    bool clear;        // target of button options, which have no value; always false
    const char *text;  // value of a text option while it is being applied
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
    bool refused; // true if the last `position` command was refused, so that there is no position
                  // to search
    MoveList banned; // UCCI: moves that must not be played in this position
    ServerSettings settings;
    Weights weights;
    Network *network;        // network of the evaluation, or NULL
    Text evaluation;         // description of weights and network, made by network_describe()
    Text notes;              // notes from loading weights and network, one per line
    bool evaluation_told;    // true if `evaluation` and `notes` were sent
    Smp *smp;                // search threads, made by server_engine() when they are needed
    uint64_t reported_nodes; // number of nodes in the last report of the running search
    uint64_t games;  // number of `newgame` commands; it varies the random moves of a weaker player
    uint64_t chance; // random number that is used as seed if the option's value is 0
    pthread_mutex_t log_lock;
    FILE *log; // log of all lines sent and received; may be NULL
};

// Returns the search threads and their transposition table. Creates them first, by the options, if
// there are none.
Smp *server_engine(Server *server);
Rules server_rules(const Server *server);

// Sends a line to the GUI and flushes it. Any thread may call it.
void server_say(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);
// Logs lines that were received (marked '>') or sent (marked '<'). Any thread may call it.
void server_log(Server *server, char arrow, const char *lines);
// Begins to log to this file. "" or "<empty>" ends the log.
Status server_log_to(Server *server, const char *path, Err *err);
// Sends a message to the user: `info string ...`, in UCCI `info message ...`.
void server_tell(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);

// Sets all options to their defaults. Fails if the compiled weights cannot be loaded.
Status server_options_init(Server *server, Err *err);
// Sends the description of the evaluation and the notes of its loading, unless they were sent
// before. Must be called before any output that depends on the evaluation.
void server_tell_evaluation(Server *server);
// Sends the list of options that belongs to the handshake.
void server_options_list(Server *server);
// Sends an explanation of each option.
void server_options_explain(Server *server);

// If the next word of *cursor is `wanted`, moves the cursor past it and returns true.
bool take_word(const char **cursor, const char *wanted);
// Joins words from *cursor with single blanks: at most `most` words, and only up to the word
// `until`, which is skipped (NULL: up to the end of the line). The caller frees the text.
char *join_words(const char **cursor, const char *until, int most);
// Reads "FEN [moves M...]" or, if `startpos` is set, "[moves M...]" into *game. The caller clears
// *game after success only.
Status read_position(const Server *server, const char *text, bool startpos, Game *game, Err *err);

// Returns the move that a word describes, legal or not, or MOVE_NONE if the word is no move.
Move server_scan_move(const Server *server, const char *word, size_t length);
// Like move_parse_legal() and game_push_text(), but with the rank numbers that the options select.
Status server_read_move(const Server *server, const Position *position, const char *word,
                        size_t length, Move *move, Err *err);
Status server_read_moves(const Server *server, const char *moves, Game *game, Err *err);
void server_add_move(const Server *server, Text *text, const char *before, Move move);

// Converts a score to the scale of UCCI, where mates are close to +-10000.
int ucci_score(int score);
// Appends the answer to `go`: "bestmove h2e2 ponder h9g7", or the answer that there is no move.
void add_best_move(Text *text, const Server *server, const SearchResult *result);
// Appends a transposition table entry in the form of UCCI's answer "pophash": move, bounds and
// depth.
void add_hash_entry(Text *text, const Server *server, const Position *position,
                    const TtData *entry);
// Sends a line "info depth 12 ... pv ...". It is the SearchReport function of the server.
void server_report(void *server, const Search *search, const SearchLine *line, int index,
                   uint64_t nodes, int64_t time_ns);
