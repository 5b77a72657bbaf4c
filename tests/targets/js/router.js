class Router {
  constructor() {
    this.routes = [];
  }

  handle(path) {
    return this.match(path);
  }

  match(path) {
    return this.routes.indexOf(path);
  }
}

module.exports = Router;
