/* Trains the nets of backgammon by games that they play against themselves (temporal differences), and writes
 * them as C:
 *
 *     cc -std=c11 -O3 -march=native -fno-strict-aliasing -Iservice/engine -o train service/engine/train/backgammon.c \
 *         $(ls service/engine/[a-z]*.c | grep -v 'cli.c\|module.c') -lm
 *     ./train GAMES SEED >service/engine/backgammon_weights.c
 *
 * Each position learns from the one after it, as that was seen by its own side, and the last one from the result. */
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backgammon_eval.h"
#include "backgammon_moves.h"
#include "random.h"

static const double RATE_FIRST = 0.02, RATE_LAST = 0.0006; /* shares of an error that are learnt at once */
enum { REPORT_GAMES = 10000 };

/* All that a training works on. */
struct training {
    struct backgammon setup;         /* the game */
    struct backgammon_tables tables; /* with the nets that are trained */
    uint64_t lot;                    /* state of the lots */
    float rate;                      /* share of an error that is learnt at once */
    double error;                    /* sum of squared errors of the chance to win, since the last report */
    uint64_t positions;              /* positions learnt from since then */
};

/* Draws starting weights. */
static void draw_weights(struct training *training, struct net *net, int hidden)
{
    net_open(net, hidden);
    for (int unit = 0; unit < hidden; unit++) {
        for (int input = 0; input < NET_INPUTS; input++)
            net->inner[input][unit] = ((float)(random_next(&training->lot) % 2001) / 1000 - 1) * 0.2f;
        for (int output = 0; output < NET_OUTPUTS; output++)
            net->outer[output][unit] = ((float)(random_next(&training->lot) % 2001) / 1000 - 1) * 0.1f;
    }
    for (int output = NET_WIN_GAMMON; output < NET_OUTPUTS; output++)
        net->bias[output] = -2;
}

/* Moves the weights towards what should have come out. */
static void learn(struct net *net, const struct net_run *run, const float target[NET_OUTPUTS], float rate)
{
    float back[NET_HIDDEN_MAX] = {0};
    for (int output = 0; output < NET_OUTPUTS; output++) {
        float step = rate * (target[output] - run->output[output]);
        for (int unit = 0; unit < net->hidden; unit++) {
            back[unit] += step * net->outer[output][unit];
            net->outer[output][unit] += step * run->hidden[unit];
        }
        net->bias[output] += step;
    }
    for (int unit = 0; unit < net->hidden; unit++) {
        float slope = 1 - fabsf(run->hidden[unit]);
        back[unit] *= slope * slope;
    }
    for (int n = 0; n < run->count; n++) {
        float *weights = net->inner[run->input[n]], value = run->value[n];
        for (int unit = 0; unit < net->hidden; unit++)
            weights[unit] += back[unit] * value;
    }
}

/* The chances of an ended game for the side that has lost it: that which would be to throw. */
static void result_chances(const struct backgammon_position *position, float chances[NET_OUTPUTS])
{
    int won = backgammon_won(position);
    memset(chances, 0, NET_OUTPUTS * sizeof *chances);
    chances[NET_LOSE_GAMMON] = won > 1;
    chances[NET_LOSE_BACKGAMMON] = won > 2;
}

/* The same chances from the other side. */
static void turn_over(const float chances[NET_OUTPUTS], float turned[NET_OUTPUTS])
{
    turned[NET_WIN] = 1 - chances[NET_WIN];
    turned[NET_WIN_GAMMON] = chances[NET_LOSE_GAMMON];
    turned[NET_WIN_BACKGAMMON] = chances[NET_LOSE_BACKGAMMON];
    turned[NET_LOSE_GAMMON] = chances[NET_WIN_GAMMON];
    turned[NET_LOSE_BACKGAMMON] = chances[NET_WIN_BACKGAMMON];
}

/* Plays the throw in hand as the nets think best. */
static void play_best(const struct training *training, struct backgammon_position *position)
{
    struct move moves[ENGINE_MOVES_MAX];
    unsigned seat = position->head.turn;
    struct backgammon_position best, child;
    int count = backgammon_generate(&training->setup, position, seat, moves), most = INT32_MIN;
    if (count == 0)
        moves[count++].code = move_pass(seat);
    for (int n = 0; n < count; n++) {
        child = *position;
        backgammon_game.play(&training->setup, &child, moves[n].code);
        int value = count > 1 ? backgammon_evaluate(&training->setup, &child, seat) : 0;
        if (value <= most)
            continue;
        most = value;
        best = child;
    }
    *position = best;
}

