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
