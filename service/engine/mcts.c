/* Each visit follows the tree from the root, at every node to the child that promises most to the seat that moves
 * there, until it comes to a position that has not been visited before. What is expected there for each seat is added
 * to all nodes on the way, so that a node's mean comes to be the value of its best play. Visited once more a node gets
 * its children: the moves that look best at once, with a share each of the visits to come.
 *
 * Nothing is assumed of the others but that each wants to win. Best reply, which tree.c does with three, lets them
 * answer with one move together: deep searches then give the root's seat more turns than it will have.
 *
 * The rule that chooses a child is PUCT (Rosin 2011; Silver et al. 2017), with values for each seat as in max^n. */
#include "mcts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHOLE = 1000,         /* a won game, in the sums of nodes */
    VISITS_MOST = 4000000, /* visits of the root that end a search: they keep the sums of nodes within their bits */
    WIDTH = 16,           /* children of a node, at most; the root has all moves */
    SPARING = 8,          /* visits by which a leaf must have more when the memory is full than when it is empty */
    PLAYOUT_PLIES = 3,    /* moves that are played on before a position is evaluated, each the one that gains most */
    DEPTH_MOST = SEARCH_PLIES_MAX - PLAYOUT_PLIES, /* plies from the root to a leaf */
    PLAYED_OUT = 990,     /* what a seat may expect that wins by moves that nobody has searched */
    SCORE_MOST = 990,     /* the greatest score of a move that may not win */
    EVALUATION_MOST = 3000, /* hundredths of a step, beyond which the expected result is hardly another */
};

#define EXPLORATION 0.5f    /* weight of the share that a child has not had yet, in won games */
#define TEMPERATURE 160.0f  /* hundredths of a step by which a move has to look better to get e times the share */
#define UNKNOWN_LESS 0.1f   /* how much less than its parent a child promises before it is visited, in won games */
#define BONUS_UNIT 4000.0f  /* hundredths of a step in a won game, near an even chance; see `tree_bonus` */

/* A position in the tree. */
struct node {
    uint32_t code;   /* the move that leads to it */
    uint32_t first;  /* place of its first child; they lie side by side */
    uint16_t count;  /* children, 0 before it has any; those that looked best come first */
    uint16_t tried;  /* children that were visited, the first ones */
    uint32_t visits; /* how often it was visited */
    float share;     /* of its parent's visits, by how good it looked at first */
    float bonus;     /* a child of the root's: what is added to its mean, in won games */
    uint32_t won[ENGINE_SEATS_MAX]; /* by seat: what was expected in all visits, WHOLE for a win */
};

/* The tree of one run. */
struct tree {
    struct search *search; /* the run; its levels hold the positions on the way of a visit */
    struct node *nodes;    /* the root first */
    uint32_t used, room;   /* nodes there are, and that there is memory for */
};

/* Counts a position that is looked at, up to the limit: a visit that has begun is brought to its end. */
static void count_node(struct search *search)
{
    if (!search->stopped)
        tree_count_node(search);
}

/* Plays a move of the position at `ply` into the next level. */
static void play_on(struct search *search, int ply, uint32_t code)
{
    struct level *level = &search->levels[ply];
    memcpy(level[1].position, level->position, search->game->position_size);
    search->game->play(search->setup, level[1].position, code);
}

/* Whether the game goes on with all seats in it. */
static bool goes_on(const struct head *head)
{
    return !head->over && head->winner < 0;
}

/* The move that gains most in the position at `ply`, or a pass. */
static uint32_t greedy_move(struct search *search, int ply)
{
    struct level *level = &search->levels[ply];
    unsigned seat = tree_head(search, ply)->turn;
    struct move best = {move_pass(seat), INT32_MIN};
    int count = search->game->quick->generate_above(search->setup, level->position, seat, INT32_MAX, level->moves);
    for (int n = 0; n < count; n++)
        best = level->moves[n].gain > best.gain ? level->moves[n] : best;
    return best.code;
}

/* What a seat may expect in a position by itself, in thousandths of 2 won games, not yet set against the others. */
static uint32_t chance_of(const struct search *search, const void *position, unsigned seat)
{
    int evaluation = search->game->evaluate(search->setup, position, seat);
    return (uint32_t)(1000 + search->game->points(evaluation, ENGINE_SEATS_MAX));
}

/* Writes what each seat may expect where the game is over: `sure` of WHOLE for the winner, or a draw. */
static void share_out(const struct head *head, uint32_t sure, uint32_t results[ENGINE_SEATS_MAX])
{
    for (int seat = 0; seat < ENGINE_SEATS_MAX; seat++)
        results[seat] = head->winner == seat ? sure : head->winner < 0 ? WHOLE / 2 : (WHOLE - sure) / 2;
}

