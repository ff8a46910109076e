/* The table in which a search remembers positions that it has met. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a stored value says of the true one. */
enum bound {
    BOUND_NONE,  /* nothing: no entry */
    BOUND_LOWER, /* it is at least this */
    BOUND_UPPER, /* it is at most this */
    BOUND_EXACT, /* it is this */
};

/* What is remembered of one position. */
struct entry {
    uint32_t check;      /* upper half of the position's key */
    uint32_t move;       /* the best move's code */
    int32_t value;       /* value for the side to move */
    int8_t depth;        /* plies that the value looks ahead */
    uint8_t bound;       /* an enum bound */
    uint16_t generation; /* the search that wrote it; others do not see it */
};

/* A table of entries. */
struct table {
    struct entry *entries; /* `buckets` times TABLE_WAYS of them */
    uint64_t buckets;      /* a power of two */
    uint16_t generation;   /* number of the present search, never 0 */
};

/* Takes memory for a table of at most `megabytes`; false when there is none. */
bool table_open(struct table *table, size_t megabytes);

/* Gives the memory back. */
void table_close(struct table *table);

/* Lends the table's memory, `bytes` of it, aligned to 64, for other use until `table_begin`, which forgets it all. */
void *table_lend(struct table *table, size_t *bytes);

/* Begins a new generation: nothing that was stored before is seen again, so that equal searches run alike. */
void table_begin(struct table *table);

/* Fetches a key's entries from memory while something else is done; nothing else comes of it. */
void table_prefetch(const struct table *table, uint64_t key);

/* The entry of a key in this generation, or NULL. */
const struct entry *table_find(const struct table *table, uint64_t key);

/* Stores an entry for a key in place of the one that is missed least. */
void table_store(struct table *table, uint64_t key, struct entry entry);

#endif
