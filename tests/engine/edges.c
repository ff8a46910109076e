/* What no caller from outside can bring about: the last ply that a search has room for, and a lack of memory.
 *
 * Linked with --wrap=malloc. The words name what is tried: `horizon`, `memory`, `late`, a game with the latest draw
 * limit that there is, `crowded`, a search that fills its memory, or `after`, what moves are worth; it prints what comes
 * out. */
#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "tree.h"

enum { SETUP_MAX = 1 << 16 };

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static bool exhausted; /* whether there is no memory any more */

void *__wrap_malloc(size_t size)
{
    return exhausted ? NULL : __real_malloc(size);
}

/* A game and one of its positions. */
struct table_top {
    const struct game *game;
    alignas(16) unsigned char setup[SETUP_MAX];
    alignas(16) unsigned char position[ENGINE_POSITION_SIZE];
};

/* Puts a position up; false when that fails. */
static bool put_up(struct table_top *top, struct shelf *shelf, const char *key, const char *text)
{
    char error[ENGINE_ERROR_MAX];
    top->game = game_find(key);
    if (!game_setup(top->game, shelf, top->setup))
        return false;
    top->game->option(top->setup, "draw_plies_per_seat", "2000", error);
    return top->game->read(top->setup, text, top->position, error);
}

/* Prints what a position is worth by itself, and on the last ply at depth 0: that must be the same. */
static void at_horizon(struct search *search, struct table_top *top)
{
    struct limits limits = {.nodes = 10, .lines = 1};
    struct line line;
    int ply = SEARCH_PLIES_MAX;
    search_run(search, top->game, top->setup, top->position, &limits, &line);
    search->stopped = false;
    search->nodes = 0;
    memcpy(search->levels[ply].position, top->position, top->game->position_size);
    printf("%d %d\n", top->game->evaluate(top->setup, top->position, tree_head(search, ply)->turn),
           tree_value(search, ply, 0, -TREE_INFINITE, TREE_INFINITE));
}

/* Prints what a search answers with memory and without. */
static void without_memory(struct search *search, struct table_top *top)
{
    struct limits limits = {.nodes = 10, .lines = 1};
    struct line line;
    int with = search_run(search, top->game, top->setup, top->position, &limits, &line);
    exhausted = true;
    int without = search_run(search, top->game, top->setup, top->position, &limits, &line);
    exhausted = false;
    printf("%d %d\n", with, without);
}

/* Prints the depth and score of a short search. */
static void search_late(struct search *search, struct table_top *top)
{
    struct limits limits = {.plies = 3, .lines = 1};
    struct line line;
    search_run(search, top->game, top->setup, top->position, &limits, &line);
    printf("%d %d\n", line.depth, line.score);
}

/* Prints the nodes that a search was given and took, many for its memory. */
static void fill_memory(struct search *search, struct table_top *top)
{
    struct limits limits = {.nodes = 300000, .lines = 1};
    struct line line;
    search_run(search, top->game, top->setup, top->position, &limits, &line);
    printf("%" PRIu64 " %" PRIu64 "\n", limits.nodes, search_nodes(search));
}

/* Prints how many moves there are that do not win, and of how many `evaluate_after` tells what they are worth. */
static void weigh_moves(struct search *search, struct table_top *top)
{
    struct level *level = search->levels;
    const struct head *head = (const struct head *)top->position;
    int count = top->game->generate(top->setup, top->position, head->turn, level->moves), tried = 0, right = 0;
    level->moves[count++] = (struct move){move_pass(head->turn), 0};
    for (int n = 0; n < count; n++) {
        if (level->moves[n].gain >= ENGINE_GAIN_WINS)
            continue;
        memcpy(level->position, top->position, top->game->position_size);
        top->game->play(top->setup, level->position, level->moves[n].code);
        tried++;
        right += top->game->evaluate(top->setup, level->position, head->turn) ==
                 top->game->quick->evaluate_after(top->setup, top->position, level->moves[n]);
    }
    printf("%d %d\n", tried, right);
}

/* edges horizon|memory|late|crowded|after GAME POSITION */
int main(int count, char **words)
{
    static struct table_top top;
    struct shelf shelf = {{NULL}};
    struct search *search = search_new(1);
    if (count != 4 || !search || !put_up(&top, &shelf, words[2], words[3]))
        return 2;
    if (strcmp(words[1], "horizon") == 0)
        at_horizon(search, &top);
    else if (strcmp(words[1], "late") == 0)
        search_late(search, &top);
    else if (strcmp(words[1], "crowded") == 0)
        fill_memory(search, &top);
    else if (strcmp(words[1], "after") == 0)
        weigh_moves(search, &top);
    else
        without_memory(search, &top);
    search_free(search);
    shelf_clear(&shelf);
    return 0;
}
