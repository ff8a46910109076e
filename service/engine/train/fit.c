/* Fits a net of diamond_net.h to what selfplay.c wrote.
 *
 *     cc -std=c11 -O3 -march=native -ffast-math -fno-strict-aliasing -Iservice/engine -o fit \
 *         $(ls service/engine/[a-z]*.c | grep -v 'cli.c\|module.c') service/engine/train/{fit,sample}.c -lm
 *     fit PLAYERS EPOCHS SHARE DECAY SCALE SEED FILE... > service/engine/diamond_weights_two.c, or _three.c
 *
 * What is fitted is the chance to win: a logistic function of the tables' evaluation plus the net's. With two players
 * one net tells it for the side to move. With three a sample teaches three times, for each seat. The target is SHARE of
 * what the search expected, for the side to move, and for the rest what became of the seat: a mean of all that the
 * searches of its later turns expected, each DECAY times the one before, and of the result at their end (TD-lambda).
 * DECAY 1 leaves the result. What is written is SCALE of the net: the search leaves out moves by what the tables say,
 * and where games are decided late a whole net drowns them. The last twentieth of each file is held out; its loss is
 * told on stderr. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diamond_board.h"
#include "diamond_net.h"
#include "random.h"
#include "sample.h"

#ifndef HIDDEN
#define HIDDEN DIAMOND_HIDDEN
#endif
#ifndef PHASES
#define PHASES DIAMOND_PHASES
#endif

enum { INPUTS = DIAMOND_THREE_INPUTS, PIECES = SAMPLE_SEATS * SAMPLE_PIECES, SIDES = 2 };

enum { POINTS_MOST = 980 }; /* expected results beyond count as this: no search is quite sure */

/* The net in training. With every weight goes the sum of its squared gradients (Adagrad). */
struct net {
    float in[INPUTS][HIDDEN], in_sum[INPUTS][HIDDEN];                     /* from a piece on a point */
    float bias[HIDDEN], bias_sum[HIDDEN];                                 /* of the hidden units */
    float out[PHASES][SIDES][HIDDEN], out_sum[PHASES][SIDES][HIDDEN];     /* by phase, from the units of each view */
    float tempo[PHASES][SAMPLE_SEATS], tempo_sum[PHASES][SAMPLE_SEATS];   /* by phase, and by who is to move */
};

/* A sample, with what its targets are made of. */
struct example {
    struct sample sample;       /* the sample */
    float expected;             /* the chance of the side to move as the search told it */
    float later[SAMPLE_SEATS];  /* each seat's chance as later searches and the result tell it */
};

/* One seat's chance in an example, which the net is to tell: what it tells it from. */
struct target {
    const struct example *example; /* where it comes from */
    unsigned seat;                 /* whose chance is wanted */
    unsigned turn;                 /* how many seats after that one is to move */
    bool won;                      /* whether it won */
    float tables;                  /* its evaluation by the tables, hundredths of a step */
    float share[PHASES];           /* how much of each phase there is in it */
};

/* What is computed of one target. */
struct pass {
    uint16_t feature[SIDES][PIECES]; /* by view, the seat's first */
    float unit[SIDES][HIDDEN];       /* the hidden units, within 0 and 1 */
    float value;                     /* the net's output, in logits */
};

/* What a fit works with. */
struct fit {
    struct diamond setup;    /* the rules */
    int players;             /* 2 or 3 */
    int sides;               /* views that a value comes from */
    struct net net;          /* the net */
    struct example *examples; /* all samples, those held out last */
    size_t count;            /* how many */
    size_t learnt;           /* how many are not held out */
    float tables;            /* hundredths of the tables' evaluation in a logit */
    float share;             /* of the search in a target */
    float decay;             /* of what later searches say */
    float scale;             /* of the output that is written */
};

/* A random number within -1 and 1. */
static float random_unit(uint64_t *state)
{
    return (float)(random_step(state) >> 40) / (float)(1 << 23) - 1;
}

/* The worth of a seat's pieces. */
static int worth_of(const struct fit *fit, const struct sample *sample, unsigned seat)
{
    const uint8_t *piece = sample->piece[seat];
    int worth = fit->setup.king_worth[seat][piece[0]];
    for (int n = 1; n < SAMPLE_PIECES; n++)
        worth += fit->setup.man_worth[seat][piece[n]];
    return worth;
}