/* Learns one game. */
static void play_game(struct training *training)
{
    struct backgammon_position position, before;
    char error[ENGINE_ERROR_MAX];
    backgammon_game.start(&training->setup, 2, &position, error);
    while (!position.head.over) {
        int result;
        do
            result = (int)(random_next(&training->lot) % BACKGAMMON_THROWS);
        while (position.opening && result / 6 == result % 6);
        before = position;
        backgammon_game.chance->bring(&training->setup, &position, result);
        bool opening = before.opening;
        play_best(training, &position);
        struct net *net = (struct net *)backgammon_net(&training->tables, &before);
        if (!net || opening)
            continue;
        float next[NET_OUTPUTS], target[NET_OUTPUTS];
        struct net_run run;
        if (position.head.over)
            result_chances(&position, next);
        else
            backgammon_chances(&training->tables, &position, next);
        turn_over(next, target);
        net_look(net, &before, &run);
        learn(net, &run, target, training->rate);
        double missed = target[NET_WIN] - run.output[NET_WIN];
        training->error += missed * missed;
        training->positions++;
    }
}

/* Writes a number as C, rows kept within a line's length. */
static void write_number(float weight, int *column)
{
    float scaled = roundf(weight * NET_SCALE);
    int number = scaled > 32767 ? 32767 : scaled < -32767 ? -32767 : (int)scaled;
    char text[16];
    int length = snprintf(text, sizeof text, "%d,", number);
    if (*column + length > 109) {
        printf("\n   ");
        *column = 3;
    }
    printf(" %s", text);
    *column += length + 1;
}

/* Writes a net as C. */
static void write_net(const struct net *net, const char *name, const char *hidden)
{
    int column = 3;
    printf("\nconst int16_t backgammon_%s_weights[(NET_INPUTS + NET_OUTPUTS) * %s + NET_OUTPUTS] = {\n   ", name,
           hidden);
    for (int input = 0; input < NET_INPUTS; input++)
        for (int unit = 0; unit < net->hidden; unit++)
            write_number(net->inner[input][unit], &column);
    for (int output = 0; output < NET_OUTPUTS; output++)
        for (int unit = 0; unit < net->hidden; unit++)
            write_number(net->outer[output][unit], &column);
    for (int output = 0; output < NET_OUTPUTS; output++)
        write_number(net->bias[output], &column);
    printf("\n};\n");
}

/* Trains as many games as the first word says, with lots from the second. */
int main(int count, char **words)
{
    struct training *training = aligned_alloc(16, (sizeof *training + 15) / 16 * 16);
    if (count != 3 || !training)
        return 2;
    long games = atol(words[1]);
    memset(training, 0, sizeof *training);
    training->lot = strtoull(words[2], NULL, 10);
    backgammon_game.setup(&training->setup);
    bearoff_make(&training->tables.bearoff);
    draw_weights(training, &training->tables.contact, CONTACT_HIDDEN);
    draw_weights(training, &training->tables.race, RACE_HIDDEN);
    backgammon_game.attach(&training->setup, &training->tables);
    for (long game = 1; game <= games; game++) {
        training->rate = (float)(RATE_FIRST * pow(RATE_LAST / RATE_FIRST, (double)game / (double)games));
        play_game(training);
        if (game % REPORT_GAMES)
            continue;
        fprintf(stderr, "%ld games, %.1f positions each, error %.5f\n", game,
                (double)training->positions / REPORT_GAMES, sqrt(training->error / (double)training->positions));
        training->positions = 0;
        training->error = 0;
    }
    printf("/* Made by service/engine/train/backgammon.c with the words `%s %s`; not to be changed by hand. */\n",
           words[1], words[2]);
    printf("#include \"backgammon_eval.h\"\n");
    write_net(&training->tables.contact, "contact", "CONTACT_HIDDEN");
    write_net(&training->tables.race, "race", "RACE_HIDDEN");
    free(training);
    return 0;
}
