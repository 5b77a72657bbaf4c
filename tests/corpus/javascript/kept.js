// Members of objects that functions give out, and what only looks like them.

lib.Callbacks = function (options) {
  this.fire = function () {};
  var self = {
    add: function () {
      return self;
    },
    nested: { deep: function () {} },
    arrow: () => 1,
  };
  return {
    state: function () {},
    shorthand() {},
  };
};

function install(Target, settings) {
  Target.prototype.paint = function () {};
  Target.prototype.size = 1;
  $.extend(Target.fn, { blink: function () {} });
  request({ success: function () {}, nested: { fail: function () {} } });
  jobs.push(function () {
    cleanup: settings;
  });
  Target.special[settings] = { setup: function () {} };
  return ({ wrapped: function () {} });
}