/* Makes the target for one seat of a sample; see diamond_evaluate for the tables. */
static struct target target_of(const struct fit *fit, const struct example *example, unsigned seat)
{
    const struct sample *sample = &example->sample;
    struct target target = {.example = example, .seat = seat, .won = sample->winner == seat};
    int best = INT32_MIN, sum = 0, own = worth_of(fit, sample, seat), others = fit->players - 1;
    for (int n = 1; n <= others; n++) {
        int worth = worth_of(fit, sample, (seat + (unsigned)n) % (unsigned)fit->players);
        best = worth > best ? worth : best;
        sum += worth;
    }
    target.turn = (sample->turn + (unsigned)fit->players - seat) % (unsigned)fit->players;
    target.tables = (float)(own - (best + sum / others) / 2);
    float place = ((float)(own + sum) / (float)fit->players - DIAMOND_PHASE_FIRST) / DIAMOND_PHASE_SPAN;
    place = (place < 0 ? 0 : place > 0.9999f ? 0.9999f : place) * (PHASES - 1);
    int before = (int)place;
    target.share[before] = 1 - (place - (float)before);
    if (before + 1 < PHASES)
        target.share[before + 1] = place - (float)before;
    return target;
}

/* Runs a target through the net. */
static void forward(const struct fit *fit, const struct target *target, struct pass *pass)
{
    const struct net *net = &fit->net;
    unsigned players = (unsigned)fit->players;
    pass->value = 0;
    for (int phase = 0; phase < PHASES; phase++)
        pass->value += target->share[phase] * net->tempo[phase][target->turn];
    for (int side = 0; side < fit->sides; side++) {
        unsigned seat = side ? 1u - target->seat : target->seat;
        float sum[HIDDEN];
        memcpy(sum, net->bias, sizeof sum);
        for (unsigned n = 0; n < players * SAMPLE_PIECES; n++) {
            unsigned owner = n / SAMPLE_PIECES, number = n % SAMPLE_PIECES;
            unsigned id = target->example->sample.piece[owner][number];
            unsigned input = diamond_input(&fit->setup, players, seat, owner, number == 0, id);
            pass->feature[side][n] = (uint16_t)input;
            for (int unit = 0; unit < HIDDEN; unit++)
                sum[unit] += net->in[input][unit];
        }
        for (int unit = 0; unit < HIDDEN; unit++)
            pass->unit[side][unit] = sum[unit] < 0 ? 0 : sum[unit] > 1 ? 1 : sum[unit];
        for (int phase = 0; phase < PHASES; phase++)
            for (int unit = 0; unit < HIDDEN; unit++)
                pass->value += target->share[phase] * net->out[phase][side][unit] * pass->unit[side][unit];
    }
}

/* Moves a weight against its gradient. */
static inline void step_weight(float *weight, float *sum, float gradient, float rate)
{
    *sum += gradient * gradient;
    *weight -= rate * gradient / (sqrtf(*sum) + 1e-4f);
}

/* Learns what one view has to. */
static void backward_side(struct fit *fit, const struct target *target, const struct pass *pass, int side, float error,
                          float rate)
{
    struct net *net = &fit->net;
    float slope[HIDDEN] = {0};
    for (int phase = 0; phase < PHASES; phase++)
        for (int unit = 0; unit < HIDDEN; unit++) {
            float part = error * target->share[phase];
            slope[unit] += part * net->out[phase][side][unit];
            step_weight(&net->out[phase][side][unit], &net->out_sum[phase][side][unit], part * pass->unit[side][unit],
                    rate);
        }
    for (int unit = 0; unit < HIDDEN; unit++) {
        slope[unit] *= pass->unit[side][unit] > 0 && pass->unit[side][unit] < 1;
        step_weight(&net->bias[unit], &net->bias_sum[unit], slope[unit], rate);
    }
    for (int n = 0; n < fit->players * SAMPLE_PIECES; n++) {
        unsigned input = pass->feature[side][n];
        for (int unit = 0; unit < HIDDEN; unit++)
            step_weight(&net->in[input][unit], &net->in_sum[input][unit], slope[unit], rate);
    }
}

