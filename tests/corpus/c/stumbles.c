#include "ships.h"

struct quay {
    int length;
};

/* Finds a place for a ship. */
int quay_assign(struct quay *quay, const struct ship *ship)
{
    return quay_place(quay, ship, quay->length);
}

void quay_release(struct quay *quay, {
    if (ship_moored( {
        log(quay

#ifdef HARBOUR_PILOTS
struct pilot {
    int rank;
};
#endif

static int quay_place(struct quay *quay, const struct ship *ship, int at)
{
    return at;
}

int moor(struct quay *quay, const struct ship *ship)
{
    return quay_assign(quay, ship);
}

typedef LONG (WINAPI *query)
             (HANDLE file,
              ULONG length);

/* Types that the grammar takes for words of the language. */
typedef unsigned int uint32_t;
typedef long ssize_t, *ssize_ptr_t;

/* Macros in small letters, and parameters for compilers that know none. */
static lib_inline void
settle(struct node *n, int why)
{
  n->count = why;
}

static lib_inline node_t *grow(node_t *n) { return n; }

char * lib_cdecl
render(char *into, const char *format, ...)
{
  return into;
}

extern int reopen OLD_ARGS((int handle, const char *path));
int reclose OLD_ARGS((int handle)) { return handle; }

/* Conditions around parts of statements: what follows is not inside. */
int split(int kind) {
  if (kind) {
    return 1;
#ifdef WITH_MORE
  } else if (more(kind)) {
    return 2;
  } else {
#else
  } else {
#endif
    return 3;
  }
}

int after_split(int kind) {
  return split(kind);
}
