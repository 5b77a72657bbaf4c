#include <stdlib.h>
#include "dict.h"

#define LIMIT 10

typedef struct entry {
    void *key;
    struct entry *next;
} entry;

static int table_size = 4;

/* Whole. */
entry *entry_new(void *key) {
    entry *e = malloc(sizeof(*e));
    e->key = key;
    return e;
}

int entry_find(entry *head, void *key) {
    int steps = 0;
    while (head) {
        if (head->key == key && compare(