/* Learns from one target, of which `error` is expected less wanted. */
static void backward(struct fit *fit, const struct target *target, const struct pass *pass, float error, float rate)
{
    struct net *net = &fit->net;
    for (int phase = 0; phase < PHASES; phase++)
        step_weight(&net->tempo[phase][target->turn], &net->tempo_sum[phase][target->turn],
                error * target->share[phase], rate);
    for (int side = 0; side < fit->sides; side++)
        backward_side(fit, target, pass, side, error, rate);
}

/* The logit of an even chance. */
static float even_logit(const struct fit *fit)
{
    return -logf((float)(fit->players - 1));
}

/* What a number that is read off samples tells of their results. */
struct reading {
    const struct fit *fit;                                          /* whose samples */
    size_t first;                                                   /* the first of them to read */
    float (*read)(const struct fit *, const struct example *);      /* the number */
};

/* The loss by result of a reading as a logit, multiplied by at[0] and added to at[1]; see `descend`. */
static double reading_loss(const void *memory, const double *at)
{
    const struct reading *reading = memory;
    const struct fit *fit = reading->fit;
    float by = (float)at[0], added = (float)at[1];
    double loss = 0;
    size_t read = 0;
    for (size_t n = reading->first; n < fit->count; n += 17, read++) {
        const struct sample *sample = &fit->examples[n].sample;
        float chance = logistic(by * reading->read(fit, &fit->examples[n]) + added);
        loss += result_loss(chance, sample->winner == sample->turn);
    }
    return loss / (double)read;
}

/* The tables' evaluation for the side to move. */
static float tables_of(const struct fit *fit, const struct example *example)
{
    return target_of(fit, example, example->sample.turn).tables / 1000;
}

/* What the search expected. */
static float search_of(const struct fit *fit, const struct example *example)
{
    (void)fit;
    return score_logit(example->sample.score, POINTS_MOST);
}

/* Finds the factor and the summand for which a reading of the samples from `first` on tells the results best. */
static void fit_reading(const struct fit *fit, size_t first, const char *name,
                        float (*read)(const struct fit *, const struct example *), float *by, float *added)
{
    struct reading reading = {fit, first, read};
    double at[] = {1, even_logit(fit)}, loss = descend(reading_loss, &reading, at, 2, 0.5, 0.01);
    *by = (float)at[0];
    *added = (float)at[1];
    fprintf(stderr, "%s: times %.3f, %+.3f, loss by result %.4f\n", name, at[0], at[1], loss);
}

/* Tells every sample of a file, from `first` on, what the search expected and what became of it, from each game's end
 * backwards. Files differ in what their searches' results stand for. */
static void fill_examples(struct fit *fit, size_t first)
{
    float later[SAMPLE_SEATS] = {0}, by, added;
    fit_reading(fit, first, "search", search_of, &by, &added);
    for (size_t n = fit->count; n-- > first;) {
        struct example *example = &fit->examples[n];
        unsigned turn = example->sample.turn;
        if (sample_ends_game(&example->sample, n + 1 < fit->count ? &example[1].sample : NULL))
            for (unsigned seat = 0; seat < SAMPLE_SEATS; seat++)
                later[seat] = seat == example->sample.winner;
        example->expected = logistic(by * score_logit(example->sample.score, POINTS_MOST) + added);
        memcpy(example->later, later, sizeof later);
        later[turn] = fit->decay * later[turn] + (1 - fit->decay) * example->expected;
        if (fit->players == 2)
            later[1 - turn] = 1 - later[turn];
    }
}

/* Losses, summed up over targets. */
struct losses {
    double wanted, result; /* by target; by result alone */
    double mover;          /* the second for the side to move only */
    double targets, movers;
};

/* Runs one target; learns from it where `rate` is not 0. */
static void run_target(struct fit *fit, const struct target *target, float rate, struct losses *losses)
{
    struct pass pass;
    forward(fit, target, &pass);
    float chance = logistic(pass.value + even_logit(fit) + target->tables / fit->tables);
    float share = target->turn == 0 ? fit->share : 0;
    float wanted = share * target->example->expected + (1 - share) * target->example->later[target->seat];
    double result = result_loss(chance, target->won);
    losses->wanted -= wanted * log(chance + 1e-6f) + (1 - wanted) * log(1 - chance + 1e-6f);
    losses->result += result;
    losses->targets++;
    losses->mover += target->turn == 0 ? result : 0;
    losses->movers += target->turn == 0;
    if (rate > 0)
        backward(fit, target, &pass, chance - wanted, rate);
}

