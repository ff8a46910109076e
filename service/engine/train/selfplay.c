/* Lets the engine play the Diamond Game against itself and writes what a fit needs to learn from it.
 *
 *     cc -std=c11 -O3 -fno-strict-aliasing -Iservice/engine -o selfplay \
 *         $(ls service/engine/[a-z]*.c | grep -v 'cli.c\|module.c') service/engine/train/selfplay.c -lm
 *     selfplay PLAYERS GAMES NODES NOISE SEED FILE
 *
 * Appends one `struct sample` for each searched position of each game that was won, but for strays; see sample.h.
 * With NOISE 0 nothing strays after the random opening. */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diamond_board.h"
#include "random.h"
#include "sample.h"
#include "search.h"

enum {
    TABLE_MB = 8,
    OPENING_MOST = 6,  /* random turns of each seat at first, at least one */
    STRAY_ONE_IN = 16, /* turns of which one is a stray: the net is to know what lies beside the good moves, too */
    STRAY_NOISE = 500, /* its noise at least */
};

/* One player that plays all seats. */
struct play {
    struct search *search;                /* its search */
    int players;                          /* how many seats */
    struct diamond setup;                 /* the rules */
    struct diamond_position position;     /* the position */
    struct limits limits;                 /* of each move */
    uint64_t state;                       /* of all chance */
    struct sample samples[SAMPLES_GAME];  /* of the present game */
    int count;                            /* how many */
};

/* Plays some random plies. */
static void open_game(struct play *play)
{
    char error[ENGINE_ERROR_MAX];
    int least = play->players, most = OPENING_MOST * play->players;
    int plies = least + (int)(random_next(&play->state) % (uint32_t)(most - least + 1));
    diamond_game.start(&play->setup, play->players, &play->position, error);
    while (plies-- > 0) {
        struct move moves[ENGINE_MOVES_MAX];
        int count = diamond_game.generate(&play->setup, &play->position, play->position.head.turn, moves);
        diamond_game.play(&play->setup, &play->position, moves[random_next(&play->state) % (uint32_t)count].code);
    }
}

/* Notes the position and what the search found. */
static void note(struct play *play, int score)
{
    const struct diamond_position *position = &play->position;
    struct sample *sample = &play->samples[play->count++];
    memset(sample, 0, sizeof *sample);
    for (unsigned seat = 0; seat < position->players; seat++) {
        uint8_t *piece = sample->piece[seat];
        *piece++ = position->king[seat];
        for (mask men = position->men[seat]; men;)
            *piece++ = (uint8_t)mask_take(&men);
    }
    sample->players = position->players;
    sample->turn = position->head.turn;
    sample->score = (int16_t)score;
    sample->plies_left = position->head.ply; /* until the end is known */
}

/* Thinks of a move and notes the position, unless the move is a stray; false when there is none. */
static bool think(struct play *play, struct line *line)
{
    bool stray = play->limits.noise && random_next(&play->state) % STRAY_ONE_IN == 0;
    struct limits limits = play->limits;
    limits.seed = random_next(&play->state);
    limits.noise = stray && limits.noise < STRAY_NOISE ? STRAY_NOISE : limits.noise;
    if (search_run(play->search, &diamond_game, &play->setup, &play->position, &limits, line) < 1)
        return false;
    if (!stray)
        note(play, line->score);
    return true;
}

/* Plays one game and writes its samples; false when nobody won it. */
static bool play_game(struct play *play, FILE *file)
{
    const struct head *head = &play->position.head;
    open_game(play);
    play->count = 0;
    while (!head->over && play->count < SAMPLES_GAME) {
        struct line line;
        if (!think(play, &line))
            break;
        diamond_game.play(&play->setup, &play->position, line.move);
    }
    if (!head->over || head->winner < 0)
        return false;
    for (int n = 0; n < play->count; n++) {
        play->samples[n].winner = (uint8_t)head->winner;
        play->samples[n].plies_left = (uint16_t)(head->ply - play->samples[n].plies_left);
    }
    fwrite(play->samples, sizeof *play->samples, (size_t)play->count, file);
    return true;
}

/* Plays the games that the words ask for. */
int main(int count, char **words)
{
    struct play *play = aligned_alloc(16, (sizeof *play + 15) / 16 * 16);
    int players = count == 7 ? atoi(words[1]) : 0;
    FILE *file = players == 2 || players == 3 ? fopen(words[6], "ab") : NULL;
    if (!play || !file) {
        fprintf(stderr, "selfplay PLAYERS GAMES NODES NOISE SEED FILE\n");
        return 2;
    }
    memset(play, 0, sizeof *play);
    play->search = search_new(TABLE_MB);
    play->players = players;
    diamond_game.setup(&play->setup);
    play->limits = (struct limits){.nodes = strtoull(words[3], NULL, 10), .noise = atoi(words[4]), .lines = 1};
    play->limits.race_width = SEARCH_RACE_WIDTH;
    play->state = strtoull(words[5], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    int games = atoi(words[2]), won = 0;
    for (int game = 0; game < games; game++)
        won += play_game(play, file);
    bool failed = ferror(file);
    if (fclose(file) || failed) {
        perror(words[6]);
        return 1;
    }
    fprintf(stderr, "%d games, %d that nobody won left out\n", games, games - won);
    search_free(play->search);
    free(play);
    return 0;
}
