#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SAMPLES_LEAST = 1000, /* a file with fewer is refused */
    STEPS_MOST = 1000,    /* steps of a descent */
};

bool samples_read(struct samples *samples, const char *path, unsigned players)
{
    FILE *file = fopen(path, "rb");
    struct sample sample;
    size_t first = samples->count;
    if (!file) {
        perror(path);
        return false;
    }
    fseek(file, 0, SEEK_END);
    size_t more = (size_t)ftell(file) / sizeof sample;
    rewind(file);
    struct sample *all = realloc(samples->all, (samples->count + more + 1) * sizeof sample);
    samples->all = all ? all : samples->all;
    while (all && fread(&sample, sizeof sample, 1, file) == 1)
        if (sample.players == players)
            all[samples->count++] = sample;
    fclose(file);
    if (samples->count - first >= SAMPLES_LEAST)
        return true;
    fprintf(stderr, "%s: %s\n", path, all ? "too few samples" : "no memory");
    return false;
}

double descend(double (*loss)(const void *memory, const double *at), const void *memory, double *at, int count,
               double step, double least)
{
    double lowest = loss(memory, at);
    int steps = 0;
    for (; step > least; step /= 2)
        for (int n = 0; n < 2 * count && steps < STEPS_MOST; n++) {
            double before = at[n / 2];
            at[n / 2] += n & 1 ? -step : step;
            double found = loss(memory, at);
            if (found < lowest) {
                lowest = found;
                steps++;
                n = -1;
            } else {
                at[n / 2] = before;
            }
        }
    return lowest;
}
