/* How the compiler is told what is worth its trouble. */
#ifndef HOT_H
#define HOT_H

/* gcc makes a second copy of the hot functions for processors that count bits in one instruction. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define HOT __attribute__((target_clones("default", "arch=x86-64-v2", "arch=x86-64-v3")))
#else
#define HOT
#endif
#define INLINE static inline __attribute__((always_inline))

#endif
