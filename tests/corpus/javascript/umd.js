(function (root, factory) {
  if (typeof define === 'function' && define.amd) define([], factory);
  else root.Lib = factory();
})(this, function () {
  var VERSION = '1.0';
  function Lib() {}
  Lib.prototype.go = function () { return VERSION; };
  return Lib;
});

module.exports = {
  alpha,
  beta: betaImpl,
  gamma() { return 1; },
  delta: function () { return 2; },
  router: require('./router'),
};
