/* Fits the net of diamond_net.h to what selfplay.c wrote.
 *
 *     cc -std=c11 -O3 -march=native -fno-strict-aliasing -Iservice/engine -o fit \
 *         service/engine/{games,search,tree,table,diamond_*}.c service/engine/train/fit.c -lm
 *     fit EPOCHS SHARE_OF_SEARCH FILE... > service/engine/diamond_net.inc
 *
 * What is fitted is the chance to win: a logistic function of the tables' evaluation plus the net's. A target is part
 * result, part what the search expected. The last twentieth of the samples is held out; its loss is told on stderr. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diamond_board.h"
#include "diamond_net.h"
#include "random.h"
#include "sample.h"

enum { HIDDEN = DIAMOND_HIDDEN, INPUTS = DIAMOND_INPUTS, PIECES = 2 * SAMPLE_PIECES };

/* The net in training. With every weight goes the sum of its squared gradients (Adagrad). */
struct net {
    float in[INPUTS][HIDDEN], in_sum[INPUTS][HIDDEN];     /* from a piece on a point */
    float bias[HIDDEN], bias_sum[HIDDEN];                 /* of the hidden units */
    float out[2][HIDDEN], out_sum[2][HIDDEN];             /* from the units as the mover and as the other see it */
    float tempo, tempo_sum;                               /* of the side to move */
};

/* What is computed of one sample. */
struct pass {
    uint16_t feature[2][PIECES]; /* by perspective, the mover's first */
    float unit[2][HIDDEN];       /* the hidden units, within 0 and 1 */
    float value;                 /* the net's output, in logits */
};

/* The logistic function. */
static float logistic(float x)
{
    return 1 / (1 + expf(-x));
}

/* A random number within -1 and 1. */
static float random_unit(uint64_t *state)
{
    return (float)(random_step(state) >> 40) / (float)(1 << 23) - 1;
}

/* Runs a sample through the net. */
static void forward(const struct diamond *setup, const struct net *net, const struct sample *sample,
                    struct pass *pass)
{
    pass->value = net->tempo;
    for (int side = 0; side < 2; side++) {
        unsigned seat = side ? 1u - sample->turn : sample->turn;
        float sum[HIDDEN];
        memcpy(sum, net->bias, sizeof sum);
        for (int n = 0; n < PIECES; n++) {
            unsigned owner = (unsigned)(n / SAMPLE_PIECES), number = (unsigned)(n % SAMPLE_PIECES);
            unsigned input = diamond_input(setup, seat, owner, number == 0, sample->piece[owner][number]);
            pass->feature[side][n] = (uint16_t)input;
            for (int unit = 0; unit < HIDDEN; unit++)
                sum[unit] += net->in[input][unit];
        }
        for (int unit = 0; unit < HIDDEN; unit++) {
            pass->unit[side][unit] = sum[unit] < 0 ? 0 : sum[unit] > 1 ? 1 : sum[unit];
            pass->value += net->out[side][unit] * pass->unit[side][unit];
        }
    }
}

/* Moves a weight against its gradient. */
static inline void descend(float *weight, float *sum, float gradient, float rate)
{
    *sum += gradient * gradient;
    *weight -= rate * gradient / (sqrtf(*sum) + 1e-4f);
}

/* Learns from one sample, of which `error` is expected less wanted. */
static void backward(struct net *net, const struct pass *pass, float error, float rate)
{
    descend(&net->tempo, &net->tempo_sum, error, rate);
    for (int side = 0; side < 2; side++) {
        float slope[HIDDEN];
        for (int unit = 0; unit < HIDDEN; unit++) {
            float active = pass->unit[side][unit] > 0 && pass->unit[side][unit] < 1;
            slope[unit] = error * net->out[side][unit] * active;
            descend(&net->out[side][unit], &net->out_sum[side][unit], error * pass->unit[side][unit], rate);
            descend(&net->bias[unit], &net->bias_sum[unit], slope[unit], rate);
        }
        for (int n = 0; n < PIECES; n++) {
            unsigned input = pass->feature[side][n];
            for (int unit = 0; unit < HIDDEN; unit++)
                descend(&net->in[input][unit], &net->in_sum[input][unit], slope[unit], rate);
        }
    }
}

/* An evaluation from the search's expected result: the reverse of diamond_points, but for its scale. */
static float value_of(int score)
{
    score = score > 980 ? 980 : score < -980 ? -980 : score;
    return 591 * logf((float)(1000 + score) / (float)(1000 - score));
}

/* The number of hundredths in a logit for which evaluations tell the results best; by search or by the tables. */
static float fit_scale(const struct sample *samples, size_t count, bool by_search)
{
    float best = 0, least = 1e9f;
    for (float scale = 80; scale < 1500; scale *= 1.05f) {
        double loss = 0;
        for (size_t n = 0; n < count; n += 7) {
            float value = by_search ? value_of(samples[n].score) : (float)samples[n].tables;
            float chance = logistic(value / scale);
            loss -= log(samples[n].won ? chance + 1e-6 : 1 - chance + 1e-6);
        }
        if (loss < least) {
            least = (float)loss;
            best = scale;
        }
    }
    fprintf(stderr, "%s: %.0f to a logit, loss %.4f\n", by_search ? "search" : "tables", best,
            least / (float)(count / 7));
    return best;
}

/* What a fit works with. */
struct fit {
    struct diamond setup;    /* the rules */
    struct net net;          /* the net */
    struct sample *samples;  /* all of them */
    size_t count;            /* how many */
    float tables, search;    /* hundredths in a logit of the tables' and the search's evaluation */
    float share;             /* of the search in a target */
};

