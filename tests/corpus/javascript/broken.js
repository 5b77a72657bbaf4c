function before(a) { return a; }
class Half {
  method() { return this.
  other(b { return b; }
function after(c) { return before(c); }
const tail = {
