// A comment in a macro of several lines, in which an apostrophe stands.

namespace harbour {

Ledger::Ledger(const char* name) {
  name_ = name;
}

void Ledger::Write(int berth) {
  berths_.push_back(berth);
}

// Counts ships.
#define DEFINE_COUNT(name, flag)                              \
  int Count##name(const Ship* ship) {                         \
    if (ship->flag()) {                                       \
      return 0;                                               \
    } else {                                                  \
      /* There's no need to count a ship that isn't here. */  \
      return Tally(ship, /* twice,                            \
                            as the harbour's rules say */ 2); \
    }                                                         \
  }
DEFINE_COUNT(Moored, moored)
DEFINE_COUNT(Towed, towed)
#undef DEFINE_COUNT

namespace berths {

int Free(const Quay& quay) { return quay.length() / 2; }

}  // namespace berths

}  // namespace harbour
HARBOUR_END
