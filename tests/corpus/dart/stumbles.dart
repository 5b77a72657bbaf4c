import 'ships.dart';

/// Where ships lie.
class Quay {
  final int length;

  Quay(this.length);

  int assign(Ship ship) {
    return place(ship, length);
  }

  void release(Ship ship, {
    if (ship.moored( {
      log(ship.name

  int place(Ship ship, int at) {
    return at;
  }

  bool isFree(int from, int to) => from < to;
}

abstract class Pilot {
  void board(Ship ship);
}

int moor(Ship ship, Quay quay) {
  return quay.assign(ship);
}
