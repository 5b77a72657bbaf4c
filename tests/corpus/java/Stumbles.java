package harbour;

import harbour.ships.Ship;

/** Where ships lie. */
public class Quay {
    private final int length;

    public Quay(int length) {
        this.length = length;
    }

    public Ship assign(Ship ship) {
        return place(ship, length);
    }

    public void release(Ship ship, {
        if (ship.isMoored( {
            log(ship

    private Ship place(Ship ship, int at) {
        return ship;
    }

    public boolean isFree(int from, int to) {
        return from < to;
    }
}

class Pilot {
    Quay quay;

    void board(Ship ship) {
        quay.assign(ship);
    }
}
