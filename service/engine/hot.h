/* How the compiler is told what is worth its trouble. */
#ifndef HOT_H
#define HOT_H

/* gcc makes further copies of the hot functions for processors that count bits in one instruction, for those that work
 * on four lanes of 64 bits at once, and for those that join three sets in one instruction; not where the whole program
 * is compiled for such. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && \
    !defined(__AVX2__)
#define HOT __attribute__((target_clones("default", "arch=x86-64-v2", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define HOT
#endif
#define INLINE static inline __attribute__((always_inline))

#endif
