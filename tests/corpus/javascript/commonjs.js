'use strict'

var bodyParser = require('body-parser')
const { join, resolve: res } = require('path')
var proto = require('./application').proto;
require('./side-effect')

/**
 * Expose `createApplication()`.
 */
exports = module.exports = createApplication;

/**
 * Create an express application.
 *
 * @deprecated use something else
 */
function createApplication(opts) {
  var app = function(req, res, next) {
    app.handle(req, res, next);
  };
  function inner() { return this.settings.views; }
  mixin(app, EventEmitter.prototype, false);
  return app;
}

exports.Route = Route;
exports.json = bodyParser.json
exports.helper = function helper(a, b = DEFAULT) { return a[b]; };
exports.Router = require('./router');

function View(name) {
  this.name = name;
  this.lookup = function () { return name; };
}

// Renders
// the view.
View.prototype.render = function render(options, callback) {
  debug('render "%s"', this.path);
  this.engine(this.path, options, callback);
};

var app = module.exports.app = {};
app.use = function use(fn) {
  fn.name += 1;
};
other.thing = function () {};
