// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations shared by the files of the protocol server. No other file includes this header.
//
// Two threads serve. The reader takes lines from the input. It obeys urgent commands at once (stop,
// ponderhit, quit, and isready during a search) and queues the others. The worker, which called
// uci_main(), executes the queue in order and searches. All data except the inbox belong to the
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
    QUEUED,        // waits until the engine is idle
    QUEUED_SEARCH, // waits until the engine is idle, then starts a search
    URGENT_STOP,   // this and the following are obeyed while a search runs
    URGENT_QUIT,
    URGENT_PONDERHIT,
    URGENT_ISREADY,
} ProtocolUrgency;

// Executes a command. `rest` is the line after the name of the command.
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

// Returns the command that a line begins with, or NULL. *rest is the line after its name.
const ProtocolCommand *protocol_find(const char *line, Dialect dialect, const char **rest);

// ---- lines between the two threads ----------------------------------------------------------

typedef struct InboxLine {
    struct InboxLine *next;
    uint64_t number; // line number in the input, from 1
    char text[];
} InboxLine;

// Rule for a running search when the next line of the input is `quit`.
typedef enum QuitRule {
    QUIT_WAITS_BRIEFLY, // wait ten seconds, then stop it
    QUIT_WAITS,         // wait until it ends: a perft of at most about an hour
    QUIT_STOPS,         // stop it at once: a longer perft
} QuitRule;

// Protected by `lock`, except the atomics, which the search reads.
typedef struct Inbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    InboxLine *first, *last;          // queued lines
    uint64_t count;                   // lines read
    uint64_t stop_number, hit_number; // line numbers of the last stop (or quit) and ponderhit
    bool draw_offered;                // the last ponderhit offered a draw
    uint64_t queue_number;            // line number of the last queued command
    uint64_t running;                 // line number of the running search, 0: idle
    int goes_pending;                 // searches without an answer yet
    bool infinite;                    // the running search answers only after a stop
    bool pondering;                   // the running search answers after a stop or ponderhit
    bool endless;                     // only a stop is certain to end the running search
    QuitRule quit_rule;               // for the running search
    bool batch;                       // UCCI: stop does not end a search that has a limit
    bool ended;                       // end of the input
    bool quit;                        // the last line was quit
    int64_t begun_ns;                 // start time of the last search
    atomic_bool stop;                 // tells the running search to stop
    _Atomic int64_t clock_start_ns;   // start time of its clock; 0 while pondering
} Inbox;

void inbox_init(Inbox *inbox);
void inbox_clear(Inbox *inbox);
// Runs the reader thread. The argument is the Server.
void *inbox_read(void *server);
// Returns the next line, which the caller frees, or NULL at the end of the input.
InboxLine *inbox_next(Inbox *inbox);
void inbox_set_batch(Inbox *inbox, bool batch);
// Sets the quit rule of the running search. At the start of a search it is QUIT_WAITS_BRIEFLY.
void inbox_set_quit_rule(Inbox *inbox, QuitRule rule);
// Begins the search of the `go` in line `number`. An infinite search is endless and answers only
// after a stop. A search for a mate alone is endless, too, but answers when it has found the mate.
void inbox_search_begin(Inbox *inbox, uint64_t number, bool infinite, bool endless, bool pondering);
// Waits until the search may answer: an infinite search until stop, a pondering one until stop or
// ponderhit. Returns true if the ponderhit offered a draw.
bool inbox_search_wait(Inbox *inbox);
// Ends the search and sends the answer. Every `go` needs this call, also if its search never began.
void inbox_search_end(Server *server, const char *answer);

// ---- the server -----------------------------------------------------------------------------

