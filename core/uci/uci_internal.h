// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations shared by the files of the protocol server. No other file includes this header.
//
// The server has two threads. The reader reads the lines of the input. It executes ponderhit and
// quit at once, and during a search also stop and isready. It queues all other lines, and quit in
// addition. The worker, which called uci_main(), executes the queued lines in order and searches.
// The two threads share the inbox, the output and the log. All other changing data belong to the
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
    QUEUED,        // executed by the worker, after all earlier commands
    QUEUED_SEARCH, // executed by the worker, after all earlier commands; starts a search or a perft
    URGENT_STOP,   // the reader executes URGENT_* commands without waiting for earlier commands;
                   // `stop` and `isready` only during a search
    URGENT_QUIT,
    URGENT_PONDERHIT,
    URGENT_ISREADY,
} ProtocolUrgency;

// A function of the worker that executes a command. `rest` is the part of the line after the
// command's name.
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

// Returns the command whose name is the first word of a line, or NULL. *rest becomes the part of
// the line after the name.
const ProtocolCommand *protocol_find(const char *line, const char **rest);

// ---- lines between the two threads ----------------------------------------------------------

typedef struct InboxLine {
    struct InboxLine *next;
    uint64_t number;                // line number in the input, from 1
    const ProtocolCommand *command; // command whose name is the first word; NULL: unknown
    size_t rest;                    // index in `text` of the part after the name
    char text[];
} InboxLine;

// Data that the reader thread and the worker share. `lock` protects all members except `stop` and
// `clock_start_ns`, which are atomic and which the running search reads without the lock.
typedef struct Inbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    InboxLine *first, *last;          // queue of lines that the worker has not yet read
    uint64_t count;                   // number of lines read from the input
    uint64_t stop_number, hit_number; // line numbers of the last `stop` and of the last `ponderhit`
    bool draw_offered;                // true if the last `ponderhit` offered a draw
    uint64_t queue_number;            // line number of the last command of kind QUEUED or
                                      // QUEUED_SEARCH; other lines, such as bench, do not count
    uint64_t running; // line number of the `go` or `perft` that is running; 0: the engine is idle
    int goes_pending; // number of `go` and `perft` commands without an answer yet
    bool infinite;    // true if the running search must not answer until it is stopped
    bool pondering;   // true if the running search must not answer until it is stopped or
                      // `ponderhit` arrives
    bool endless;     // true if the running search is infinite or has no limit except `mate`
    int64_t grace_ns; // time that the running search gets after an early `quit` (uci_inbox.c)
    bool batch;       // UCCI option batch: if true, `stop` does not end a search that has a limit
    bool ended;       // true after `quit` or the end of the input
    bool quit;        // true after `quit` or `exit`
    bool out_of_time; // true when `quit` stops all searches: at once, or after their time
    int64_t begun_ns; // start time (clock_now_ns) of the last search
    atomic_bool stop; // flag that stops the running search
    _Atomic int64_t clock_start_ns; // time (clock_now_ns) at which the clock of the running search
                                    // started; 0 while pondering
} Inbox;

void inbox_init(Inbox *inbox);
void inbox_clear(Inbox *inbox);
// Runs the reader thread. The argument is the Server.
void *inbox_read(void *server);
// Removes and returns the next queued line, which the caller frees. Waits for a line if the queue
// is empty. Returns NULL if the queue is empty and the input has ended.
InboxLine *inbox_next(Inbox *inbox);
void inbox_set_batch(Inbox *inbox, bool batch);
// Sets the time that the running search gets after an early `quit`: unlimited, or none. A search
// has SCRIPT_GRACE_S seconds otherwise.
void inbox_set_grace(Inbox *inbox, bool unlimited);
// Begins the search for the `go` in line `number` of the input. `infinite`: the search must not
// answer until it is stopped. `endless`: the search is infinite, or `mate` is its only limit.
// `pondering`: the search must not answer until it is stopped or `ponderhit` arrives, which also
// starts its clock. An endless or pondering search is also stopped by the next queued command and
// by the end of the input.
void inbox_search_begin(Inbox *inbox, uint64_t number, bool infinite, bool endless, bool pondering);
// Waits until the search may answer: an infinite search until it is stopped, a pondering search
// until it is stopped or `ponderhit` arrives. Returns true if this `ponderhit` offered a draw.
bool inbox_search_wait(Inbox *inbox);
// Marks the engine as idle and sends the answer to `go`. The worker calls it exactly once for each
// `go` and `perft`, even if no search was possible.
void inbox_search_end(Server *server, const char *answer);

// ---- the server -----------------------------------------------------------------------------

