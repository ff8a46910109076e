/* Sequences of numbers that look like chance; the same start gives the same sequence on every machine. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* The next number of a well mixed sequence (SplitMix64): for the keys of positions. Every state is a good start. */
static inline uint64_t random_key(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

/* Steps to the next state of a quick sequence (a linear congruential generator) and answers it: its upper bits are the
 * good ones. */
static inline uint64_t random_step(uint64_t *state)
{
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

/* The next number below 2^31 of the quick sequence. */
static inline uint32_t random_next(uint64_t *state)
{
    return (uint32_t)(random_step(state) >> 33);
}

#endif