/* Plays the position at `ply` on for some plies and writes what each seat may expect then: WHOLE in all, or half of it for each in a draw. */
static void expect_results(struct search *search, int ply, uint32_t results[ENGINE_SEATS_MAX])
{
    const struct head *head = tree_head(search, ply);
    uint32_t sum = 0, sure = WHOLE;
    for (int left = PLAYOUT_PLIES; left > 0 && goes_on(head); left--) {
        play_on(search, ply, greedy_move(search, ply));
        head = tree_head(search, ++ply);
        sure = PLAYED_OUT;
        count_node(search);
    }
    if (!goes_on(head)) {
        share_out(head, sure, results);
        return;
    }
    for (unsigned seat = 0; seat < ENGINE_SEATS_MAX; seat++)
        sum += results[seat] = chance_of(search, head, seat);
    for (int seat = 0; seat < ENGINE_SEATS_MAX; seat++)
        results[seat] = results[seat] * WHOLE / sum;
}

/* A root move's bonus; see `tree_bonus`. */
static int bonus_of(struct search *search, struct move move)
{
    uint64_t state = (search->limits->seed * 0x9e3779b97f4a7c15u ^ move.code) * 0x9e3779b97f4a7c15u + 1;
    return tree_bonus(search, move, &state);
}

/* How good a move of the position at `ply` looks at once, in hundredths of a step. */
static int32_t look_of(struct search *search, int ply, struct move move)
{
    if (move.gain >= ENGINE_GAIN_WINS)
        return ENGINE_GAIN_WINS;
    int evaluation = search->game->quick->evaluate_after(search->setup, search->levels[ply].position, move);
    return evaluation + (ply == 0 ? bonus_of(search, move) : 0);
}

/* Lists the moves of the position at `ply`, the `width` that look best first. Answers how many there are; where one
 * wins, and no other is wanted, it is the only one. */
static int list_best(struct search *search, int ply, int width)
{
    struct level *level = &search->levels[ply];
    unsigned seat = tree_head(search, ply)->turn;
    int count = search->game->generate(search->setup, level->position, seat, level->moves);
    if (count == 0)
        level->moves[count++] = (struct move){move_pass(seat), 0};
    for (int n = 0; n < count; n++)
        level->order[n] = look_of(search, ply, level->moves[n]);
    for (int n = 0; n < width && n < count; n++)
        tree_pick(level, n, count);
    bool wins = level->order[0] == ENGINE_GAIN_WINS;
    return wins && (ply > 0 || search->limits->lines == 1) ? 1 : count < width ? count : width;
}

/* Gives the node of the position at `ply` its children, as long as there is room. */
static void grow(struct tree *tree, int ply, struct node *node)
{
    const struct level *level = &tree->search->levels[ply];
    struct node *children = &tree->nodes[tree->used];
    int count = list_best(tree->search, ply, ply == 0 ? ENGINE_MOVES_MAX : WIDTH);
    float sum = 0;
    if (tree->room - tree->used < (uint32_t)count)
        return;
    for (int n = 0; n < count; n++) {
        children[n] = (struct node){.code = level->moves[n].code};
        children[n].share = expf((float)(level->order[n] - level->order[0]) / TEMPERATURE);
        children[n].bonus = ply == 0 ? (float)bonus_of(tree->search, level->moves[n]) / BONUS_UNIT : 0;
        sum += children[n].share;
    }
    for (int n = 0; n < count; n++)
        children[n].share /= sum;
    node->first = tree->used;
    node->count = (uint16_t)count;
    tree->used += (uint32_t)count;
}

/* What a node promises to a seat on average, in won games. */
static float mean_of(const struct node *node, unsigned seat)
{
    return (float)node->won[seat] / ((float)WHOLE * (float)node->visits);
}

/* The child to follow for the seat that moves: that of the greatest mean with what it is worth to know it better. Of
 * those that were not visited yet the first promises most. */
static struct node *choose(const struct tree *tree, const struct node *node, unsigned seat)
{
    struct node *children = &tree->nodes[node->first], *best = children;
    float most = -TREE_INFINITE, unknown = mean_of(node, seat) - UNKNOWN_LESS;
    float weight = EXPLORATION * sqrtf((float)node->visits);
    for (int n = 0; n <= node->tried && n < node->count; n++) {
        struct node *child = &children[n];
        float value = child->visits ? mean_of(child, seat) : unknown;
        value += child->bonus + weight * child->share / (float)(1 + child->visits);
        if (value > most) {
            most = value;
            best = child;
        }
    }
    return best;
}

/* The child of the root by which a visit begins: as many as are wanted are visited at least once. */
static struct node *choose_first(const struct tree *tree)
{
    const struct node *root = tree->nodes;
    const struct search *search = tree->search;
    bool is_due = root->tried < root->count && root->tried < search->limits->lines;
    return is_due ? &tree->nodes[root->first + root->tried] : choose(tree, root, search->me);
}