// The values of the options; their rows are in uci_options.c.
typedef struct ServerSettings {
    int variant;    // always 0: there is one variant
    int first_rank; // number of the first rank in moves: 0 (h2e2), or 1 (h3e3) as in
                    // Fairy-Stockfish
    int hash_mb, threads, multi_pv, move_overhead_ms;
    int rule_set, material, max_checks; // see Rules
    bool ponder;                        // without effect: the GUI decides when to ponder
    bool show_wdl;                      // print chances of win, draw and loss with each score
    bool limit_strength;                // play with the strength `elo`
    int elo;
    int seed;          // seed of the random moves of a weaker player; 0: a new one at each start
    bool milliseconds; // UCCI: times are in milliseconds, else in seconds
    bool batch;        // UCCI: see Inbox
    bool clear;        // always false: a button has no value
    const char *text;  // value of a text option while it is applied
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
    bool refused;    // the last position was refused: there is none to search
    MoveList banned; // UCCI: moves that must not be played in this position
    ServerSettings settings;
    Weights weights;
    Network *network;        // the network, or NULL
    Text evaluation;         // description of weights and network by network_describe()
    Text notes;              // notes of their loading, one per line
    bool evaluation_told;    // both texts were sent
    Smp *smp;                // made by server_engine() when it is needed
    uint64_t reported_nodes; // nodes in the last report of the running search
    uint64_t games;  // number of `newgame` commands; varies the random moves of a weaker player
    uint64_t chance; // the seed that replaces seed 0
    pthread_mutex_t log_lock;
    FILE *log; // log of all lines in both directions; may be NULL
};

// Returns the searching threads with their transposition table, made as the options say.
Smp *server_engine(Server *server);
Rules server_rules(const Server *server);

// Sends a line to the GUI and flushes it. Any thread may call it.
void server_say(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);
// Logs lines that were received ('>') or sent ('<'). Any thread may call it.
void server_log(Server *server, char arrow, const char *lines);
// Begins to log to this file; "" or "<empty>" ends the log.
Status server_log_to(Server *server, const char *path, Err *err);
// Sends a message for people: `info string ...`, in UCCI `info message ...`.
void server_tell(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);

// Sets all options to their defaults. Fails if the compiled weights cannot be loaded.
Status server_options_init(Server *server, Err *err);
// Sends the description of the evaluation and the notes of its loading, unless both were sent
// before. Call it before any output that depends on the evaluation.
void server_tell_evaluation(Server *server);
// Sends the option lines of the handshake.
void server_options_list(Server *server);
// Sends an explanation of each option.
void server_options_explain(Server *server);

// Returns true if the next word of *cursor is `wanted`, and then moves the cursor past it.
bool take_word(const char **cursor, const char *wanted);
// Joins words from *cursor with single blanks: at most `most`, up to the word `until`, which is
// skipped (NULL: to the end). The caller frees the text.
char *join_words(const char **cursor, const char *until, int most);
// Reads "FEN [moves M...]" or, if `startpos` is set, "[moves M...]" into *game, which the caller
// clears. After a failure there is nothing to clear.
Status read_position(const Server *server, const char *text, bool startpos, Game *game, Err *err);

// Returns the move that a word stands for, legal or not, or MOVE_NONE if it is no move.
Move server_scan_move(const Server *server, const char *word, size_t length);
// These read moves like move_parse_legal() and game_push_text(), with the first rank of the
// options.
Status server_read_move(const Server *server, const Position *position, const char *word,
                        size_t length, Move *move, Err *err);
Status server_read_moves(const Server *server, const char *moves, Game *game, Err *err);
void server_add_move(const Server *server, Text *text, const char *before, Move move);

// Returns the score of UCCI, in which mates are close to +-10000.
int ucci_score(int score);
// Adds "bestmove h2e2 ponder h9g7", or the answer that there is no move.
void add_best_move(Text *text, const Server *server, const SearchResult *result);
// Adds the words after "pophash".
void add_hash_entry(Text *text, const Server *server, const Position *position,
                    const TtData *entry);
// Sends "info depth 12 ... pv ...". It is the SearchReport of the server.
void server_report(void *server, const Search *search, const SearchLine *line, int index,
                   uint64_t nodes, int64_t time_ns);
