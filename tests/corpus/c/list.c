#include <stdio.h>
#include "list.h"

#define MAX_ITEMS 10
#define LIST_EACH(l, it) for (node *it = (l)->head; it; it = list_next(it, "quoted text"))

/* A node. */
struct node {
    struct node *next;
    int (*compare)(const void *, const void *);
    unsigned flags : 3, extra;
    union { int i; float f; } value;
};

typedef struct {
    struct node *head;
    size_t size;
} list;
typedef int (*visitor)(struct node *, void *ctx);
typedef unsigned long ulong_t;

enum color { RED, GREEN = 2 };

static int counter = 0;
extern const char *names[];
const double pi = 3.14, tau;
int (*handler)(int);

int list_add(list *l, int value);
static void helper(void);

/* Adds
   a value. */
int list_add(list *l, int value)
{
    struct node *n = malloc(sizeof(struct node));
    n->value.i = value;
    l->head = n, counter++;
    visitor v = helper;
    if (l->size > MAX_ITEMS) goto done;
    for (int i = 0; i < 3; i++) v(n, &names[i]);
    list other = { .head = n, .size = 1 };
    printf("%d\n", (int) other.size);
done:
    return pi;
}

static char *name_of(enum color c) { return c == RED ? "red" : names[c]; }