/* Whether a leaf was visited often enough to get children: once, and the more often the less memory is left. */
static bool is_to_grow(const struct tree *tree, const struct node *leaf)
{
    return leaf->count == 0 && leaf->visits > (uint64_t)SPARING * tree->used / tree->room &&
           tree->room - tree->used >= WIDTH;
}

/* Follows the tree from the root to a leaf, and adds what is expected there to all nodes on the way. */
static void visit(struct tree *tree)
{
    struct search *search = tree->search;
    struct node *path[SEARCH_PLIES_MAX + 1] = {tree->nodes};
    uint32_t results[ENGINE_SEATS_MAX];
    int ply = 0;
    for (; path[ply]->count > 0 && ply < DEPTH_MOST; ply++) {
        struct node *node = path[ply];
        path[ply + 1] = ply == 0 ? choose_first(tree) : choose(tree, node, tree_head(search, ply)->turn);
        node->tried += path[ply + 1]->visits == 0;
        play_on(search, ply, path[ply + 1]->code);
    }
    count_node(search);
    if (ply < DEPTH_MOST && is_to_grow(tree, path[ply]) && goes_on(tree_head(search, ply)))
        grow(tree, ply, path[ply]);
    expect_results(search, ply, results);
    for (int n = 0; n <= ply; n++) {
        path[n]->visits++;
        for (int seat = 0; seat < ENGINE_SEATS_MAX; seat++)
            path[n]->won[seat] += results[seat];
    }
}

/* Of some nodes side by side the one that was visited most; of equals the first. */
static struct node *most_visited(struct node *nodes, int count)
{
    struct node *best = nodes;
    for (int n = 1; n < count; n++)
        best = nodes[n].visits > best->visits ? &nodes[n] : best;
    return best;
}

/* Writes the play that is expected from a node on, the move to it first. */
static void write_play(const struct tree *tree, const struct node *node, struct line *line)
{
    line->move = node->code;
    for (;;) {
        line->pv[line->length++] = node->code;
        if (line->length == SEARCH_PLIES_MAX || node->tried == 0)
            break;
        node = most_visited(&tree->nodes[node->first], node->count);
    }
}

/* The evaluation that goes with a score. */
static int evaluation_of(const struct search *search, int score)
{
    int low = -EVALUATION_MOST, high = EVALUATION_MOST;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (search->game->points(middle, ENGINE_SEATS_MAX) < score)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The score of a node for a seat: -1000 or 1000 only where every visit came to the end of the game. */
static int score_of(const struct node *node, unsigned seat)
{
    uint64_t won = node->won[seat], all = (uint64_t)WHOLE * node->visits;
    int score = (int)(2000 * won / all) - 1000;
    if (won == 0 || won == all)
        return score;
    return score > SCORE_MOST ? SCORE_MOST : score < -SCORE_MOST ? -SCORE_MOST : score;
}

/* Writes the score and the margin of a child of the root; no score is above `most`. What was not visited is told as the
 * root is. */
static void write_score(const struct tree *tree, const struct node *node, int most, struct line *line)
{
    const struct search *search = tree->search;
    int score = score_of(node->visits ? node : tree->nodes, search->me);
    line->score = score < most ? score : most;
    line->margin = abs(line->score) == 1000 ? SEARCH_NO_MARGIN
                                            : tree_margin(search, evaluation_of(search, line->score));
}

/* Writes the moves that were visited most, and brings the root's children into that order. The depth is how far the
 * first one's play goes. Means of moves that were visited less are less certain: none is told to be better than a move
 * before it. */
static int write_lines(struct tree *tree, struct line *lines)
{
    struct node *children = &tree->nodes[tree->nodes->first];
    int count = tree->nodes->count, wanted = tree->search->limits->lines;
    wanted = wanted < count ? wanted : count;
    for (int n = 0; n < wanted; n++) {
        struct node *best = most_visited(children + n, count - n), moved = *best;
        *best = children[n];
        children[n] = moved;
        lines[n] = (struct line){.length = 0};
        write_play(tree, &children[n], &lines[n]);
        write_score(tree, &children[n], n > 0 ? lines[n - 1].score : 1000, &lines[n]);
        lines[n].depth = lines[0].length;
    }
    return wanted;
}

int mcts_run(struct search *search, struct line *lines)
{
    size_t bytes;
    struct tree tree = {.search = search, .used = 1, .nodes = table_lend(&search->table, &bytes)};
    struct node *root = tree.nodes;
    tree.room = (uint32_t)(bytes / sizeof *root);
    *root = (struct node){.code = 0};
    visit(&tree);
    grow(&tree, 0, root);
    do
        visit(&tree);
    while (!search->stopped && root->visits < VISITS_MOST && root->count > 1);
    return write_lines(&tree, lines);
}
