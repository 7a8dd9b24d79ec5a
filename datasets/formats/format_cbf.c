// SPDX-License-Identifier: GPL-3.0-or-later
// CBF, CCBridge's form in XML:
//     <ChineseChessRecord Version="1.0"> <Head> <Event>...</Event> <RecordResult>1</RecordResult>
//     <FEN>...</FEN> </Head> <MoveList> <Move value="00-00"/> <Move value="77-47" end="1"/> ...
// A point is column and row from the top left. The first move is none; the main line goes up to the
// first that says end="1". Variations follow; no description says how they tell where they begin.
#include <expat.h>
#include <string.h>

#include "datasets/formats/board_list.h"
#include "datasets/formats/encoding.h"
#include "datasets/formats/formats.h"

typedef struct Cbf {
    XML_Parser parser;
    SourceGame *source;
    Text text;       // of the present element
    bool variations; // are wanted
    bool ended;      // the main line
    ImportRefusal refusal;
    Err *err;
} Cbf;

static void refuse(Cbf *cbf, ImportRefusal refusal) {
    cbf->refusal = refusal;
    XML_StopParser(cbf->parser, XML_FALSE);
}

static int square_of(const char *digits) {
    const int file = digits[0] - '0', row = digits[1] - '0';
    return file >= 0 && file < FILE_COUNT && row >= 0 && row < RANK_COUNT
               ? square_make(file, RANK_COUNT - 1 - row)
               : SQUARE_NONE;
}

static void begin_element(void *context, const char *name, const char **attributes) {
    Cbf *cbf = context;
    const char *value = "", *end = "";
    text_reset(&cbf->text);
    if (strcmp(name, "Move") != 0) return;
    if (cbf->ended) {
        cbf->source->lines_unread = cbf->variations;
        return;
    }
    for (; *attributes; attributes += 2) {
        if (strcmp(attributes[0], "value") == 0) value = attributes[1];
        if (strcmp(attributes[0], "end") == 0) end = attributes[1];
    }
    cbf->ended = strcmp(end, "1") == 0;
    if (strcmp(value, "00-00") == 0) return;
    const bool whole = strlen(value) == 5;
    if (source_game_push_points(cbf->source, 0, whole ? square_of(value) : SQUARE_NONE,
                                whole ? square_of(value + 3) : SQUARE_NONE,
                                cbf->err) != STATUS_OK) {
        refuse(cbf, IMPORT_MOVE);
    }
}

static void add_characters(void *context, const char *text, int length) {
    text_add_bytes(&((Cbf *)context)->text, text, (size_t)length);
}

static void end_element(void *context, const char *name) {
    static const struct {
        const char *own, *name;
    } tags[] = {{"Title", "Title"},
                {"Event", "Event"},
                {"Round", "Round"},
                {"Date", "Date"},
                {"Site", "Site"},
                {"TimeRule", "TimeControl"},
                {"Red", "Red"},
                {"RedTeam", "RedTeam"},
                {"RedRating", "RedElo"},
                {"Black", "Black"},
                {"BlackTeam", "BlackTeam"},
                {"BlackRating", "BlackElo"},
                {"Commentator", "Annotator"},
                {"Creator", "Author"},
                {"ECCO", "ECCO"}};
    Cbf *cbf = context;
    const char *text = text_get(&cbf->text);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (strcmp(name, tags[i].own) != 0) continue;
        source_game_tag(cbf->source, tags[i].name, text, cbf->text.length);
    }
    if (strcmp(name, "RecordResult") == 0)
        source_game_set_result(cbf->source, (uint8_t)(*text - '0'));
    if (strcmp(name, "FEN") == 0 && *text) {
        Position start;
        if (position_from_fen(&start, text, cbf->err) == STATUS_OK) {
            source_game_start(cbf->source, &start);
        } else {
            refuse(cbf, IMPORT_START);
        }
    }
    text_reset(&cbf->text);
}

// No record needs entities of its own, which could stand for more than there is room for.
static void refuse_entity(void *context, const char *name, int parameter, const char *value,
                          int length, const char *base, const char *system, const char *public_id,
                          const char *notation) {
    (void)name, (void)parameter, (void)value, (void)length;
    (void)base, (void)system, (void)public_id, (void)notation;
    Cbf *cbf = context;
    err_set(cbf->err, STATUS_BAD_INPUT, "it declares entities");
    refuse(cbf, IMPORT_FIELDS);
}

static ImportRefusal parse(Cbf *cbf, const Text *utf8) {
    cbf->parser = XML_ParserCreate("UTF-8"); // whatever it says of itself: it was decoded
    XML_SetUserData(cbf->parser, cbf);
    XML_SetElementHandler(cbf->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(cbf->parser, add_characters);
    XML_SetEntityDeclHandler(cbf->parser, refuse_entity);
    const enum XML_Status status =
        XML_Parse(cbf->parser, text_get(utf8), (int)utf8->length, XML_TRUE);
    if (status != XML_STATUS_OK && cbf->refusal == IMPORT_KEPT) {
        err_set(cbf->err, STATUS_BAD_INPUT, "line %lu is no XML: %s",
                (unsigned long)XML_GetCurrentLineNumber(cbf->parser),
                XML_ErrorString(XML_GetErrorCode(cbf->parser)));
        cbf->refusal = IMPORT_FIELDS;
    }
    XML_ParserFree(cbf->parser);
    return cbf->refusal;
}

ImportRefusal read_cbf(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    Text utf8 = {0};
    Cbf cbf = {
        .variations = settings->variations, .source = source, .err = err, .refusal = IMPORT_FIELDS};
    if (text_decode_any(text->data, text->length, &utf8, NULL, err) == STATUS_OK) {
        cbf.refusal = IMPORT_KEPT;
        parse(&cbf, &utf8);
    }
    text_clear(&cbf.text);
    text_clear(&utf8);
    return cbf.refusal;
}