/* Runs the samples from `first` on; learns from them where `rate` is not 0. */
static void run_samples(struct fit *fit, const char *name, size_t first, size_t end, float rate)
{
    struct losses losses = {0};
    for (size_t n = first; n < end; n++) {
        const struct example *example = &fit->examples[n];
        for (unsigned seat = 0; seat < (unsigned)fit->players; seat++) {
            if (fit->players == 2 && seat != example->sample.turn)
                continue;
            struct target target = target_of(fit, example, seat);
            run_target(fit, &target, rate, &losses);
        }
    }
    fprintf(stderr, " %s %.4f, by result %.4f, for the mover %.4f", name, losses.wanted / losses.targets,
            losses.result / losses.targets, losses.mover / losses.movers);
}

/* Mixes the samples to learn from. */
static void shuffle(struct fit *fit, uint64_t *state)
{
    for (size_t n = fit->learnt - 1; n > 0; n--) {
        size_t other = (size_t)((random_step(state) >> 20) % (n + 1));
        struct example example = fit->examples[n];
        fit->examples[n] = fit->examples[other];
        fit->examples[other] = example;
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

/* The net's mean value by phase, over the held-out samples and all who may be to move, in logits. */
static void fill_means(const struct fit *fit, float mean[PHASES])
{
    double sum[PHASES] = {0}, weight[PHASES] = {0};
    for (size_t n = fit->learnt; n < fit->count; n++)
        for (unsigned seat = 0; seat < (unsigned)fit->players; seat++) {
            if (fit->players == 2 && seat != fit->examples[n].sample.turn)
                continue;
            struct target target = target_of(fit, &fit->examples[n], seat);
            struct pass pass;
            forward(fit, &target, &pass);
            for (int phase = 0; phase < PHASES; phase++) {
                sum[phase] += (double)(target.share[phase] * pass.value);
                weight[phase] += (double)target.share[phase];
            }
        }
    for (int phase = 0; phase < PHASES; phase++)
        mean[phase] = weight[phase] > 0 ? (float)(sum[phase] / weight[phase]) : 0;
}

/* The net's constant by phase. With two players it is the side to move's advantage but for its mean: the search
 * compares static values of both sides, and looks after the move itself. With three it only makes the mean 0. */
static void write_constants(const struct fit *fit)
{
    float mean[PHASES], constant[PHASES];
    fill_means(fit, mean);
    for (int phase = 0; phase < PHASES; phase++) {
        const float *tempo = fit->net.tempo[phase];
        float own = fit->players == 2 ? tempo[0] : (tempo[0] + tempo[1] + tempo[2]) / 3;
        constant[phase] = own - mean[phase];
        fprintf(stderr, "phase %d: the net's mean %+.3f, tempo %+.3f %+.3f %+.3f\n", phase, mean[phase], tempo[0],
                tempo[1], tempo[2]);
    }
    write_numbers(constant, PHASES, fit->scale * fit->tables);
}

/* Writes the net as a part of the engine. */
static void write_net(const struct fit *fit)
{
    const struct net *net = &fit->net;
    const char *name = fit->players == 2 ? "two" : "three", *large = fit->players == 2 ? "TWO" : "THREE";
    printf("/* Written by train/fit.c; see train/README.md. */\n#include \"diamond_net.h\"\n\n"
           "const int16_t diamond_%s_%s[DIAMOND_PHASES] = {\n", name, fit->players == 2 ? "tempo" : "base");
    write_constants(fit);
    printf("};\nconst int16_t diamond_%s_bias[DIAMOND_HIDDEN] = {\n", name);
    write_numbers(net->bias, HIDDEN, DIAMOND_UNIT_FULL);
    printf("};\nconst int16_t diamond_%s_out[DIAMOND_PHASES][%d][DIAMOND_HIDDEN] = {\n", name, fit->sides);
    for (int phase = 0; phase < PHASES; phase++)
        for (int side = 0; side < fit->sides; side++) {
            printf(side ? "{" : "{{");
            write_numbers(net->out[phase][side], HIDDEN, fit->scale * fit->tables);
            printf(side == fit->sides - 1 ? "}},\n" : "},\n");
        }
    printf("};\nconst int16_t diamond_%s_in[DIAMOND_%s_INPUTS][DIAMOND_HIDDEN] = {\n", name, large);
    for (int input = 0; input < fit->players * DIAMOND_SEAT_INPUTS; input++) {
        putchar('{');
        write_numbers(net->in[input], HIDDEN, DIAMOND_UNIT_FULL);
        printf("},\n");
    }
    printf("};\n");
}

/* Adds the samples of a file to the examples. */
static void read_samples(struct fit *fit, const char *path)
{
    struct samples samples = {0};
    if (!samples_read(&samples, path, (unsigned)fit->players))
        exit(2);
    fit->examples = realloc(fit->examples, (fit->count + samples.count) * sizeof *fit->examples);
    if (!fit->examples)
        exit(2);
    for (size_t n = 0; n < samples.count; n++)
        fit->examples[fit->count++].sample = samples.all[n];
    free(samples.all);
}

/* Moves a file's last twentieth, from a game's beginning on, to `held`; the file begins at `first`. */
static void hold_out(struct fit *fit, size_t first, struct fit *held)
{
    size_t from = fit->count - (fit->count - first) / 20;
    while (from < fit->count && !sample_ends_game(&fit->examples[from - 1].sample, &fit->examples[from].sample))
        from++;
    size_t more = fit->count - from;
    held->examples = realloc(held->examples, (held->count + more + 1) * sizeof *held->examples);
    if (!held->examples)
        exit(2);
    memcpy(held->examples + held->count, fit->examples + from, more * sizeof *held->examples);
    held->count += more;
    fit->count = from;
}

/* Reads all files; what is held out comes last. */
static void read_files(struct fit *fit, char **paths, int count)
{
    struct fit held = {0};
    for (int n = 0; n < count; n++) {
        size_t first = fit->count;
        read_samples(fit, paths[n]);
        fill_examples(fit, first);
        hold_out(fit, first, &held);
    }
    fit->learnt = fit->count;
    fit->count += held.count;
    fit->examples = realloc(fit->examples, fit->count * sizeof *fit->examples);
    if (!fit->examples)
        exit(2);
    memcpy(fit->examples + fit->learnt, held.examples, held.count * sizeof *held.examples);
    free(held.examples);
}

/* Sets the weights to begin with. */
static void begin_net(struct fit *fit, uint64_t *state)
{
    struct net *net = &fit->net;
    for (int input = 0; input < INPUTS; input++)
        for (int unit = 0; unit < HIDDEN; unit++)
            net->in[input][unit] = 0.1f * random_unit(state);
    for (int unit = 0; unit < HIDDEN; unit++) {
        float out = 0.3f * random_unit(state);
        net->bias[unit] = 0.5f;
        for (int phase = 0; phase < PHASES; phase++) {
            net->out[phase][0][unit] = out;
            net->out[phase][1][unit] = -out;
        }
    }
}

/* Fits the net and prints it. */
int main(int count, char **words)
{
    struct fit *fit = calloc(1, sizeof *fit);
    if (!fit || count < 8 || (atoi(words[1]) != 2 && atoi(words[1]) != 3)) {
        fprintf(stderr, "fit PLAYERS EPOCHS SHARE DECAY SCALE SEED FILE...\n");
        return 2;
    }
    uint64_t state = strtoull(words[6], NULL, 10);
    float by, added;
    diamond_game.setup(&fit->setup);
    fit->players = atoi(words[1]);
    fit->sides = fit->players == 2 ? 2 : 1;
    fit->share = (float)atof(words[3]);
    fit->decay = (float)atof(words[4]);
    fit->scale = (float)atof(words[5]);
    read_files(fit, words + 7, count - 7);
    begin_net(fit, &state);
    fprintf(stderr, "%zu samples, %zu held out\n", fit->count, fit->count - fit->learnt);
    fit_reading(fit, 0, "tables, thousandths", tables_of, &by, &added);
    fit->tables = 1000 / by;
    int epochs = atoi(words[2]);
    for (int epoch = 0; epoch < epochs; epoch++) {
        shuffle(fit, &state);
        fprintf(stderr, "epoch %d:", epoch + 1);
        run_samples(fit, "loss", 0, fit->learnt, 0.02f / (float)(1 + 4 * epoch / epochs));
        run_samples(fit, "; held out", fit->learnt, fit->count, 0);
        fprintf(stderr, "\n");
    }
    write_net(fit);
    free(fit->examples);
    free(fit);
    return 0;
}
