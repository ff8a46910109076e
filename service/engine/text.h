/* Reading a text from its front to its end, and saying what is wrong with it. */
#ifndef TEXT_H
#define TEXT_H

#include "engine.h"

/* Where a reader stands in a text, and where it writes what is wrong. */
struct reader {
    const char *at; /* the next byte */
    char *error;    /* ENGINE_ERROR_MAX bytes */
};

/* Notes a fault; always false. */
__attribute__((format(printf, 2, 3))) bool fault(struct reader *reader, const char *format, ...);

#endif
