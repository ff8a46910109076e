/* What every game gives to the engine, and the words that the engine's parts share.
 *
 * Nothing here is a global: a search, a setup and a position are memory that the caller owns and passes.
 *
 * To add a game: write <game>_board.{h,c} and <game>_eval.{h,c}, fill one `struct game` with an assertion that its
 * position is no greater than ENGINE_POSITION_SIZE, and add its address to the list in games.c. Nothing else names a
 * game.
 *
 * Compiled with -fno-strict-aliasing: memory for a position of any game is an array of bytes, read as the game's own
 * struct and, by the search, as the `struct head` that it begins with. */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENGINE_ERROR_MAX = 200,     /* bytes of an error text, with its end */
    ENGINE_POSITION_MAX = 320,  /* bytes of a position's text, with its end */
    ENGINE_POSITION_SIZE = 1024, /* bytes of the greatest position in memory */
    ENGINE_MOVE_MAX = 64,       /* bytes of a move's text, with its end */
    ENGINE_MOVES_MAX = 3072,    /* moves that one call of `generate` may write; a double in backgammon has most */
    ENGINE_GAMES_MAX = 8,       /* games in the list */
    ENGINE_SEATS_MAX = 3,       /* seats of the game with the most */
    ENGINE_PERFT_PLIES_MAX = 30, /* plies that a program counts move sequences of */
    ENGINE_GAIN_WINS = 1 << 20, /* the gain of a move that ends the game as a win */
    ENGINE_RACE_MOVES_MAX = 64, /* moves of the longest way to the goal that is looked for */
};

/* One move. */
struct move {
    uint32_t code; /* the game's own coding; the top two bits are the mover's seat */
    int32_t gain;  /* what it adds to the mover's evaluation, or ENGINE_GAIN_WINS */
};

/* The code of a pass by `seat`. */
static inline uint32_t move_pass(unsigned seat)
{
    return (uint32_t)seat << 30 | 0x3fffffffu;
}

/* Whether `code` is a pass. */
static inline bool move_is_pass(uint32_t code)
{
    return (code & 0x3fffffffu) == 0x3fffffffu;
}

/* The seat that makes the move `code`. */
static inline unsigned move_seat(uint32_t code)
{
    return code >> 30;
}

/* How every game's position begins: all that a search asks of it. */
struct head {
    uint64_t key;    /* hash of everything that matters for the rest of the game but the ply */
    uint16_t ply;    /* turns taken so far, passes included */
    uint8_t turn;    /* seat to move; meaningless when over */
    uint8_t in_play; /* bit set of the seats that still play */
    uint8_t over;    /* whether the game has ended */
    int8_t winner;   /* the seat that reached its goal by the last ply, or -1 */
    uint8_t repeated; /* whether the position has been there before, in a game where that may draw */
};

/* What a game with chance has beside. Its positions wait by turns for chance and for a move. Results have numbers from
 * 0 on; each has a weight, how many of the equally likely cases it stands for. */
struct chance {
    int results; /* how many numbers there are */
    /* Whether a position waits for chance. */
    bool (*waits)(const void *position);
    /* The weight of a result in a position that waits; 0 where it cannot come or is another one's equal. */
    int (*weight)(const void *position, int result);
    /* Puts a result up. */
    void (*bring)(const void *setup, void *position, int result);
    /* The result that `text` names. */
    bool (*read)(const void *position, const char *text, int *result, char *error);
};

/* Who is asked now and then, in long work, whether it is to go on. */
struct asker {
    bool (*go_on)(void *memory); /* false ends the work */
    void *memory;                /* what `go_on` is given */
};

/* What is asked about a seat's way to its goal, the others standing still. */
struct race_query {
    unsigned seat;             /* the seat */
    uint32_t width;            /* of the beam: positions looked at after each number of moves, at most */
    const struct asker *asker; /* asked for each position that is looked at */
};

/* A seat's way to its goal. */
struct race_line {
    int moves;                            /* how many it takes, 0 when none was found */
    int least;                            /* how many it takes at least */
    uint32_t play[ENGINE_RACE_MOVES_MAX]; /* the moves */
};

/* What a game may have beside: quicker ways to what could be told by its other functions too. */
struct quick {
    /* Those moves of `generate` that gain more than `least`, in any order; where there are none, one of those that gain
     * most. */
    int (*generate_above)(const void *setup, const void *position, unsigned seat, int32_t least, struct move *moves);
    /* Whether `generate` would write the move `code` for its seat, any code that it has once written; its gain then. */
    bool (*gain_of)(const void *setup, const void *position, uint32_t code, int32_t *gain);
    /* The greatest gain among the moves that `generate` would write, 0 when there are none. */
    int32_t (*best_gain)(const void *setup, const void *position, unsigned seat);
    /* With two seats: the evaluation for `seat`, which is to move, after its best move, or ENGINE_GAIN_WINS when one
     * wins; `value` is the evaluation before it. Outside `alpha`..`beta` a guess on the right side will do. */
    int (*after_best)(const void *setup, const void *position, unsigned seat, int value, int alpha, int beta);
    /* With more than two seats: the evaluation for the seat of a move after it, one that `generate` wrote and that does
     * not win, or a pass. NULL where no more than two can play; not for games of two. */
    int (*evaluate_after)(const void *setup, const void *position, struct move move);
    /* The position's key once `play` has made a move that `generate` gave; for a pass the key before it, as
     * a guess. Where the search then hands the turn to another seat the key is another too. */
    uint64_t (*key_after)(const void *setup, const void *position, uint32_t code);
};

