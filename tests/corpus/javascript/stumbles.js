const { log } = require("./log");

class Quay {
  constructor(length) {
    this.length = length;
  }

  assign(ship) {
    return this.place(ship, this.length);
  }

  release(ship, {
    if (ship.moored( {
      log(ship.name

  place(ship, at) {
    return ship;
  }
}

function tow(ship, quay = {
  quay.assign(ship

function moor(ship, quay) {
  return tow(ship, quay);
}

module.exports = { Quay, moor };
