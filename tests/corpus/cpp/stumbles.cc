#include "ships.h"

namespace harbour {

// Where ships lie.
class Quay {
 public:
  explicit Quay(int length) : length_(length) {}

  int Assign(const Ship& ship) {
    return Place(ship, length_);
  }

  void Release(const Ship& ship, [{
    if (ship.moored( {
      log(ship.name

  bool IsFree(int from, int to) const {
    return from < to;
  }

 private:
  int Place(const Ship& ship, int at) {
    return at;
  }

  int length_;
};

int Tow(const Ship& ship, Quay* quay = {
  quay->Assign(ship

struct Pilot {
  void Board(const Ship& ship);
};

int Moor(const Ship& ship, Quay* quay) {
  return quay->Assign(ship);
}

}  // namespace harbour