/* What a game has beside that is decided by who needs fewer moves. Its gains are steps to the goal. */
struct race {
    /* Whether the pieces of the seat to move and those of the others are past one another. */
    bool (*is_race)(const void *setup, const void *position);
    /* Looks for a seat's shortest way to its goal and answers how many moves that takes, 0 when it finds none. */
    int (*solve)(const void *setup, const void *position, const struct race_query *query, struct race_line *line);
    /* The expected margin of an evaluation in tenths of a move, the greater the farther ahead; at 0 the mean of an even
     * game's, which the side to move wins or loses. */
    int (*margin)(int evaluation, int seats);
};

/* One game. `setup` is its tables and rule options, `position` one of its positions; both are plain memory of
 * the sizes named here, aligned to 16 bytes, and may be copied with memcpy. A function that takes `error` writes
 * a text there and answers false when it fails. */
struct game {
    const char *key;      /* the game's name in every text */
    size_t setup_size;    /* bytes of a setup */
    size_t position_size; /* bytes of a position, at most ENGINE_POSITION_SIZE */
    size_t tables_size;   /* bytes of the tables that all its setups share; 0 for none */

    /* Fills the shared tables, which may take a second; nothing changes them afterwards. NULL without such tables. */
    void (*make_tables)(void *tables);
    /* Shows a setup the shared tables. NULL without. */
    void (*attach)(void *setup, const void *tables);
    /* Fills the tables and sets every option to its default. */
    void (*setup)(void *setup);
    /* Sets one option from its text. */
    bool (*option)(void *setup, const char *name, const char *value, char *error);
    /* The position before the first move. */
    bool (*start)(const void *setup, int players, void *position, char *error);
    /* The position that `text` describes. */
    bool (*read)(const void *setup, const char *text, void *position, char *error);
    /* The text of a position, at most ENGINE_POSITION_MAX bytes. */
    void (*write)(const void *setup, const void *position, char *text);
    /* The legal moves of `seat` as if it were to move in a game not over; never a pass. Answers their number. */
    int (*generate)(const void *setup, const void *position, unsigned seat, struct move *moves);
    /* The number of moves that `generate` would write for the seat to move. */
    unsigned (*count)(const void *setup, const void *position);
    /* Whether the side to move must capture: such a position is not evaluated but searched on. NULL where there is no
     * such thing. In a game with it no move is left out for gaining little. */
    bool (*loud)(const void *setup, const void *position);
    /* Plays a move that `generate` gave, or a pass, and hands the turn on. */
    void (*play)(const void *setup, void *position, uint32_t code);
    /* Hands the turn to `seat` without counting a ply. */
    void (*hand_to)(const void *setup, void *position, unsigned seat);
    /* The evaluation for `seat` against the others: hundredths of a step or of a man, above 0 when it is ahead. In a
     * game with chance: of a position that waits for it or is over, in millionths of a point. */
    int (*evaluate)(const void *setup, const void *position, unsigned seat);
    /* The expected result of an evaluation in thousandths of a point, a loss counting -1000 where a win counts 1000: a
     * third of all games won is -333. Within -990 and 990 in a game without chance. */
    int (*points)(int evaluation, int seats);
    /* The text of a move, at most ENGINE_MOVE_MAX bytes. */
    void (*move_write)(uint32_t code, char *text);
    /* Its chance; NULL for a game without. */
    const struct chance *chance;
    /* Its quick ways; NULL for a game without. */
    const struct quick *quick;
    /* Its race; NULL for a game that is none. */
    const struct race *race;
};

/* The game named `key`, or NULL. */
const struct game *game_find(const char *key);

/* The shared tables of games, made as they are needed. Its owner fills it with zeros at first. */
struct shelf {
    void *tables[ENGINE_GAMES_MAX]; /* by place in the list of games; NULL until they are made */
};

/* Fills a setup, with the game's shared tables where it has any; false when there is no memory for them. */
bool game_setup(const struct game *game, struct shelf *shelf, void *setup);

/* Gives back all shared tables; no setup may be in use any more. */
void shelf_clear(struct shelf *shelf);

/* The legal move of the side to move that `text` names; a pass where nothing else is left. False, with a text at
 * `error`, where there is none. */
bool game_move_read(const struct game *game, const void *setup, const void *position, const char *text, uint32_t *code,
                    char *error);

/* The number of move sequences of `depth` plies; a forced pass is a ply, an ended game has none. Chance is no ply: all
 * its different results are counted, each once. Void when `asker`, which may be NULL, has ended the count. */
uint64_t game_perft(const struct game *game, const void *setup, const void *position, int depth,
                    const struct asker *asker);

#endif
