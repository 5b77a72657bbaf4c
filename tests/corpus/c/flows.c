/* Sessions of a small server. */
#include "session.h"
#include <stdlib.h>

#define SESSION_MAX 16
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define session_name(s) ((s)->user.name ? server.names->find(s) : "none")

typedef unsigned long long mstime_t;

typedef union {
    int number;
    void *ptr;
} value_t;

typedef union payload {
    long raw;
    struct session *owner;
} payload;

typedef enum { IDLE, BUSY = 4, GONE } state_t;

typedef struct session {
    int fd;
    state_t state;
    union {
        char *text;
        payload load;
    } data;
    struct {
        char *name;
        unsigned admin : 1;
    } user;
    union {
        int plain;
    };
    struct session *next, *children[4];
    void (*on_close)(struct session *self, int code);
    value_t (*reply)(struct session *self);
} session, *session_ref;

typedef struct server server_t;
typedef void (*handler)(session *s, void *arg);

struct command {
    const char *name;
    handler run;
    struct limits {
        int low, high;
    } limits;
};

static struct {
    session *head;
    struct command *last;
    struct table *names;
} server;

extern struct command commands[];
extern int verbose;
const char *const version = "1.0", *build;

static int find(const session *s);
session *session_open(int fd, struct command *with);

static void greet(session *s, void *arg) {
    s->user.name = arg;
}

static struct command builtin[] = {
    {.name = "greet", .run = greet, .limits = {.low = 0, .high = 1}},
    [2] = {.name = "bye", .run = NULL},
    {"last", greet},
};

int
old_style(count, name, s)
    int count;
    char *name;
    register session *s;
{
    return s->fd + count;
}

session *session_open(int fd, struct command *with) {
    session *s = calloc(1, sizeof(*s)), **slot, local[2];
    struct command copy = {.name = with->name};
    session_ref ref = s;
    if (s == NULL) goto fail;
    s->fd = fd;
    s->next->data.load.owner->fd = 0;
    for (int i = 0; i < 4; i++) {
        session *child = s->children[i];
        child->on_close(child, i);
        s->children[i]->state = IDLE;
        local[i].user.admin = 1;
    }
    for (session *at = server.head; at; at = at->next) {
        if (at->reply(at).ptr) at->state = BUSY;
    }
    ((session *)with)->fd = 1;
    (*slot)->fd = (&local[0])->fd;
    session_open(fd, &copy)->state = GONE;
    (s + 1)->fd = (struct command){.name = "tmp"}.limits.low;
    server.last->run(ref, container_of(s, struct command, name));
    {
        struct limits s = commands[0].limits;
        s.low++;
    }
    return s;
fail:
    free(s);
    return (session *)0;
}

static inline struct command *find_command(const char *name, int (*matches)(const char *a, session *b)) {
    static int calls;
    extern int errors;
    calls++;
    for (struct command *c = builtin; c->name; c++)
        if (matches(c->name, server.head)) return c;
    return NULL;
}

/* A parameter may be called like its type. */
static int admit(struct command command, session *session) {
    return command.limits.low > session->fd;
}