/* The loss of the samples from `first` on; learns from them where `rate` is not 0. */
static double run_samples(struct fit *fit, size_t first, size_t end, float rate, double *by_result)
{
    double loss = 0;
    *by_result = 0;
    for (size_t n = first; n < end; n++) {
        const struct sample *sample = &fit->samples[n];
        struct pass pass;
        forward(&fit->setup, &fit->net, sample, &pass);
        float chance = logistic(pass.value + (float)sample->tables / fit->tables);
        float expected = logistic(value_of(sample->score) / fit->search);
        float target = fit->share * expected + (1 - fit->share) * sample->won;
        loss -= target * log(chance + 1e-6) + (1 - target) * log(1 - chance + 1e-6);
        *by_result -= log((sample->won ? chance : 1 - chance) + 1e-6);
        if (rate > 0)
            backward(&fit->net, &pass, chance - target, rate);
    }
    *by_result /= (double)(end - first);
    return loss / (double)(end - first);
}

/* Mixes the samples before `end`. */
static void shuffle(struct fit *fit, size_t end, uint64_t *state)
{
    for (size_t n = end - 1; n > 0; n--) {
        size_t other = (size_t)((random_step(state) >> 20) % (n + 1));
        struct sample sample = fit->samples[n];
        fit->samples[n] = fit->samples[other];
        fit->samples[other] = sample;
    }
}

/* Writes numbers for an initializer. */
static void write_numbers(const float *numbers, int count, float scale)
{
    int column = 0;
    for (int n = 0; n < count; n++) {
        char text[16];
        int length = snprintf(text, sizeof text, "%ld,", lrintf(numbers[n] * scale));
        column = column + length > 108 ? (putchar('\n'), 0) : column;
        column += length;
        fputs(text, stdout);
    }
    putchar('\n');
}

/* The mean of the net's part over all samples, in logits. */
static float mean_value(const struct fit *fit)
{
    double sum = 0;
    for (size_t n = 0; n < fit->count; n++) {
        struct pass pass;
        forward(&fit->setup, &fit->net, &fit->samples[n], &pass);
        sum += pass.value;
    }
    return (float)(sum / (double)fit->count);
}

/* Writes the net as a part of the engine. The mean advantage of having the move is left out: the search compares
 * static values of both sides, and looks after the move itself. */
static void write_net(const struct fit *fit)
{
    const struct net *net = &fit->net;
    printf("/* Written by train/fit.c; see train/README.md. */\n#include \"diamond_net.h\"\n\n"
           "const int16_t diamond_net_tempo = %ld;\nconst int16_t diamond_net_bias[DIAMOND_HIDDEN] = {\n",
           lrintf((net->tempo - mean_value(fit)) * fit->tables));
    write_numbers(net->bias, HIDDEN, DIAMOND_UNIT_FULL);
    printf("};\nconst int16_t diamond_net_out[2][DIAMOND_HIDDEN] = {{\n");
    write_numbers(net->out[0], HIDDEN, fit->tables);
    printf("}, {\n");
    write_numbers(net->out[1], HIDDEN, fit->tables);
    printf("}};\nconst int16_t diamond_net_in[DIAMOND_INPUTS][DIAMOND_HIDDEN] = {\n");
    for (int input = 0; input < INPUTS; input++) {
        for (int unit = 0; unit < HIDDEN; unit++)
            printf("%s%ld", unit ? "," : "{", lrintf(net->in[input][unit] * DIAMOND_UNIT_FULL));
        printf("},\n");
    }
    printf("};\n");
}

/* Reads the samples of a file behind those that are there. */
static void read_samples(struct fit *fit, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        _Exit(2);
    fseek(file, 0, SEEK_END);
    size_t more = (size_t)ftell(file) / sizeof *fit->samples;
    rewind(file);
    fit->samples = realloc(fit->samples, (fit->count + more) * sizeof *fit->samples);
    fit->count += fread(fit->samples + fit->count, sizeof *fit->samples, more, file);
    fclose(file);
}

/* Fits the net and prints it. */
int main(int count, char **words)
{
    struct fit *fit = calloc(1, sizeof *fit);
    uint64_t state = 7;
    if (!fit || count < 4)
        return 2;
    diamond_game.setup(&fit->setup);
    fit->share = (float)atof(words[2]);
    for (int n = 3; n < count; n++)
        read_samples(fit, words[n]);
    for (int input = 0; input < INPUTS; input++)
        for (int unit = 0; unit < HIDDEN; unit++)
            fit->net.in[input][unit] = 0.1f * random_unit(&state);
    for (int unit = 0; unit < HIDDEN; unit++) {
        fit->net.bias[unit] = 0.5f;
        fit->net.out[0][unit] = 0.3f * random_unit(&state);
        fit->net.out[1][unit] = -fit->net.out[0][unit];
    }
    size_t end = fit->count - fit->count / 20;
    fit->tables = fit_scale(fit->samples, fit->count, false);
    fit->search = fit_scale(fit->samples, fit->count, true);
    int epochs = atoi(words[1]);
    for (int epoch = 0; epoch < epochs; epoch++) {
        double result, held, held_result;
        shuffle(fit, end, &state);
        double loss = run_samples(fit, 0, end, 0.02f / (float)(1 + 4 * epoch / epochs), &result);
        held = run_samples(fit, end, fit->count, 0, &held_result);
        fprintf(stderr, "epoch %d loss %.4f result %.4f held out %.4f result %.4f\n", epoch + 1, loss, result, held,
                held_result);
    }
    write_net(fit);
    return 0;
}