// The values of the options. The table of the options is in uci_options.c.
typedef struct ServerSettings {
    int variant;    // option UCI_Variant: always 0, because xiangqi is its only value
    int first_rank; // first rank number in moves: 0 (h2e2), or 1 (h3e3) as in Fairy-Stockfish
    int hash_mb, threads, multi_pv, move_overhead_ms;
    // values of the members `set`, `material` and `max_checks` of the struct Rules
    int rule_set, material, max_checks;
    bool ponder;         // option Ponder; without effect, because the GUI decides when to ponder
    bool show_wdl;       // true if the chances of win, draw and loss are sent with each score
    bool limit_strength; // true if the engine plays with the strength `elo`
    int elo;             // playing strength in Elo if limit_strength is set
    int seed; // seed of the random moves that limit_strength adds; if 0, Server.chance is used as
              // the seed
    bool milliseconds; // UCCI: true if times are in milliseconds, otherwise they are in seconds
    bool batch;        // UCCI: `stop` does not end a search that has a limit
    bool clear; // always false: the button option "Clear Hash" has no value, but needs a member
    const char *text; // value of the text option that is being applied
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
    bool refused;    // true if the last command that sets a position (position, fen, startpos) was
                     // refused. `game` is then unchanged, but `go` does not search it
    MoveList banned; // UCCI: moves that must not be played in the current position
    ServerSettings settings;
    Weights weights;
    Network *network;        // network of the evaluation, or NULL
    Text evaluation;         // description of weights and network, made by network_describe()
    Text notes;              // notes from loading weights and network, one per line
    bool evaluation_told;    // true if `evaluation` and `notes` were sent
    Smp *smp;                // search threads, made by server_engine() when they are needed
    uint64_t reported_nodes; // number of nodes in the last report of the running search
    uint64_t games; // number of commands that begin a new game (ucinewgame, newgame ...). It varies
                    // the random moves under UCI_LimitStrength
    uint64_t chance; // seed of the random moves under UCI_LimitStrength if the option Seed is 0;
                     // drawn when the server starts
    pthread_mutex_t log_lock; // protects `log`
    FILE *log;                // log of all lines sent and received; NULL: no log
};

// Returns the search threads and their transposition table. Creates them first, with the current
// values of the options, if they do not exist.
Smp *server_engine(Server *server);
// Returns the rules that the options select.
Rules server_rules(const Server *server);

// Sends a text and a line end to the GUI, and logs it. The text may have several lines. Any thread
// may call this function.
void server_say(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);
// Writes lines to the log, if there is one. `arrow` is '>' for received lines and '<' for sent
// lines. Any thread may call this function.
void server_log(Server *server, char arrow, const char *lines);
// Closes the log and opens a new one, which is appended to the file `path`. If `path` is "" or
// "<empty>", opens no new log. If the file cannot be opened, returns STATUS_IO and keeps the old
// log.
Status server_log_to(Server *server, const char *path, Err *err);
// Sends a message for the user: `info string ...`, in UCCI `info message ...`.
void server_tell(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);

// Sets all options to their defaults (Hash to at most its limit in UciSetup). Fails if the compiled
// weights cannot be loaded.
Status server_options_init(Server *server, Err *err);
// Sends the description of the evaluation and the notes from loading it, unless both were already
// sent. Called for `uci`, `isready` and each `go` except `go perft`.
void server_tell_evaluation(Server *server);
// Sends the `option` lines of the handshake.
void server_options_list(Server *server);
// Sends the name and the help text of each option.
void server_options_explain(Server *server);

// If the next word of *cursor is `wanted`, moves the cursor past it and returns true.
bool take_word(const char **cursor, const char *wanted);
// Reads words from *cursor and joins them with single blanks. Stops after `most` words, at the end
// of the line, or after the word `until` (may be NULL), which is not part of the text. The caller
// frees the text.
char *join_words(const char **cursor, const char *until, int most);

// Appends `before` and a move, whose ranks are counted as the option Ranks says.
void server_add_move(const Server *server, Text *text, const char *before, Move move);

// Converts a score of the search to a score for UCCI, where mates are close to +-10000.
int ucci_score(int score);
// Appends the answer to `go`, such as "bestmove h2e2 ponder h9g7". If there is no best move,
// appends "bestmove (none)", in UCCI "nobestmove".
void add_best_move(Text *text, const Server *server, const SearchResult *result);
// Appends the content of a transposition table entry for UCCI's answer "pophash": move, bounds and
// depth.
void add_hash_entry(Text *text, const Server *server, const Position *position,
                    const TtData *entry);
// The SearchReport function of the server: sends a line "info depth 12 ... pv ...".
void server_report(void *server, const Search *search, const SearchLine *line, int index,
                   uint64_t nodes, int64_t time_ns);
