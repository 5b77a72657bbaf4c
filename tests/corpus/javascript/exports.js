'use strict'

var app = exports = module.exports = {};
var Store = require('./store');
const config = (await import('./config.js')).default;
const { load, save: write } = await import('./io.js');
let router;

Object.defineProperty(exports, '__esModule', { value: true });
exports.parse = exports.read = void 0;
exports.parse = parse;
exports.read = exports.load = function read(path) { return new Reader(path); };
exports.limits = { depth: 3 };
exports.Store = Store;
exports.nothing = undefined;
__exportStar(require('./types'), exports);
Object.assign(exports, { parse, write: save, helper() { return 1; } }, require('./more'));
Object.defineProperty(exports, 'version', {
  enumerable: true,
  get() { return config.version; },
});
Object.defineProperty(exports, 'run', { value: function (x) { return x; } });

app.get =
app.header = function header(name) {
  return this.headers[name] || this;
};
app.settings = {};
app.start = parse;

/** Parses. */
function parse(text) {
  if (!text) return false;
  var result = new Result(text);
  result.finish();
  return result;
}

function Reader(path) {
  if (!(this instanceof Reader)) return new Reader(path);
  this.path = path;
  this.store = new Store(path);
  const read = () => { this.position = 0; };
}
Reader.prototype.close = close;
Reader.prototype.open = function () { this.opened = true; return this; };
Reader.defaults = { encoding: 'utf8' };
Reader.from = (path) => new Reader(path);
unknown.thing = 1;

function setup() {
  router = new Router({ strict: true });
  exports.late = function late() {};
  Reader.late = function () {};
}

define(['./a', './b'], function (a, b) {
  var inside = a.make();
  return inside;
});

const value = (() => {
  let logged = false;
  return () => { logged = true; };
})();

module.exports.all = { ...require('./all'), router: require('./router') };
