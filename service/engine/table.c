#define _DEFAULT_SOURCE /* for madvise, where there is one */

#include "table.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

enum {
    TABLE_WAYS = 4,           /* entries of a bucket: 64 bytes, one cache line */
    TABLE_PAGE = 2 * 1 << 20, /* bytes of a large page of memory */
};

/* Asks for large pages: looking up the page of a bucket may take longer than all the rest. */
static void ask_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    madvise(memory, size, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

bool table_open(struct table *table, size_t megabytes)
{
    uint64_t bytes = (uint64_t)megabytes << 20, bucket = TABLE_WAYS * sizeof(struct entry);
    table->buckets = 1;
    while (table->buckets * 2 * bucket <= bytes)
        table->buckets *= 2;
    table->generation = 0;
    size_t size = table->buckets * bucket;
    table->entries = aligned_alloc(size < TABLE_PAGE ? bucket : TABLE_PAGE, size);
    if (!table->entries)
        return false;
    ask_large_pages(table->entries, size);
    memset(table->entries, 0, table->buckets * bucket);
    return true;
}

void table_close(struct table *table)
{
    free(table->entries);
    table->entries = NULL;
}

void *table_lend(struct table *table, size_t *bytes)
{
    *bytes = table->buckets * TABLE_WAYS * sizeof(struct entry);
    table->generation = UINT16_MAX; /* so that the next one wipes what is left there */
    return table->entries;
}

void table_begin(struct table *table)
{
    if (++table->generation != 0)
        return;
    memset(table->entries, 0, table->buckets * TABLE_WAYS * sizeof(struct entry));
    table->generation = 1;
}

/* The first entry of a key's bucket. */
static struct entry *bucket_of(const struct table *table, uint64_t key)
{
    return table->entries + (key & (table->buckets - 1)) * TABLE_WAYS;
}

void table_prefetch(const struct table *table, uint64_t key)
{
    __builtin_prefetch(bucket_of(table, key));
}

const struct entry *table_find(const struct table *table, uint64_t key)
{
    const struct entry *entry = bucket_of(table, key);
    for (int way = 0; way < TABLE_WAYS; way++, entry++)
        if (entry->check == key >> 32 && entry->generation == table->generation)
            return entry;
    return NULL;
}

void table_store(struct table *table, uint64_t key, struct entry entry)
{
    struct entry *place = bucket_of(table, key), *worst = place;
    entry.check = (uint32_t)(key >> 32);
    entry.generation = table->generation;
    for (int way = 0; way < TABLE_WAYS; way++, place++) {
        if (place->generation != table->generation || place->check == entry.check) {
            worst = place;
            break;
        }
        if (place->depth < worst->depth)
            worst = place;
    }
    *worst = entry;
}
