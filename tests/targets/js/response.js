const { format } = require('./format');

const res = module.exports = {};

/**
 * Sends JSON.
 */
res.json = function json(obj) {
  return this.send(format(obj));
};

res.send = function send(body) {
  this.body = body;
  return this;
};
