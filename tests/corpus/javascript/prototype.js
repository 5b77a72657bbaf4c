/**
 * Application prototype.
 */

var app = exports = module.exports = {};

/**
 * Proxy `Router#use()`.
 *
 * @api public
 */

app.use = function use(fn) { return this; };

app.limit = 10;

var req = exports.request = Object.create(http.IncomingMessage.prototype);

req.get =
req.header = function header(name) { return name; };

/* Not its doc. */

Late.prototype.method = function () {};
function Late() {}

const memo = React.memo(function Inner() { return 1; });
const { a = 1, ...others } = require('./opts');
var log = require('debug')('x');
module.exports = class Named extends app.Base {};
module.exports.default = Late;
