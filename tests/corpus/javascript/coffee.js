// Classes as CoffeeScript writes them: within functions.
(function() {
  var Connector, base;

  base = require("./base");

  exports.Connector = Connector = (function() {
    function Connector(url) {
      this.url = url;
    }

    Connector.prototype.connect = function() {
      return this.close();
    };

    Connector.prototype.close = function() {};

    Connector.prototype.limit = 3;

    return Connector;

  })();

  base.prototype.open = function() {};
}).call(this);
