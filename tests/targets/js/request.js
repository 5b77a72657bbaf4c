const req = module.exports = {};

req.get = function get(name) {
  return req.lookup(name);
};

req.lookup = function lookup(name) {
  return this.headers[name];
};
